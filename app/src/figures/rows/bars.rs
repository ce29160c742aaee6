//! A vector as bars, up and down from a middle line.

use crate::figures::numbers::signed;
use leptos::prelude::*;
use std::fmt::Write;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

/// Height in user units; a bar is 10 wide.
const HEIGHT: f64 = 120.0;
/// Share of the height that the longest bar fills.
const FILLED: f64 = 0.94;

/// The bars of a vector over their numbers, the longest nearly at full height. A press on one reports its number, and so does
/// every bar that a pressed pointer passes.
#[component]
pub fn Bars(
    /// What they show.
    #[prop(into)]
    label: Signal<String>,
    /// The numbers.
    #[prop(into)]
    numbers: Signal<Vec<f32>>,
    /// Idea whose colour they take.
    idea: &'static str,
    /// A bar to mark.
    #[prop(into, optional)]
    mark: Signal<Option<usize>>,
    /// Called with the bar that was pressed.
    #[prop(optional)]
    on_press: Option<Callback<usize>>,
) -> impl IntoView {
    let count = Memo::new(move |_| numbers.with(Vec::len).max(1));
    let press = move |event: PointerEvent| {
        let (Some(on_press), Some(bar)) = (on_press, pressed(&event, count.get_untracked())) else {
            return;
        };
        if event.buttons() & 1 == 1 && mark.get_untracked() != Some(bar) {
            on_press.run(bar);
        }
    };
    let scale = move || {
        let greatest = numbers.with(|n| greatest(n));
        [greatest, 0.0, -greatest].map(|x| view! { <span>{signed(x)}</span> })
    };
    let place =
        move |bar: usize| format!("{:.2}%", (bar as f64 + 0.5) * 100.0 / count.get() as f64);
    let ticks = move || {
        let last = count.get() - 1;
        let tick = |bar: usize| view! { <span style:left=place(bar)>{bar}</span> };
        [0, 1, 2, 3, 4].map(|i| tick((i * (last + 1) / 4).min(last)))
    };
    let tag = move || {
        let bar = mark.get()?;
        Some(view! { <span class="bars-tag" style:left=place(bar)>{bar}</span> })
    };
    let marked = move || {
        let x = 10 * mark.get()?;
        Some(
            view! { <rect class="bars-mark" x=x.to_string() width="10" height=HEIGHT.to_string()></rect> },
        )
    };
    view! {
        <div class="bars-frame">
            <div class="bars-scale" aria-hidden="true">{scale}</div>
            <svg
                class="plot bars"
                viewBox=move || format!("0 0 {} {HEIGHT}", 10 * count.get())
                preserveAspectRatio="none"
                role="img"
                aria-label=label
                data-press=on_press.map(|_| "true")
                on:pointerdown=press
                on:pointermove=press
            >
                {marked}
                <path class="bars-zero" d=move || format!("M0 {0}H{1}", HEIGHT / 2.0, 10 * count.get())></path>
                <path class="bars-fill" data-idea=idea d=move || numbers.with(|n| shape(n))></path>
            </svg>
            <div class="bars-ticks" aria-hidden="true">{ticks} {tag}</div>
        </div>
    }
}

/// Which of `count` bars lies under the pointer.
fn pressed(event: &PointerEvent, count: usize) -> Option<usize> {
    let target: Element = event.current_target()?.dyn_into().ok()?;
    let frame = target.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - frame.left()) / frame.width();
    let bar = (share * count as f64).floor();
    (bar >= 0.0).then_some((bar as usize).min(count - 1))
}

/// The greatest absolute value.
fn greatest(numbers: &[f32]) -> f64 {
    f64::from(numbers.iter().map(|x| x.abs()).fold(0.0, f32::max))
}

/// One rectangle per number.
fn shape(numbers: &[f32]) -> String {
    let scale = FILLED * HEIGHT / 2.0 / greatest(numbers).max(f64::from(f32::MIN_POSITIVE));
    let mut path = String::new();
    for (i, &x) in numbers.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let (left, height) = (10 * i + 1, -f64::from(x) * scale);
        let _ = write!(path, "M{left} {}h8v{height:.1}h-8Z", HEIGHT / 2.0); // writing to a string cannot fail
    }
    path
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn bars_point_up_and_down() {
        assert_eq!(
            shape(&[1.0, 0.0, -0.5]),
            "M1 60h8v-56.4h-8ZM21 60h8v28.2h-8Z"
        );
        assert_eq!(shape(&[0.0, 0.0]), "");
    }
}
