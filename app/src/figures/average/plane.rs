//! The arrows of all added sentences, their mean, and what the shipped lens says.

use super::signals::{Pointed, Shown};
use super::state::{Chosen, Effects, MOST};
use crate::figures::bench::Bench;
use crate::figures::history::PRESS;
use leptos::prelude::*;

/// Width of the drawing in user units; its height follows from the arrows.
const SIDE: f64 = 420.0;
/// Least height.
const LOWEST: f64 = 200.0;
/// So many arrows can carry their numbers at once; of more, only the one that is pointed at does.
const FEW: usize = 8;
/// Where a number may stand, from the tip of its arrow: along it and across it, best first.
const PLACES: [[f64; 2]; 10] = [
    [11.0, 0.0],
    [6.0, -13.0],
    [6.0, 13.0],
    [-8.0, -15.0],
    [-8.0, 15.0],
    [24.0, 0.0],
    [24.0, 9.0],
    [24.0, -9.0],
    [36.0, 0.0],
    [-14.0, -24.0],
];
/// Least distance of a number from other numbers and from strong marks.
const CLEAR: f64 = 14.0;
/// Room around the arrows, numbers at their tips included.
const EDGE: f64 = 30.0;

/// From the plane of the effects to user units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sheet {
    left: f64,
    up: f64,
    scale: f64,
    height: f64,
}

impl Sheet {
    /// Room for all effects, whether added or not, so that nothing moves when one is added.
    fn new(effects: &Effects) -> Self {
        let all = effects.answer.plane.iter().chain([&effects.answer.lens]);
        let (mut x, mut y) = ([0.0f64, 0.0], [0.0f64, 0.0]);
        for place in all {
            let [a, b] = place.map(f64::from);
            x = [x[0].min(a), x[1].max(a)];
            y = [y[0].min(b), y[1].max(b)];
        }
        let span = (x[1] - x[0]).max(y[1] - y[0]).max(1e-9);
        let scale = (SIDE - 2.0 * EDGE) / span;
        let needed = (y[1] - y[0]) * scale + 2.0 * EDGE;
        let height = needed.clamp(LOWEST, SIDE);
        Self {
            left: EDGE - x[0] * scale,
            up: EDGE + y[1] * scale + (height - needed) / 2.0,
            scale,
            height,
        }
    }

    fn place(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.left + x * self.scale, self.up - y * self.scale]
    }
}

/// Where everything stands, in user units.
struct Marks {
    origin: [f64; 2],
    /// Of the sentences that have been added.
    tips: Vec<[f64; 2]>,
    /// The mean of those that are in; none while none is.
    mean: Option<[f64; 2]>,
    /// What the shipped lens says.
    lens: [f64; 2],
    /// The number of each sentence.
    numbers: Vec<[f64; 2]>,
}

impl Marks {
    fn new(effects: &Effects, now: &Chosen, sheet: Sheet) -> Self {
        let place = |at: &[f32; 2]| sheet.place(at.map(f64::from));
        let origin = sheet.place([0.0, 0.0]);
        let added = effects.answer.plane.iter().take(now.count);
        let tips: Vec<[f64; 2]> = added.map(place).collect();
        let inside: Vec<usize> = (0..now.count).filter(|&i| now.is_in(i)).collect();
        let mean = effects.mean(&inside).map(|mean| sheet.place(mean));
        let lens = place(&effects.answer.lens);
        // the strong arrow's head is as long as two numbers are wide
        let neck = mean.map(|[x, y]| {
            let (dx, dy) = (x - origin[0], y - origin[1]);
            let back = 12.0 / dx.hypot(dy).max(12.0);
            [x - back * dx, y - back * dy]
        });
        let strong = mean.into_iter().chain(neck).chain([lens]).collect();
        Self {
            numbers: numbered(origin, &tips, strong),
            origin,
            tips,
            mean,
            lens,
        }
    }
}

