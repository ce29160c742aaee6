//! Which files a model consists of, relative to the page.

/// A model that the page can open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// The shipped model.
    World,
    /// The control: the same model without the attention window, loaded on demand.
    Control,
}
