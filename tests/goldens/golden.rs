//! Loads the golden fixtures of this folder. A module of the crates' integration tests:
//! `#[path = "../../../tests/goldens/golden.rs"] mod golden;`
#![allow(dead_code)] // each test uses its part

use safetensors::{Dtype, SafeTensors};
use serde_json::Value;
use transformer::{Config, Weights};

/// One family: its configuration and every tensor that the script stored.
pub struct Golden {
    /// Name of the family.
    pub name: String,
    /// Its configuration.
    pub config: Config,
    /// Its part of the manifest: parameters of the interventions, `skip_first`, the loss.
    pub entry: Value,
    bytes: Vec<u8>,
}

impl Golden {
    /// All families of the manifest.
    pub fn all() -> Vec<Self> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/goldens/");
        let read = |file: &str| {
            std::fs::read(format!("{folder}{file}")).unwrap_or_else(|e| panic!("{file}: {e}"))
        };
        let manifest: Value = serde_json::from_slice(&read("manifest.json")).unwrap();
        let models = manifest["models"].as_object().unwrap();
        assert!(models.len() >= 4, "the manifest lost families");
        let load = |(name, entry): (&String, &Value)| Self {
            name: name.clone(),
            config: serde_json::from_value(entry["config"].clone()).unwrap(),
            entry: entry.clone(),
            bytes: read(entry["file"].as_str().unwrap()),
        };
        models.iter().map(load).collect()
    }

    fn words(&self, name: &str, dtype: Dtype) -> Vec<[u8; 4]> {
        let file = SafeTensors::deserialize(&self.bytes).unwrap();
        let tensor = file
            .tensor(name)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name));
        assert_eq!(tensor.dtype(), dtype, "{name}");
        tensor.data().as_chunks::<4>().0.to_vec()
    }

    /// A tensor of numbers, row-major.
    pub fn numbers(&self, name: &str) -> Vec<f32> {
        let words = self.words(name, Dtype::F32).into_iter();
        words.map(f32::from_le_bytes).collect()
    }

    /// A tensor of token ids.
    pub fn ids(&self, name: &str) -> Vec<u32> {
        let words = self.words(name, Dtype::I32).into_iter();
        words
            .map(|b| u32::try_from(i32::from_le_bytes(b)).unwrap())
            .collect()
    }

    /// The model.
    pub fn weights(&self) -> Weights {
        let named = transformer::layout::layout(&self.config).into_iter();
        let named = named.map(|e| {
            let numbers = self.numbers(&format!("weights.{}", e.name));
            (e.name, (e.shape, numbers))
        });
        Weights::from_named(&self.config, named.collect()).unwrap()
    }

    /// Tokens of prompt `p` = 0, 1, 2.
    pub fn prompt(&self, p: usize) -> Vec<u32> {
        self.ids(&format!("prompt{p}.tokens"))
    }

    /// Positions that the fit averages over, in a prompt of `t` tokens.
    pub fn valid(&self, t: usize) -> Vec<bool> {
        let skip = self.integer("skip_first");
        (0..t).map(|i| i >= skip && i + 1 < t).collect()
    }

    /// A number of the manifest.
    pub fn integer(&self, field: &str) -> usize {
        usize::try_from(self.entry[field].as_u64().unwrap()).unwrap()
    }
}

/// Largest difference relative to the largest magnitude of the golden numbers.
pub fn error<S: transformer::ops::real::Real>(got: &[S], golden: &[f32]) -> f64 {
    assert_eq!(got.len(), golden.len());
    let scale = golden
        .iter()
        .fold(1e-30f64, |m, g| m.max(f64::from(g.abs())));
    let differences = got
        .iter()
        .zip(golden)
        .map(|(&x, &g)| (x.wide() - f64::from(g)).abs());
    // f64::max would pass over a NaN
    differences.fold(0.0, |m, d| if d > m || d.is_nan() { d } else { m }) / scale
}
