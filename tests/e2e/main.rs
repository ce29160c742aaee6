//! The built site in headless Chromium: what a reader can do, done as a reader does it.
//!
//! | module | what is shown |
//! | --- | --- |
//! | [`harness`] | the tools of these tests work, and can fail |
//! | [`page`] | the page as a whole: readable without scripts, free of errors, light enough |
#![forbid(unsafe_code)]

mod harness;
mod page;
