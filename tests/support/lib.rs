//! Drives the built site in headless Chromium.
//!
//! A test is short: it opens the page in a given [`Look`], works with a [`Figure`], and returns.
//! [`on_page`] starts a server and a browser of the test's own, fails the test when the page logged
//! an error, and takes a photograph of whatever went wrong.
//!
//! ```ignore
//! #[tokio::test]
//! async fn the_square_follows_the_mouse() -> Result<()> {
//!     on_page(Look::desktop(), async |page| {
//!         let square = page.figure("square").await?;
//!         let before = square.text("output").await?;
//!         square.drag("[role=slider]", (30.0, -20.0), With::Mouse).await?;
//!         page.until("the output changes", async || Ok(square.text("output").await? != before)).await
//!     }).await
//! }
//! ```
//!
//! | module | job |
//! | --- | --- |
//! | [`setup`] | where the browser, its driver and the built site are |
//! | [`site`] | serves the built site on an ephemeral loopback port and remembers what was fetched |
//! | [`browser`] | one chromedriver with one fresh browser |
//! | [`look`] | window size, colour scheme, touch, scripting |
//! | [`page`] | opening, waiting, running scripts, console errors, photographs |
//! | [`figure`] | one live figure: its parts, its readout tables |
//! | [`pointer`] | mouse, touch and keyboard as a person uses them |
//! | [`golden`] | how every figure looks, compared with stored pictures |
//! | [`keyboard`] | a reader who has only a keyboard |
//! | [`axe`] | the accessibility checker |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod axe;
pub mod browser;
mod error;
pub mod figure;
pub mod golden;
pub mod keyboard;
pub mod look;
pub mod page;
pub mod pointer;
pub mod setup;
pub mod site;

pub use error::{Error, Result};
pub use figure::{Figure, Row};
pub use keyboard::Keyboard;
pub use look::Look;
pub use page::{Page, on_page};
pub use pointer::With;
