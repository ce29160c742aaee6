//! Safetensors files with limits: named tensors as f32 and one JSON document in the header's metadata.
//!
//! Layout: u64 little-endian length n of the header, n bytes of JSON (`name -> {dtype, shape, data_offsets}` and
//! `__metadata__`: string -> string), then the data. Format: <https://huggingface.co/docs/safetensors>.
//! The document sits under one metadata key, so that equal contents give equal bytes.

use crate::error::{Error, Result};
use half::{bf16, f16};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Largest file that is read, in bytes (a 135 M-parameter model in f32 and a lens of it stay below).
pub const MAX_FILE: usize = 2_000_000_000;
/// Largest header, in bytes.
pub const MAX_HEADER: usize = 16 << 20;
/// Most tensors in one file.
pub const MAX_TENSORS: usize = 100_000;

/// A tensor in memory: row-major f32.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Sizes of the dimensions, slowest first.
    pub shape: Vec<usize>,
    /// `shape.product()` finite numbers.
    pub data: Vec<f32>,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// IEEE half precision: half the size, about three digits, largest value 65504.
    F16,
    /// Half precision with the 8 significant bits of bfloat16: an F16 file whose three lowest bits are 0, a sixth smaller when
    /// compressed. Largest relative error 2^-8.
    F16Short,
    /// IEEE single precision, bit for bit.
    F32,
}

/// An open file: its document (still text) and its tensors (still bytes).
pub struct Container<'a> {
    tensors: SafeTensors<'a>,
    metadata: HashMap<String, String>,
}

impl<'a> Container<'a> {
    /// Checks the header against the file and the limits; reads no numbers yet.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Header`] or [`Error::Tensor`], naming the offset or the tensor.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        check_header(bytes)?;
        let bad = |e: safetensors::SafeTensorError| Error::Header {
            offset: 8,
            why: e.to_string(),
        };
        let tensors = SafeTensors::deserialize(bytes).map_err(bad)?;
        // the crate keeps the metadata to itself once the tensors are open
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(bad)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        Ok(Self { tensors, metadata })
    }

    /// The JSON document under `key`.
    ///
    /// # Errors
    /// [`Error::WrongKind`] without the key, [`Error::Json`] where it does not parse.
    pub fn document<T: DeserializeOwned>(
        &self,
        wanted: &'static str,
        key: &'static str,
    ) -> Result<T> {
        let text = self
            .metadata
            .get(key)
            .ok_or(Error::WrongKind { wanted, key })?;
        serde_json::from_str(text).map_err(|e| Error::json(wanted, &e))
    }

    /// Names of all tensors, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .tensors
            .names()
            .iter()
            .map(ToString::to_string)
            .collect();
        names.sort_unstable();
        names
    }

    /// Shape of one tensor.
    ///
    /// # Errors
    /// [`Error::Tensor`] where it is absent.
    pub fn shape(&self, name: &str) -> Result<Vec<usize>> {
        Ok(self.view(name)?.shape().to_vec())
    }

    /// Appends one tensor's numbers as f32.
    ///
    /// # Errors
    /// [`Error::Tensor`] where it is absent, of a type other than F16, BF16 or F32, or has a number that is not finite.
    pub fn append(&self, name: &str, out: &mut Vec<f32>) -> Result<()> {
        let view = self.view(name)?;
        let start = out.len();
        match view.dtype() {
            Dtype::F32 => out.extend(words(view.data()).map(f32::from_le_bytes)),
            Dtype::F16 => out.extend(words(view.data()).map(|b| f16::from_le_bytes(b).to_f32())),
            Dtype::BF16 => out.extend(words(view.data()).map(|b| bf16::from_le_bytes(b).to_f32())),
            other => {
                let why = format!("has type {other:?}; convert it to F16, BF16 or F32");
                return Err(Error::tensor(name, why));
            }
        }
        match out[start..].iter().position(|x| !x.is_finite()) {
            Some(i) => {
                let why = format!(
                    "element {i} is {}; a model or lens must be finite",
                    out[start + i]
                );
                Err(Error::tensor(name, why))
            }
            None => Ok(()),
        }
    }

    /// One tensor as f32.
    ///
    /// # Errors
    /// Those of [`Container::append`].
    pub fn tensor(&self, name: &str) -> Result<Tensor> {
        let mut data = Vec::new();
        self.append(name, &mut data)?;
        let shape = self.shape(name)?;
        Ok(Tensor { shape, data })
    }

    fn view(&self, name: &str) -> Result<TensorView<'a>> {
        let view = self.tensors.tensor(name);
        view.map_err(|e| Error::tensor(name, e.to_string()))
    }

    /// All tensors as f32.
    ///
    /// # Errors
    /// Those of [`Container::tensor`].
    pub fn all(&self) -> Result<BTreeMap<String, Tensor>> {
        self.names()
            .into_iter()
            .map(|n| self.tensor(&n).map(|t| (n, t)))
            .collect()
    }
}

/// Little-endian words of N bytes.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}

