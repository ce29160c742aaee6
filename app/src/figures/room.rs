//! How far the settings of a figure reach with the model that has come: a link may ask for more.

use crate::client::Model;

/// How far a model's settings reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The last layer that a lens has.
    pub last: usize,
    /// Numbers of a state.
    pub width: usize,
}

impl Room {
    /// Of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        Self {
            last: model.info.n_layers.saturating_sub(1),
            width: model.info.d_model,
        }
    }

    /// The nearest layer from `least` on.
    #[must_use]
    pub fn layer(self, wished: usize, least: usize) -> usize {
        wished.clamp(least, self.last.max(least))
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn layers_beyond_the_model_become_its_last_one() {
        let room = Room { last: 7, width: 96 };
        assert_eq!([0, 3, 99].map(|l| room.layer(l, 0)), [0, 3, 7]);
        assert_eq!([0, 3, 99].map(|l| room.layer(l, 1)), [1, 3, 7]);
        assert_eq!(Room { last: 0, width: 1 }.layer(5, 1), 1);
    }
}
