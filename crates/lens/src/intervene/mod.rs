//! Interventions, as [`Edit`]s for [`Model::forward`].
//!
//! * [`prepare`]: swaps, projection moves, steering and ablation from directions and the clean pass
//! * [`replace()`], [`offset`]: writing whole states
//! * [`matched`], [`directions_like`]: control directions
//! * [`generate()`]: greedy continuation under edits
//!
//! [`Model::forward`]: transformer::Model::forward
//! [`Edit`]: transformer::Edit

mod generate;
mod modes;
mod parts;
mod random;
mod replace;

pub use generate::generate;
pub use modes::{Mode, Prepared, mean_norm, prepare};
pub use random::{directions_like, matched};
pub use replace::{offset, replace};
