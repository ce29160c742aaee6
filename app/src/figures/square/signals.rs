//! What the parts of the figure share: its signals, and what follows from them.

use super::link::{first_of_all, from_link};
use super::maps::{Lines, MapKind, image_lines, lines_window};
use super::model;
use super::presets::{PRESETS, Setting};
use super::state::{HOME_HALF, PER_EDGE, Scene};
use crate::client::Client;
use crate::controls::Frame;
use crate::figures::address;
use crate::figures::numbers::small;
use geometry::{Point, SampledGrid, Square};
use leptos::prelude::*;
use std::sync::Arc;

/// User units per side of both planes.
pub const SIZE: f64 = 400.0;
/// Colours of the two nudges and of their columns.
pub const NUDGES: [&str; 2] = ["token", "activation"];

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Figure {
    /// Line to the model.
    pub client: Client,
    /// Chosen map.
    pub kind: RwSignal<MapKind>,
    /// The point.
    pub p: RwSignal<[f64; 2]>,
    /// Length of a basis nudge.
    pub half: RwSignal<f64>,
    /// The column and arrow under the pointer or the keyboard.
    pub highlight: RwSignal<Option<usize>>,
    /// Whether a handle is being dragged.
    pub dragging: RwSignal<bool>,
    /// The slice through the model.
    pub setting: RwSignal<Setting>,
    /// The model's grid between its samples.
    pub grid: RwSignal<Option<Arc<SampledGrid>>>,
    /// The model's last exact answer.
    pub exact: RwSignal<Option<Arc<Scene>>>,
    /// What went wrong with the model's slice.
    pub trouble: RwSignal<Option<String>>,
    /// What is shown.
    pub scene: Memo<Option<Arc<Scene>>>,
    /// Outline from the interpolated grid, while the exact one is on its way.
    pub ghost: Memo<Option<Vec<Point>>>,
    /// Image of the grid.
    pub lines: Memo<Lines>,
    /// Window of the output plane.
    pub window: Memo<Frame>,
}

impl Figure {
    /// As the address says, or as at first.
    pub fn new(client: Client) -> Self {
        let start = address::read("square").and_then(|text| from_link(&text));
        let ((kind, at, size), setting) = start.unwrap_or_else(first_of_all);
        let kind = RwSignal::new(kind);
        let (p, half) = (RwSignal::new(at), RwSignal::new(size));
        let grid = RwSignal::new(None::<Arc<SampledGrid>>);
        let exact = RwSignal::new(None::<Arc<Scene>>);
        let square = move || Square {
            centre: Point::from(p.get()),
            half: half.get(),
        };
        let scene = Memo::new(move |_| match kind.get().analytic() {
            Some(map) => Some(Arc::new(Scene::of(&map, square()))),
            None => exact.get(),
        });
        let ghost = Memo::new(move |_| {
            let wanted = model::on_raster(square());
            let missing = kind.get() == MapKind::Model
                && exact.with(|e| e.as_ref().is_none_or(|e| e.square != wanted));
            if missing {
                grid.with(|g| g.as_ref().map(|g| wanted.image(&**g, PER_EDGE)))
            } else {
                None
            }
        });
        let lines = Memo::new(move |_| match kind.get().analytic() {
            Some(map) => image_lines(&map),
            None => grid.with(|g| g.as_ref().map(|g| image_lines(&**g)).unwrap_or_default()),
        });
        Self {
            client,
            kind,
            p,
            half,
            grid,
            exact,
            scene,
            ghost,
            lines,
            highlight: RwSignal::new(None),
            dragging: RwSignal::new(false),
            setting: RwSignal::new(setting),
            trouble: RwSignal::new(None),
            window: Memo::new(move |_| lines.with(|lines| lines_window(lines, SIZE))),
        }
    }

    /// What a link says about the slice through the model; empty if it does not matter. Reactive.
    pub fn slice_link(self) -> String {
        let slice = self.setting.with(Setting::to_link);
        let plain = slice == PRESETS[0].setting().to_link();
        if plain || self.kind.get() != MapKind::Model {
            return String::new();
        }
        format!(";{slice}")
    }

    /// Point and size. Reactive.
    pub fn square(self) -> Square {
        Square {
            centre: Point::from(self.p.get()),
            half: self.half.get(),
        }
    }

    /// Chooses a map and returns to where it begins.
    pub fn choose(self, kind: MapKind) {
        self.kind.set(kind);
        self.reset();
    }

    /// Back to the beginning.
    pub fn reset(self) {
        self.p.set(self.kind.get_untracked().home());
        self.half.set(HOME_HALF);
    }

    /// Tells the figure that a drag begins or ends.
    pub fn on_drag(self) -> Callback<bool> {
        Callback::new(move |dragging| self.dragging.set(dragging))
    }

    /// Label of an input nudge: `e₁`, or the word along which it points.
    pub fn nudge_name(self, index: usize) -> Signal<String> {
        Signal::derive(move || match self.kind.get() {
            MapKind::Model => self.setting.with(|s| s.words[index].clone()),
            _ => ["e₁", "e₂"][index].to_owned(),
        })
    }

    /// What the output plane shows, for those who do not see it.
    pub fn output_label(self) -> String {
        let gap = self.scene.with(|s| s.as_ref().map(|s| small(s.gap)));
        match gap {
            Some(gap) => format!(
                "Output plane: the grid under F, the true image of the square and the parallelogram that J(p) predicts; they differ by at most {gap}"
            ),
            None => "Output plane: waiting for the model".to_owned(),
        }
    }

    /// What bends the row of dots: rounding, and the model's creases.
    pub fn floor_note(self) -> String {
        if self.kind.get() != MapKind::Model {
            return "Each dot has half the size of its neighbour. The grey line has slope 2: half the size, a quarter of the gap.".to_owned();
        }
        let creases = "Every dot is the model run with a nudged residual; the grey line has slope 2. Where a rectifier's crease crosses the square the dots fall more slowly, until the square is too small to reach it.";
        let floor = self
            .scene
            .with(|s| s.as_ref().and_then(|s| s.ladder.as_ref()?.floor()));
        match floor {
            Some(floor) => format!(
                "{creases} At about {} they stop: there the rounding of single-precision numbers is larger than the curvature. The slope is measured below a tenth and well above that floor.",
                small(floor)
            ),
            None => creases.to_owned(),
        }
    }
}