/// Checks what the safetensors crate does not say well (or, for offsets near the largest integer, add up safely).
fn check_header(bytes: &[u8]) -> Result<()> {
    limit("file size in bytes", bytes.len(), MAX_FILE)?;
    let header = |offset, why: String| Error::Header { offset, why };
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(header(
            0,
            format!(
                "the file has {} bytes, fewer than the 8 of the length",
                bytes.len()
            ),
        ));
    };
    let n = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    limit("header size in bytes", n, MAX_HEADER)?;
    let Some((json, data)) = rest.split_at_checked(n) else {
        let why = format!("the header should have {n} bytes, {} are there", rest.len());
        return Err(header(0, why));
    };
    let entries: serde_json::Map<String, Value> =
        serde_json::from_slice(json).map_err(|e| Error::json("file header", &e))?;
    limit("number of tensors", entries.len(), MAX_TENSORS)?;
    for (name, entry) in entries.iter().filter(|(n, _)| *n != "__metadata__") {
        check_entry(name, entry, data.len())?;
    }
    Ok(())
}

/// One tensor's shape and offsets against the length of the data.
fn check_entry(name: &str, entry: &Value, data: usize) -> Result<()> {
    let numbers = |key: &str| -> Result<Vec<usize>> {
        let list = entry.get(key).and_then(Value::as_array);
        list.and_then(|l| {
            l.iter()
                .map(|v| usize::try_from(v.as_u64()?).ok())
                .collect()
        })
        .ok_or_else(|| Error::tensor(name, format!("header field `{key}` is not a list of sizes")))
    };
    let elements = numbers("shape")?
        .into_iter()
        .try_fold(1usize, usize::checked_mul);
    if elements.is_none_or(|n| n > MAX_FILE) {
        return Err(Error::tensor(
            name,
            "has more elements than any file accepted here could hold",
        ));
    }
    match numbers("data_offsets")?[..] {
        [start, end] if start <= end && end <= data => Ok(()),
        [start, end] => {
            let why = format!(
                "should lie at bytes {start}..{end} of the data, which has {data}; the file was cut short or damaged"
            );
            Err(Error::tensor(name, why))
        }
        _ => Err(Error::tensor(
            name,
            "header field `data_offsets` is not a pair",
        )),
    }
}

fn limit(what: &'static str, got: usize, limit: usize) -> Result<()> {
    if got > limit {
        return Err(Error::TooLarge { what, got, limit });
    }
    Ok(())
}

/// Writes tensors (name, shape, numbers) and a document under `key`. Equal contents give equal bytes.
///
/// # Errors
/// [`Error::Tensor`] where shape and numbers disagree, a name comes twice, or a number is not finite in `precision`.
pub fn write<'a>(
    tensors: impl IntoIterator<Item = (&'a str, &'a [usize], &'a [f32])>,
    key: &str,
    document: &impl Serialize,
    precision: Precision,
) -> Result<Vec<u8>> {
    let mut stored = BTreeMap::new();
    for (name, shape, data) in tensors {
        if stored
            .insert(name, (shape, encode(name, shape, data, precision)?))
            .is_some()
        {
            return Err(Error::tensor(name, "is given twice"));
        }
    }
    let dtype = match precision {
        Precision::F16 | Precision::F16Short => Dtype::F16,
        Precision::F32 => Dtype::F32,
    };
    let mut views = Vec::with_capacity(stored.len());
    for (name, (shape, bytes)) in &stored {
        let view = TensorView::new(dtype, shape.to_vec(), bytes);
        views.push((*name, view.map_err(|e| Error::tensor(name, e.to_string()))?));
    }
    let text = serde_json::to_string(document).map_err(|e| Error::json("document to write", &e))?;
    let metadata = HashMap::from([(key.to_owned(), text)]);
    safetensors::serialize(views, Some(metadata)).map_err(|e| Error::Header {
        offset: 0,
        why: e.to_string(),
    })
}

/// Bytes of one tensor, refusing what could not be read back.
fn encode(name: &str, shape: &[usize], data: &[f32], precision: Precision) -> Result<Vec<u8>> {
    if shape.iter().product::<usize>() != data.len() {
        let why = format!("has shape {shape:?} but {} numbers", data.len());
        return Err(Error::tensor(name, why));
    }
    let rounded = rounded(data, precision);
    let mut both = data.iter().zip(rounded.iter()).enumerate();
    if let Some((i, (x, _))) = both.find(|(_, (_, y))| !y.is_finite()) {
        let why = format!(
            "element {i} is {x}, which {precision:?} cannot hold; write F32 or check the numbers"
        );
        return Err(Error::tensor(name, why));
    }
    Ok(match precision {
        Precision::F16 | Precision::F16Short => rounded
            .iter()
            .flat_map(|&x| f16::from_f32(x).to_le_bytes())
            .collect(),
        Precision::F32 => data.iter().flat_map(|x| x.to_le_bytes()).collect(),
    })
}

/// Numbers as they read back after being written in `precision`.
pub fn rounded(data: &[f32], precision: Precision) -> Cow<'_, [f32]> {
    match precision {
        Precision::F16 => data.iter().map(|&x| f16::from_f32(x).to_f32()).collect(),
        Precision::F16Short => {
            let short = |&x: &f32| f16::from_f32(bf16::from_f32(x).to_f32()).to_f32();
            data.iter().map(short).collect()
        }
        Precision::F32 => Cow::Borrowed(data),
    }
}
