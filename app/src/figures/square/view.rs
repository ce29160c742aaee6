//! The figure: its signals, what follows from them, and where its parts stand.

use super::maps::{Lines, MapKind, image_lines, lines_window};
use super::model;
use super::notes::{GapTable, Legend};
use super::panels::{GapPanel, MatrixPanel, MicroscopePanel};
use super::planes::{InputPlane, OutputPlane};
use super::presets::{PRESETS, Setting};
use super::settings::{ModelSettings, Settings};
use super::state::{HOME_HALF, PER_EDGE, Scene, from_address, to_address};
use super::wire;
use crate::client::Client;
use crate::controls::Frame;
use crate::figures::address;
use crate::figures::numbers::small;
use crate::figures::place::{follow_address, keep_in_address, mark_ready};
use crate::figures::plane::Spoken;
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
    fn new(client: Client) -> Self {
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
    fn slice_link(self) -> String {
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

/// Figure 4.
#[component]
pub fn SquareFigure(client: Client) -> impl IntoView {
    let figure = Figure::new(client);
    wire::connect(figure);
    mark_ready("square");
    let said = Signal::derive(move || {
        let scene = figure.scene.get();
        scene.map_or_else(String::new, |scene| scene.summary())
    });
    keep_address(figure);
    let input_title = move || match figure.kind.get() {
        MapKind::Model => figure.setting.with(|s| {
            format!(
                "In: the residual at layer {}, moved along two words",
                s.layer
            )
        }),
        _ => "In: nudges around p".to_owned(),
    };
    let output_title = move || match figure.kind.get() {
        MapKind::Model => "Out: what the last layer makes of it",
        _ => "Out: what F makes of them",
    };
    view! {
        <div class="square stack">
            <Settings figure />
            <ModelSettings figure />
            <p class="square-about">{move || figure.kind.get().describe()}</p>
            <div class="figure-cols square-planes">
                <div>
                    <h4 class="panel-title">{input_title}</h4>
                    <InputPlane figure />
                </div>
                <div>
                    <h4 class="panel-title">{output_title}</h4>
                    <OutputPlane figure />
                </div>
            </div>
            <Legend figure />
            <div class="figure-cols-3 square-panels">
                <MatrixPanel figure />
                <MicroscopePanel figure />
                <GapPanel figure />
            </div>
            <Spoken text=said />
            <GapTable figure />
        </div>
    }
}

/// Keeps map, point and size in the page's address, unless they are as at first; with the model's map also its slice.
fn keep_address(figure: Figure) {
    keep_in_address("square", move || {
        let now = (figure.kind.get(), figure.p.get(), figure.half.get());
        let slice = figure.slice_link();
        let text = || to_address(now.0, now.1, now.2) + &slice;
        (now != first()).then(text)
    });
    follow_address("square", from_link, move |linked| {
        let ((kind, p, half), setting) = linked.unwrap_or_else(first_of_all);
        figure.kind.try_set(kind);
        figure.p.try_set(p);
        figure.half.try_set(half);
        figure.setting.try_set(setting);
    });
}

/// How the figure starts.
fn first() -> (MapKind, [f64; 2], f64) {
    (MapKind::Polar, MapKind::Polar.home(), HOME_HALF)
}

type Linked = ((MapKind, [f64; 2], f64), Setting);

fn first_of_all() -> Linked {
    (first(), PRESETS[0].setting())
}

/// Reads a link. The first slice is not written into links, so a link without one means that.
fn from_link(text: &str) -> Option<Linked> {
    let (square, slice) = text
        .split_once(';')
        .map_or((text, None), |(a, b)| (a, Some(b)));
    let setting = slice.and_then(Setting::from_link);
    let setting = setting.unwrap_or_else(|| PRESETS[0].setting());
    Some((from_address(square)?, setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_with_and_without_a_slice() {
        let setting = PRESETS[1].setting();
        let base = to_address(MapKind::Model, [0.25, -0.5], 0.125);
        let with = from_link(&format!("{base};{}", setting.to_link()));
        let square = (MapKind::Model, [0.25, -0.5], 0.125);
        assert_eq!(with, Some((square, setting)));
        // A link without a slice means the first one, not the one chosen before.
        let first = Some((square, PRESETS[0].setting()));
        assert_eq!(from_link(&base), first);
        assert_eq!(from_link(&format!("{base};x;y")), first);
        assert_eq!(from_link(";;;"), None);
    }
}
