//! How often each kind of document is written. The default is the recipe of the shipped model.

/// Relative weights of document kinds, and the probabilities of fillers.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Recipe {
    /// Weights of the families: animals, countries, adjectives, couplets.
    pub families: [f64; 4],
    /// Weights for a document about an entity: two-hop, named, naming, plain, thinking, story, quiz, cards, memo.
    pub entities: [f64; 9],
    /// Weight of "name" flash cards; each relation has weight 1.
    pub name_cards: f64,
    /// Weights for adjectives: opposites, translations, uses, cross-language opposites, cards.
    pub adjectives: [f64; 5],
    /// Weights for couplets: couplets, rhymes, uses.
    pub couplets: [f64; 3],
    /// Probability of a filler after a description.
    pub filler: f64,
    /// Probability of a filler after an adjective. Low, because fillers there make held-out opposites hard to learn.
    pub adjective_filler: f64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            families: [4.5, 2.5, 2.5, 2.0],
            entities: [2.5, 1.0, 3.0, 0.5, 2.5, 2.0, 1.0, 4.0, 2.0],
            name_cards: 6.0,
            adjectives: [3.0, 3.0, 2.0, 3.0, 2.5],
            couplets: [5.0, 2.5, 2.5],
            filler: 0.5,
            adjective_filler: 0.1,
        }
    }
}
