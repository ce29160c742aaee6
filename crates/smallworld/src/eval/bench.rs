//! What every experiment needs: the model, its lenses as vectors, the words, and the part of the held-out items to report on.

use super::stats::{Share, difference, wilson};
use super::vectors::{Pair, Vectors};
use crate::error::Result;
use crate::world::trials::Swap;
use crate::{Part, Split, Vocabulary};
use lens::{Head, Lens};
use pollster::block_on;
use serde::Serialize;
use transformer::{Cpu, Model};

/// A lens with its words' vectors.
pub struct Looking {
    /// The lens; none is the logit lens.
    pub lens: Option<Lens>,
    /// Vectors of all words, as they are (not centred).
    pub vectors: Vectors,
}

/// A model on the bench.
pub struct Bench<'a> {
    /// The model.
    pub model: &'a Model<Cpu>,
    /// Its lens over all targets, t' >= t.
    pub full: Looking,
    /// Its lens over strictly later targets, t' > t.
    pub future: Looking,
    /// Its lens at the same position, t' = t.
    pub same: Looking,
    /// The logit lens and unembedding vectors.
    pub logit: Looking,
    /// In place of each pair of the full lens, random directions of the same lengths and angle.
    pub random: Vectors,
    /// The words.
    pub words: Vocabulary,
    /// What was held out.
    pub split: Split,
    /// Which held-out items to report on.
    pub part: Part,
}

impl<'a> Bench<'a> {
    /// Sets up a model with its two lenses, `full` over all targets and `same` at the same position.
    ///
    /// # Errors
    /// Lenses that do not belong to the model or to each other.
    pub fn new(model: &'a Model<Cpu>, full: Lens, same: Lens, part: Part) -> Result<Self> {
        let head = block_on(Head::new(model))?;
        let look = |lens: Lens| -> Result<Looking> {
            Ok(Looking {
                vectors: Vectors::of_lens(model, &head, &lens, false)?,
                lens: Some(lens),
            })
        };
        let future = look(Lens::future(&full, &same)?)?;
        let (full, same) = (look(full)?, look(same)?);
        let logit = Looking {
            lens: None,
            vectors: Vectors::of_unembedding(model, &head, false)?,
        };
        let random = full.vectors.random_like();
        let (words, split) = (Vocabulary::standard(), Split::standard());
        Ok(Self {
            model,
            full,
            future,
            same,
            logit,
            random,
            words,
            split,
            part,
        })
    }

    /// The last layer that a lens transports from.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.model.config.n_layers - 1
    }

    /// Ids of words that are known to be in the vocabulary.
    ///
    /// # Errors
    /// A word that is not.
    pub fn id(&self, word: &str) -> Result<u32> {
        Ok(self
            .words
            .encode(word)?
            .first()
            .copied()
            .unwrap_or_default())
    }

    /// The ids of a swap's two words.
    ///
    /// # Errors
    /// A word that the vocabulary lacks.
    pub fn pair(&self, swap: &Swap) -> Result<Pair> {
        Ok((self.id(swap.from)?, self.id(swap.to)?))
    }
}

/// A measured number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A share of successes.
    Share(Share),
    /// The first share minus the second.
    Difference(Share, Share),
    /// A mean over so many things, without an interval.
    Mean(f64, usize),
}

/// A measured number with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Row id.
    pub id: String,
    /// What was measured.
    pub value: Value,
    /// The same without the lens, where that means something.
    pub baseline: Option<f64>,
}

/// A row of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Row id.
    pub id: String,
    /// The number.
    pub value: f64,
    /// Trials.
    pub n: usize,
    /// Lower end of the 95 % interval (the number itself where there is none).
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The control model's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<f64>,
    /// The same with unembedding vectors or the logit lens instead of the Jacobian lens (or what the id's description says).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<f64>,
}

impl Entry {
    /// A share without baseline.
    #[must_use]
    pub fn share(id: impl Into<String>, share: Share) -> Self {
        Self {
            id: id.into(),
            value: Value::Share(share),
            baseline: None,
        }
    }

    /// A share beside that of a baseline.
    #[must_use]
    pub fn against(id: impl Into<String>, share: Share, baseline: Share) -> Self {
        Self {
            baseline: Some(baseline.value()),
            ..Self::share(id, share)
        }
    }

    /// One share minus another.
    #[must_use]
    pub fn margin(id: impl Into<String>, share: Share, other: Share) -> Self {
        Self {
            id: id.into(),
            value: Value::Difference(share, other),
            baseline: None,
        }
    }

    /// A mean.
    #[must_use]
    pub fn mean(id: impl Into<String>, mean: f64, n: usize) -> Self {
        Self {
            id: id.into(),
            value: Value::Mean(mean, n),
            baseline: None,
        }
    }

    /// Trials behind it.
    #[must_use]
    pub fn row_n(&self) -> usize {
        match self.value {
            Value::Share(share) | Value::Difference(share, _) => share.trials,
            Value::Mean(_, n) => n,
        }
    }

    /// As a row of the report.
    #[must_use]
    pub fn row(self) -> Row {
        let (value, n, (low, high)) = match self.value {
            Value::Share(share) => (
                share.value(),
                share.trials,
                wilson(share.value(), share.prompts),
            ),
            Value::Difference(a, b) => (a.value() - b.value(), a.trials, difference(a, b)),
            Value::Mean(mean, n) => (mean, n, (mean, mean)),
        };
        Row {
            id: self.id,
            value,
            n,
            low,
            high,
            control: None,
            baseline: self.baseline,
        }
    }
}