/// A shaft and a head, as one path each.
fn arrow(from: [f64; 2], to: [f64; 2], size: f64) -> (String, String) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let back = [to[0] - size * ux, to[1] - size * uy];
    let half = size * 0.45;
    let shaft = format!(
        "M{:.1} {:.1}L{:.1} {:.1}",
        from[0], from[1], back[0], back[1]
    );
    let head = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        to[0],
        to[1],
        back[0] - half * uy,
        back[1] + half * ux,
        back[0] + half * uy,
        back[1] - half * ux
    );
    (shaft, head)
}

/// The drawing. A press on an arrow's tip takes its sentence out of the mean, or back in; the list beside it does the same by key.
#[component]
pub fn Plane(
    bench: Bench<Chosen>,
    shown: Shown,
    /// The sentence under the pointer or the keyboard, here or in the list.
    pointed: Pointed,
) -> impl IntoView {
    let chosen = bench.get(Chosen::clone);
    let content = move || {
        let effects = shown.get()?;
        let now = chosen.get();
        let sheet = Sheet::new(&effects);
        let Marks {
            origin,
            tips,
            mean,
            lens,
            numbers,
        } = Marks::new(&effects, &now, sheet);
        let one = |i: usize| {
            let tip = tips[i];
            let (shaft, head) = arrow(origin, tip, 8.0);
            let out = (!now.is_in(i)).then_some("true");
            view! {
                <g
                    class="average-arrow"
                    data-sentence=i.to_string()
                    data-out=out
                    data-chosen=move || (pointed.get() == Some(i)).to_string()
                    on:click=move |_| bench.change(PRESS, |s| s.toggle(i))
                    on:pointerenter=move |_| pointed.set(Some(i))
                    on:pointerleave=move |_| pointed.set(None)
                >
                    <path class="plot-line" data-idea="activation" data-style="solid" d=shaft></path>
                    <path class="plot-arrow-head" data-idea="activation" d=head></path>
                    <circle class="average-tip" cx=format!("{:.1}", tip[0]) cy=format!("{:.1}", tip[1]) r="18"></circle>
                </g>
            }
        };
        let number = |i: usize| {
            let [x, y] = numbers[i];
            let chosen = move || (pointed.get() == Some(i)).to_string();
            view! {
                <text class="plot-label average-number" data-chosen=chosen x=format!("{x:.1}") y=format!("{y:.1}") text-anchor="middle" dominant-baseline="middle">{i + 1}</text>
            }
        };
        // Above everything, or the mean and the square would hide some.
        let numbers = (0..tips.len()).map(number).collect_view();
        let arrows = (0..tips.len()).map(one).collect_view();
        let strong = |to: [f64; 2], idea: &'static str| {
            let (shaft, head) = arrow(origin, to, 14.0);
            view! {
                <path class="plot-arrow" data-idea=idea d=shaft></path>
                <path class="plot-arrow-head" data-idea=idea d=head></path>
            }
        };
        let mean = mean.map(|mean| strong(mean, "output"));
        let [x, y] = lens.map(|v| format!("{:.1}", v - 7.0));
        Some(view! {
            <path class="plot-line" data-style="ghost" d=format!("M0 {0}H{SIDE}M{1:.1} 0V{2:.1}", origin[1], origin[0], sheet.height)></path>
            {arrows}
            <g class="average-top">{mean}</g>
            <rect class="average-halo average-top" x=x.clone() y=y.clone() width="14" height="14"></rect>
            <rect class="average-lens average-top" x=x y=y width="14" height="14"></rect>
            <g class="average-numbers average-top" data-many=(now.count > FEW).to_string()>{numbers}</g>
        })
    };
    let view_box = move || {
        let height = shown.with(|s| s.as_ref().map_or(SIDE, |e| Sheet::new(e).height));
        format!("0 0 {SIDE} {height:.0}")
    };
    view! {
        <div>
            <h4 class="panel-title">"Effects on the last state"</h4>
            <svg
                class="plot average-plane"
                viewBox=view_box
                role="img"
                aria-label="One arrow per sentence, and their mean; the numbers are in the data table"
            >
                {content}
            </svg>
            <Legend />
            <p class="panel-note">
                {format!("To the right: along the mean of all {MOST} effects.")}
                " Upwards: the direction at right angles to it in which the effects differ most. An arrow has the number of its sentence below."
            </p>
        </div>
    }
}

