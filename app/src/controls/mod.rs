//! Controls shared by the figures. Each one shows a value that its owner holds and reports wishes through a callback, so that the
//! figure's state stays the only truth; markup and class names follow `assets/css/README.md`.
//!
//! * [`Slider`], [`BandSlider`]: one value, or a band of layers. * [`Segmented`], [`Select`]: one choice of a few, of many.
//! * [`Check`], [`Button`]: yes or no, do it. * [`WordField`]: a word of the vocabulary. * [`NumberField`]: a typed number.
//! * [`Handle`]: a point that is dragged in a drawing, by mouse, touch or keyboard. * [`frame`]: the arithmetic behind it.
//! * [`hand_to`], [`hand_to_figure`]: who has the focus when what had it goes away.

mod button;
mod changed;
mod choice;
mod focus;
pub mod frame;
mod handle;
mod number_field;
mod slider;
mod word_field;

pub use button::{Button, Check};
pub use choice::{Segmented, Select};
pub use focus::{hand_to, hand_to_figure};
pub use frame::Frame;
pub use handle::Handle;
pub use number_field::NumberField;
pub use slider::{BandSlider, Slider};
pub use word_field::{WordField, WordSuggestions};
