//! What files of Jacobian and of tuned lenses have in common: the model that a lens is held against, and the names of layers.
//!
//! Tensor names follow the reference implementation, whose layer f is the residual after block f counted from 0: our state
//! l >= 1 is `X.<l-1>`, and the embedding state 0, which the reference lacks, is `X.embedding`.

use crate::error::{Error, Result};

/// The model that a lens is to be used on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Width of its residual stream.
    pub d_model: usize,
    /// Its number of blocks, L.
    pub n_layers: usize,
    /// Hash of its weights.
    pub weights_hash: &'a str,
    /// Hash of its word list.
    pub vocabulary_hash: &'a str,
}

/// Something to show to the reader; the lens can be used all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What differs: `weights` or `word list`.
    pub what: &'static str,
    /// Hash in the lens file.
    pub lens: String,
    /// Hash of the model.
    pub model: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |s: &str| s.chars().take(12).collect::<String>();
        let (what, lens, model) = (self.what, short(&self.lens), short(&self.model));
        write!(
            f,
            "this lens was fitted with another {what} ({lens}... in the lens, {model}... in the model): read it with care or fit it anew"
        )
    }
}

impl Subject<'_> {
    /// Whether a lens of this width, whose `what` is layer `layer` of at most `most`, can be used.
    ///
    /// # Errors
    /// [`Error::LensMismatch`] where width or layer do not fit.
    pub(crate) fn admits(
        &self,
        d_model: usize,
        (what, layer, most): (&'static str, usize, usize),
    ) -> Result<()> {
        let mismatch = |what, lens: usize, model: String| {
            Err(Error::LensMismatch {
                what,
                lens: lens.to_string(),
                model,
            })
        };
        if d_model != self.d_model {
            return mismatch("d_model", d_model, self.d_model.to_string());
        }
        if layer > most {
            return mismatch(what, layer, format!("at most {most}"));
        }
        Ok(())
    }

    /// Which of a lens's hashes are not the model's.
    pub(crate) fn warnings(&self, weights_hash: &str, vocabulary_hash: &str) -> Vec<Warning> {
        let hashes = [
            ("weights", weights_hash, self.weights_hash),
            ("word list", vocabulary_hash, self.vocabulary_hash),
        ];
        let differ = hashes.into_iter().filter(|(_, lens, model)| lens != model);
        differ
            .map(|(what, lens, model)| Warning {
                what,
                lens: lens.to_owned(),
                model: model.to_owned(),
            })
            .collect()
    }
}

/// Tensor name of a residual state.
pub(crate) fn name_of(letter: &str, state: usize) -> String {
    match state.checked_sub(1) {
        Some(block) => format!("{letter}.{block}"),
        None => format!("{letter}.embedding"),
    }
}

/// Residual state of a tensor name; only the one spelling of each is accepted, so no state can come twice.
pub(crate) fn state_of(letter: &str, name: &str, of: &str) -> Result<usize> {
    let rest = name.strip_prefix(letter).and_then(|n| n.strip_prefix('.'));
    let state = match rest {
        Some("embedding") => Some(0),
        Some(number) => number.parse::<usize>().ok().and_then(|b| b.checked_add(1)),
        None => None,
    };
    state
        .filter(|&state| name_of(letter, state) == name)
        .ok_or_else(|| {
            let why = format!(
                "is not part of a {of}; expected `{letter}.embedding` or `{letter}.<number>`"
            );
            Error::tensor(name, why)
        })
}
