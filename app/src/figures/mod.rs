//! The figures. Each is mounted once into its `<figure data-figure="...">` and never unmounted.
//!
//! * [`hero`] (Figure 1), [`curve`] (2), [`gradient`] (3), [`square`] (4), [`chain`] (5), [`rows`] (6), [`average`] (7),
//!   [`local`] (8), [`fit`] (9), [`relatives`] (10), [`stein`] (11), [`cone`] (12), [`pursuit`] (13), [`causal`] (14), [`steer`]
//!   (15), [`dual`] (16), [`swap`] (17), [`band`] (18).
//! * Shared: [`bench`] and [`place`] are a figure's frame, [`room`] keeps its settings within the model, [`prompt`] its sentence,
//!   [`grid`] its layers and positions and [`columns`] those in sight, [`layer_slider`] a lens's layers; [`history`] undoes,
//!   [`parts`], [`text`] and [`numbers`] show, [`data_table`] holds the numbers behind them, [`chart`] and [`lines`] draw curves
//!   over axes, [`mark`] where the reader stands on them, [`draw`] lines and arrows, [`ring`] arrows to a handle, [`unit`] keeps
//!   the text of all these readable, [`heat`] and [`canvas`] matrices, [`plane`] what drawings of the plane have in common,
//!   [`address`] keeps settings in the page's link, [`share`] copies it; [`stored`] reads numbers that the article quotes, [`job`]
//!   runs what a reader asks for; [`announce`] says once what all figures show, [`stopped`] is the last word.

pub mod address;
pub mod announce;
pub mod average;
pub mod band;
pub mod bench;
pub mod canvas;
pub mod causal;
pub mod chain;
pub mod chart;
pub mod columns;
pub mod cone;
pub mod curve;
pub mod data_table;
pub mod draw;
pub mod dual;
pub mod edges;
pub mod fit;
pub mod gradient;
pub mod grid;
pub mod heat;
pub mod hero;
pub mod history;
pub mod job;
pub mod layer_slider;
pub mod lines;
pub mod local;
pub mod mark;
pub mod numbers;
pub mod parts;
pub mod place;
pub mod plane;
pub mod prompt;
pub mod pursuit;
pub mod relatives;
pub mod ring;
pub mod room;
pub mod rows;
pub mod share;
pub mod square;
pub mod steer;
pub mod stein;
pub mod stopped;
pub mod stored;
pub mod swap;
pub mod text;
pub mod unit;
