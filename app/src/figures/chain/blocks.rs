//! The real model's half: which token is looked at, and what the matrices of its blocks amount to. Plain values, no browser.

use crate::client::Model;
use crate::figures::numbers::{number, small};
use engine::protocol::{Chain, ChainRequest};

/// A prompt with its name in the list.
pub const PROMPTS: [(&str, &str); 3] = [
    (
        "legs of the animal that spins webs",
        "the number of legs on the animal that spins webs is",
    ),
    (
        "the same, with a filler phrase",
        "the number of legs on the animal that spins webs , let me think for a while , is",
    ),
    (
        "capital of the country of baguettes",
        "the capital of the country that bakes baguettes is",
    ),
];

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Index into [`PROMPTS`].
    pub prompt: usize,
    /// Token, counted from the start token at 0.
    pub position: usize,
    /// Layer from which the product starts.
    pub from: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Self::of_prompt(0)
    }
}

impl Choice {
    /// The last token of a prompt, from the embedding on.
    #[must_use]
    pub fn of_prompt(prompt: usize) -> Self {
        let prompt = prompt.min(PROMPTS.len() - 1);
        Self {
            prompt,
            position: PROMPTS[prompt].1.split_whitespace().count(),
            from: 0,
        }
    }

    /// The tokens' words, without the start token.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        PROMPTS[self.prompt].1.split_whitespace()
    }

    /// The chosen token's word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.words()
            .nth(self.position.saturating_sub(1))
            .unwrap_or("")
    }

    /// What to ask the worker.
    ///
    /// # Errors
    /// Says that the model does not know the prompt.
    pub fn request(&self, model: &Model) -> Result<ChainRequest, String> {
        let tokens = model
            .tokens(PROMPTS[self.prompt].1)
            .ok_or("The prompt has a word that the model does not know.")?;
        Ok(ChainRequest {
            position: self.position.min(tokens.len() - 1),
            tokens,
        })
    }

    /// `0,10,3` for the address.
    #[must_use]
    pub fn to_address(self) -> String {
        format!("{},{},{}", self.prompt, self.position, self.from)
    }

    /// The reverse, from the parts of an address; the start for anything else.
    #[must_use]
    pub fn from_address(parts: &[&str]) -> Self {
        let [prompt, position, from] = parts else {
            return Self::default();
        };
        let (Ok(prompt), Ok(position), Ok(from)) =
            (prompt.parse(), position.parse::<usize>(), from.parse())
        else {
            return Self::default();
        };
        let start = Self::of_prompt(prompt);
        Self {
            position: position.clamp(1, start.position),
            from,
            ..start
        }
    }
}

/// `sqrt(sum of squares)`.
#[must_use]
pub fn norm(matrix: &[f32]) -> f64 {
    matrix
        .iter()
        .map(|x| f64::from(*x).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// An answer and the token that it belongs to, which may not be the one chosen now.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Prompt and token.
    pub of: Choice,
    /// The matrices.
    pub chain: Chain,
}

/// The check in words, for the product from layer `from` on.
#[must_use]
pub fn summary(shown: &Shown, from: usize) -> String {
    let chain = &shown.chain;
    let from = from.min(chain.spans.len().saturating_sub(1));
    let Some(span) = chain.spans.get(from) else {
        return String::new();
    };
    format!(
        "At “{}” the matrices of blocks {} to {} multiply to the Jacobian from layer {from} to the last, up to {} of its largest entry.",
        shown.of.word(),
        from + 1,
        chain.blocks.len(),
        small(f64::from(span.error)),
    )
}

/// What the table holds.
#[must_use]
pub fn caption(of: Choice) -> String {
    let word = of.word();
    format!(
        "Frobenius norms (root of the sum of squares) at “{word}”, and the largest difference over the largest entry"
    )
}

/// Rows of the data table: block by block and from each layer to the end.
#[must_use]
pub fn rows(chain: &Chain) -> Vec<Vec<String>> {
    let row = |(layer, (block, span)): (usize, (&Vec<f32>, &engine::protocol::Span))| {
        vec![
            format!("{layer}"),
            number(norm(block), 2),
            number(norm(&span.product), 2),
            number(norm(&span.direct), 2),
            small(f64::from(span.error)),
        ]
    };
    let both = chain.blocks.iter().zip(&chain.spans);
    both.enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::Span;

    #[test]
    fn a_prompt_starts_at_its_last_word() {
        assert_eq!(Choice::default().word(), "is");
        for prompt in 0..PROMPTS.len() {
            assert_eq!(Choice::of_prompt(prompt).word(), "is");
        }
        assert_eq!(Choice::of_prompt(99).prompt, 2);
    }

    #[test]
    fn addresses_lead_back_or_to_the_start() {
        let choice = Choice {
            prompt: 1,
            position: 5,
            from: 3,
        };
        let text = choice.to_address();
        let parts: Vec<&str> = text.split(',').collect();
        assert_eq!(Choice::from_address(&parts), choice);
        assert_eq!(Choice::from_address(&["0", "99", "0"]), Choice::default());
        assert_eq!(Choice::from_address(&["x", "1", "0"]), Choice::default());
        assert_eq!(Choice::from_address(&[]), Choice::default());
    }

    #[test]
    fn the_table_has_a_row_per_layer() {
        let span = Span {
            product: vec![3.0, 0.0, 0.0, 4.0],
            direct: vec![3.0, 0.0, 0.0, 4.0],
            error: 2e-6,
        };
        let chain = Chain {
            d: 2,
            blocks: vec![vec![1.0, 0.0, 0.0, 0.0]; 2],
            spans: vec![span.clone(), span],
        };
        assert_eq!(rows(&chain)[1], ["1", "1.00", "5.00", "5.00", "2.0 × 10⁻⁶"]);
        let of = Choice::default();
        let shown = Shown { of, chain };
        // A link may ask for a layer that the model does not have.
        for from in [1, 99] {
            let said = summary(&shown, from);
            assert!(
                said.contains("blocks 2 to 2") && said.contains("2.0 × 10⁻⁶"),
                "{said}"
            );
        }
    }

    #[test]
    fn numbers_keep_the_name_of_the_token_they_belong_to() {
        let of = Choice {
            position: 7,
            ..Choice::default()
        };
        let span = Span {
            product: vec![1.0],
            direct: vec![1.0],
            error: 0.0,
        };
        let chain = Chain {
            d: 1,
            blocks: vec![vec![1.0]],
            spans: vec![span],
        };
        let word = format!("at “{}”", of.word());
        assert_ne!(of.word(), Choice::default().word());
        let said = summary(&Shown { of, chain }, 0).to_lowercase();
        assert!(said.contains(&word), "{said}");
        assert!(caption(of).contains(&word));
    }
}