/// Where the numbers of arrows stand: beyond their tips, or to one side where something stands there already: another number,
/// or one of `taken`. While arrows are few; of many, only one has its number in sight.
fn numbered(from: [f64; 2], tips: &[[f64; 2]], mut taken: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    for tip in tips {
        let (dx, dy) = (tip[0] - from[0], tip[1] - from[1]);
        let length = dx.hypot(dy).max(1e-9);
        let at = |[along, across]: [f64; 2]| {
            let [along, across] = [along / length, across / length];
            [
                tip[0] + along * dx - across * dy,
                tip[1] + along * dy + across * dx,
            ]
        };
        let free = |place: &[f64; 2]| {
            let far = |other: &[f64; 2]| (other[0] - place[0]).hypot(other[1] - place[1]) >= CLEAR;
            taken.iter().all(far)
        };
        let wished = PLACES.map(at);
        let place = wished.into_iter().find(free).filter(|_| tips.len() <= FEW);
        let place = place.unwrap_or(wished[0]);
        taken.push(place);
        places.push(place);
    }
    places
}

/// The marks of the drawing, drawn as there.
#[component]
fn Legend() -> impl IntoView {
    let thin = arrow([1.0, 7.0], [33.0, 7.0], 8.0);
    let thick = arrow([1.0, 7.0], [33.0, 7.0], 14.0);
    view! {
        <ul class="plane-legend average-legend" aria-label="Legend">
            <li>
                <svg class="average-thin" viewBox="0 0 34 14" aria-hidden="true">
                    <path class="plot-line" data-idea="activation" data-style="solid" d=thin.0></path>
                    <path class="plot-arrow-head" data-idea="activation" d=thin.1></path>
                </svg>
                "one sentence"
            </li>
            <li>
                <svg viewBox="0 0 34 14" aria-hidden="true">
                    <path class="plot-arrow" data-idea="output" d=thick.0></path>
                    <path class="plot-arrow-head" data-idea="output" d=thick.1></path>
                </svg>
                "mean of those that are in"
            </li>
            <li>
                <svg viewBox="0 0 34 14" aria-hidden="true"><rect class="average-lens" x="11" y="1.5" width="11" height="11"></rect></svg>
                "the shipped lens"
            </li>
        </ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_end_at_their_tips() {
        let (shaft, head) = arrow([0.0, 0.0], [10.0, 0.0], 4.0);
        assert_eq!(shaft, "M0.0 0.0L6.0 0.0");
        assert!(head.starts_with("M10.0 0.0L6.0 1.8"), "{head}");
    }

    #[test]
    fn numbers_keep_off_each_other_and_off_the_strong_marks() {
        let tips = [[100.0, 0.0], [101.0, 1.0], [60.0, 0.0]];
        let square = [112.0, 0.0];
        let places = numbered([0.0, 0.0], &tips, vec![square]);
        let all: Vec<[f64; 2]> = places.iter().copied().chain([square]).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) >= CLEAR, "{all:?}");
            }
        }
        assert_eq!(places[2], [71.0, 0.0], "nothing is in its way");
    }

    #[test]
    fn an_arrow_of_no_length_and_many_arrows_have_places_too() {
        assert_eq!(
            numbered([5.0, 5.0], &[[5.0, 5.0]], Vec::new()),
            [[5.0, 5.0]]
        );
        assert_eq!(
            numbered([0.0, 0.0], &[[1.0, 0.0]; 24], Vec::new()).len(),
            24
        );
    }
}
