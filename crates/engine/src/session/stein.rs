//! Both sides of Stein's lemma on text, and the template of a phrase.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Reply, Stein, SteinRequest, Targets};
use crate::turn::Turn;
use lens::Lens;
use lens::statistics::cosine;
use lens::stein::{Moments, Pairs};
use smallworld::world::experiments::{FIT_SKIP, STEIN_RIDGE, fit_text};
use std::collections::BTreeMap;
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Keep, Ops};

/// Most windows of text.
const MOST: usize = 400;
/// Windows of text that are searched for a phrase.
const SEARCHED: usize = 3000;
/// Places of a phrase after which no more are looked for.
const PLACES: u32 = 60;
/// Ridge of a template, as large as the variance itself: its mean is one of few states, whose noise full whitening would blow up in
/// directions of little variance.
const TEMPLATE_RIDGE: f64 = 1.0;
/// Fewest places at which a phrase must end, to have a mean.
const FEWEST: u32 = 3;

impl<O: Ops> Session<O> {
    /// Answers a request: progress, then the two sides.
    ///
    /// # Errors
    /// A layer or lens that is not there, too much or too little text; those of the backend.
    pub async fn stein(
        &self,
        request: &SteinRequest,
        turn: &Turn,
        emit: &dyn Fn(Reply),
    ) -> Result<()> {
        if request.windows == 0 || request.windows > MOST {
            let why = format!("is {}; from 1 to {MOST} are possible", request.windows);
            return Err(Error::request("number of windows", why));
        }
        let (layer, d) = (request.layer, self.model.config.d_model);
        self.model.check_layer("layer", layer)?;
        let lens = self.lens(request.targets)?;
        let mut moments = Moments::new(d);
        let text = fit_text(&self.vocabulary, SEARCHED.max(request.windows));
        let of = request.windows as u32;
        for (done, window) in (0..).zip(&text[..request.windows]) {
            emit(Reply::Progress { done, of });
            turn.pass().await;
            let trace = self.pass(window)?;
            let pairs = Pairs::new(request.targets.into(), FIT_SKIP);
            pairs
                .collect(&self.model, &trace, layer, &mut moments)
                .await?;
        }
        let phrase = self.phrase(request, &text).await?;
        let other = Lens {
            layers: BTreeMap::from([(layer, moments.regression(STEIN_RIDGE)?)]),
            ..lens.clone()
        };
        let (left, right) = (
            self.all_vectors(lens, layer, request.centred).await?,
            self.all_vectors(&other, layer, request.centred).await?,
        );
        let vocab = self.model.config.vocab;
        let row = |all: &[f32], i: usize| all[(i % vocab) * d..][..d].to_vec();
        let at = |shift: usize| {
            let one = |i| cosine(&row(&left, i), &row(&right, i + shift)) as f32;
            (0..vocab).map(one).collect()
        };
        let template = match phrase.mean() {
            Some(mean) => {
                let template = moments.whiten(&mean, TEMPLATE_RIDGE)?;
                let future = self.lens(Targets::Future)?;
                let vectors = self.all_vectors(future, layer, request.centred).await?;
                nearest(&template, &vectors, d, request.top)
            }
            None => Vec::new(),
        };
        emit(Reply::Stein(Stein {
            states: moments.n() as u32,
            cosines: at(0),
            shifted: at(1),
            found: phrase.n,
            template,
        }));
        Ok(())
    }

    fn pass(&self, window: &[u32]) -> Result<Trace<O::Buf>> {
        let n = window.len().min(self.model.config.max_context);
        Ok(self.model.forward(&window[..n], n, &[], Keep::Residuals)?)
    }

    /// Mean state where the phrase ends, over the first places in the text; only windows that hold it are run.
    async fn phrase(&self, request: &SteinRequest, text: &[Vec<u32>]) -> Result<Mean> {
        let (words, layer) = (&request.phrase, request.layer);
        let mut mean = Mean::new(self.model.config.d_model);
        if words.is_empty() {
            return Ok(mean);
        }
        let holds = |window: &&Vec<u32>| window.windows(words.len()).any(|w| w == words);
        for window in text.iter().filter(holds) {
            if mean.n >= PLACES {
                break;
            }
            let trace = self.pass(window)?;
            let states = self.model.ops.read(&trace.residuals[layer]).await?;
            mean.add(words, window, &states);
        }
        Ok(mean)
    }

    async fn all_vectors(&self, lens: &Lens, layer: usize, centred: bool) -> Result<Vec<f32>> {
        let words: Vec<u32> = (0..self.model.config.vocab as u32).collect();
        let vectors = self
            .head
            .lens_vectors(&self.model, lens, layer, &words, centred)
            .await?;
        Ok(super::narrow(&vectors))
    }
}

/// Mean state where a phrase ends.
struct Mean {
    sum: Vec<f64>,
    n: u32,
}

impl Mean {
    fn new(d: usize) -> Self {
        Self {
            sum: vec![0.0; d],
            n: 0,
        }
    }

    fn add<S: Real>(&mut self, phrase: &[u32], window: &[u32], states: &[S]) {
        let d = self.sum.len();
        let ends = window.windows(phrase.len()).enumerate();
        for (start, _) in ends.filter(|(_, words)| *words == phrase) {
            let at = start + phrase.len() - 1;
            let Some(state) = states.get(at * d..(at + 1) * d) else {
                break; // beyond the longest context
            };
            self.sum
                .iter_mut()
                .zip(state)
                .for_each(|(s, x)| *s += x.wide());
            self.n += 1;
        }
    }

    fn mean(&self) -> Option<Vec<f64>> {
        let n = f64::from(self.n);
        (self.n >= FEWEST).then(|| self.sum.iter().map(|s| s / n).collect())
    }
}

/// The vectors nearest to a template, best first.
fn nearest(template: &[f32], vectors: &[f32], d: usize, top: usize) -> Vec<(u32, f32)> {
    let mut all: Vec<(u32, f32)> = (0..)
        .zip(vectors.chunks_exact(d))
        .map(|(word, v)| (word, cosine(template, v) as f32))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(top);
    all
}
