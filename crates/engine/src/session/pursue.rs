//! A state as a sparse nonnegative sum of lens vectors: greedy pursuit, the plain ranking by inner products, and pursuit in a
//! random dictionary.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Picks, Pursuit, PursuitRequest};
use lens::Basis;
use lens::intervene::directions_like;
use lens::pursuit::{Decomposition, Dictionary, Refit};
use transformer::{Keep, Ops};

impl<O: Ops> Session<O> {
    /// Answers a pursuit request.
    ///
    /// # Errors
    /// A layer or position that does not exist, more words than coordinates, a lens that is not there; those of the backend.
    pub async fn pursue(&self, request: &PursuitRequest) -> Result<Pursuit> {
        let (x, dictionary) = self.subject(request).await?;
        let (d, vocab, most) = (x.len(), self.model.config.vocab, request.most);
        let random: Vec<f32> = directions_like(vocab, d, request.seed, request.layer);
        let random = Dictionary::new(&random, d)?.pursue(&x, most, Refit::Exact)?;
        let pursuit = dictionary.pursue(&x, most, Refit::Exact)?;
        let plain = dictionary.plain(&x, most)?;
        let norm = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        Ok(Pursuit {
            pursuit: picks(&dictionary, pursuit),
            plain: picks(&dictionary, plain),
            random: random.explained.iter().map(|&x| x as f32).collect(),
            norm: norm as f32,
            size: vocab as u32,
        })
    }

    /// The state `[D]` and all words' lens vectors.
    async fn subject(&self, request: &PursuitRequest) -> Result<(Vec<f32>, Dictionary)> {
        let (tokens, model) = (&request.tokens, &self.model);
        let d = model.config.d_model;
        if request.position >= tokens.len() {
            let (position, t) = (request.position, tokens.len());
            let why = format!("is {position}; the prompt has {t} tokens");
            return Err(Error::request("position", why));
        }
        if request.most == 0 || request.most > d {
            let why = format!("is {}; from 1 to {d} are possible", request.most);
            return Err(Error::request("number of words", why));
        }
        model.check_layer("layer", request.layer)?;
        let trace = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let here = [request.position as u32];
        let x = model.ops.embed(&trace.residuals[request.layer], &here, d);
        let x = super::narrow(&model.ops.read(&x).await?);
        let words: Vec<u32> = (0..model.config.vocab as u32).collect();
        let basis = Basis::Jacobian(self.lens(request.targets)?);
        let vectors = self
            .head
            .directions(model, basis, [request.layer], &words, request.centred)
            .await?;
        let vectors = super::narrow(&vectors[&request.layer]);
        Ok((x, Dictionary::new(&vectors, d)?))
    }
}

fn picks(dictionary: &Dictionary, found: Decomposition) -> Picks {
    let likeness = |(n, &atom): (usize, &usize)| {
        let before = found.atoms[..n].iter();
        let cosines = before.map(|&other| dictionary.cosine(atom, other));
        cosines.reduce(f64::max).unwrap_or(0.0) as f32
    };
    Picks {
        likeness: found.atoms.iter().enumerate().map(likeness).collect(),
        words: found.atoms.iter().map(|&atom| atom as u32).collect(),
        explained: found.explained.iter().map(|&x| x as f32).collect(),
        coefficients: found
            .path
            .iter()
            .map(|c| c.iter().map(|&c| c as f32).collect())
            .collect(),
    }
}
