//! The engine panel: what computes on this page, whether it computes right, and how fast. It can force a backend, compare it with
//! the golden fixtures and measure its speed; the outcome can be copied as a report.
//!
//! * [`state`]: findings and the report, plain data with tests. * [`run`]: fixtures and measurements, over the client. * [`view`].

mod run;
mod state;
mod view;

pub use view::EnginePanel;
