//! Turns the article (Markdown with LaTeX) into the static half of the page: HTML with MathML, reserved places for the live
//! figures, one style sheet, and a content policy. Everything here runs at build time, natively.
//!
//! Order of work, one module per step:
//! 1. [`directive`] splits a chapter into prose, figures, questions and notes;
//! 2. [`live`] fills in cited numbers and those of [`measured`], [`claims`] the table of claims, [`rows`] that of all stored numbers;
//! 3. [`math`] renders formulas; [`article`] renders the prose around them;
//! 4. [`toc`] collects the headings; [`figures`] and [`stills`] draw the figures' places;
//! 5. [`check`] reads the finished HTML again (through [`tags`]) and refuses broken links, duplicate ids, outside requests;
//! 6. [`styles`] bundles the style sheets, [`goldens`] the fixtures, [`shuffled`] models and lenses; [`build`] writes it all; [`csp`] and [`offline`] seal the page after Trunk has put it together:
//!    its content policy, and the copy of it that a browser keeps.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod article;
pub mod build;
pub mod check;
pub mod claims;
pub mod csp;
pub mod directive;
mod error;
pub mod figures;
pub mod goldens;
pub mod live;
pub mod math;
pub mod measured;
pub mod offline;
pub mod rows;
pub mod shuffled;
pub mod stills;
pub mod styles;
pub mod tags;
pub mod toc;

pub use error::SiteError;
