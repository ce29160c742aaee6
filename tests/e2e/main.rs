//! The built site in headless Chromium: what a reader can do, done as a reader does it.
//!
//! | module | what is shown |
//! | --- | --- |
//! | [`harness`] | the tools of these tests work, and can fail |
//! | [`page`] | the page as a whole: readable without scripts, accessible, light enough |
//! | [`hero`] | Figure 1: both lenses on any prompt, by mouse, touch and keyboard |
//! | [`keyboard`] | every figure's task by keyboard alone |
//! | [`curve`] | Figure 2: the gap of a tangent |
//! | [`gradient`] | Figure 3: the sum of rate times nudge |
//! | [`square`] | Figure 4: the dragged square |
//! | [`rows`] | Figure 6: one backward pass; nothing reaches a later token |
//! | [`average`] | Figure 7: one nudge in many sentences |
//! | [`local`] | Figure 8: one place's own Jacobian and the average |
//! | [`chain`] | Figure 5: matrices multiply, of maps and of blocks |
//! | [`fit`] | Figure 9: a lens fitted in the tab agrees with the shipped one |
//! | [`relatives`] | Figure 10: three lenses on one sentence |
//! | [`stein`] | Figure 11: both sides of Stein's lemma |
//! | [`pursuit`] | Figure 13: an activation in words |
//! | [`causal`] | Figure 14: counts by what is exchanged, equal to `jlens eval`'s |
//! | [`steer`] | Figure 15: steering and ablation |
//! | [`cone`] | Figure 12: the nearest point of few words |
//! | [`dual`] | Figure 16: amounts found by the dual basis |
//! | [`swap`] | Figure 17: spider for ant turns 8 into 6 |
//! | [`band`] | Figure 18: layer by layer, stored and measured |
//! | [`links`] | the state of figures in the address: copied, opened, Back |
//! | [`offline`] | the copy that the browser keeps, and its renewal |
//! | [`shaders`] | the browser compiles every kernel |
//! | [`engine`] | processor and GPU, forced, compared, wrong and lost |
//! | [`trouble`] | a figure without its model, a program that stops, figures out of sight |
//! | [`print`] | the page on paper |
//! | [`recovery`] | a worker that panics or vanishes is replaced and its request sent again |
#![forbid(unsafe_code)]

mod average;
mod band;
mod causal;
mod chain;
mod cone;
mod curve;
mod dual;
mod engine;
mod fit;
mod gradient;
mod harness;
mod hero;
mod keyboard;
mod links;
mod local;
mod offline;
mod page;
mod print;
mod pursuit;
mod recovery;
mod relatives;
mod rows;
mod shaders;
mod square;
mod steer;
mod stein;
mod swap;
mod trouble;
