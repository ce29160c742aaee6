//! A point in a drawing that is dragged by mouse, touch or keyboard.
use super::frame::{Affine, Frame, KeyMove, key_move};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, KeyboardEvent, PointerEvent, ScrollBehavior, ScrollIntoViewOptions,
    ScrollLogicalPosition, SvgGraphicsElement,
};

/// A draggable handle, to be placed inside an `<svg class="plot">`.
///
/// Pointers are captured, so that a drag goes on outside the drawing; a press does not make the handle jump to the pointer. Arrow
/// keys move by `step`, with Shift by a tenth of it, Home returns to `home`. Only the handle itself takes touches away from
/// scrolling. Points are reported inside the frame; give [`super::NumberField`]s beside it for typed values.
#[component]
pub fn Handle(
    /// What it moves, for screen readers: "point p".
    #[prop(into)]
    label: Signal<String>,
    /// Where it stands, in figure coordinates.
    #[prop(into)]
    at: Signal<[f64; 2]>,
    /// Called with the wished place while the reader drags or presses keys.
    #[prop(into)]
    on_move: Callback<[f64; 2]>,
    /// The window that the drawing shows.
    #[prop(into)]
    frame: Signal<Frame>,
    /// Where Home returns to.
    #[prop(into)]
    home: Signal<[f64; 2]>,
    /// Step of the arrow keys in figure coordinates.
    #[prop(default = 0.05)]
    step: f64,
    /// How the place is said; `x 0.30, y 0.52` if not given.
    #[prop(optional)]
    say: Option<Callback<[f64; 2], String>>,
    /// Idea whose colour it takes (`data-idea`).
    #[prop(default = "activation")]
    idea: &'static str,
    /// Radius of the touchable disc in user units; choose it so that it is at least 22 CSS px on the narrowest screen.
    #[prop(default = 34.0)]
    hit_radius: f64,
    /// Called with `true` when a drag begins and `false` when it ends.
    #[prop(optional)]
    on_drag: Option<Callback<bool>>,
) -> impl IntoView {
    // Where the pointer took hold, relative to the handle's place, in user units.
    let grip = StoredValue::new(None::<[f64; 2]>);
    let centre = move || frame.get().to_svg(at.get());
    let down = move |event: PointerEvent| {
        let Some(pointer) = user_point(&event).filter(|_| event.button() == 0) else {
            return;
        };
        let [x, y] = frame.get_untracked().to_svg(at.get_untracked());
        grip.set_value(Some([pointer[0] - x, pointer[1] - y]));
        capture(&event);
        event.prevent_default();
        if let Some(on_drag) = on_drag {
            on_drag.run(true);
        }
    };
    let drag = move |event: PointerEvent| {
        if let (Some([dx, dy]), Some([x, y])) = (grip.get_value(), user_point(&event)) {
            let frame = frame.get_untracked();
            on_move.run(frame.clamp(frame.from_svg([x - dx, y - dy])));
        }
    };
    let release = move |_: PointerEvent| {
        let held = grip.try_update_value(Option::take).flatten().is_some();
        if let Some(on_drag) = on_drag.filter(|_| held) {
            on_drag.run(false);
        }
    };
    let key = move |event: KeyboardEvent| {
        let Some(wish) = key_move(&event.key(), event.shift_key()) else {
            return;
        };
        event.prevent_default();
        let [x, y] = at.get_untracked();
        let place = match wish {
            KeyMove::By([right, up]) => [x + right * step, y + up * step],
            KeyMove::Home => home.get_untracked(),
        };
        on_move.run(frame.get_untracked().clamp(place));
        keep_in_sight(&event);
    };
    let said = move || {
        let [x, y] = at.get();
        say.map_or_else(|| format!("x {x:.2}, y {y:.2}"), |say| say.run([x, y]))
    };
    view! {
        <g
            class="handle"
            data-idea=idea
            tabindex="0"
            role="slider"
            aria-label=label
            aria-roledescription="two-dimensional handle"
            aria-valuemin=move || frame.get().x[0].to_string()
            aria-valuemax=move || frame.get().x[1].to_string()
            aria-valuenow=move || format!("{:.3}", at.get()[0])
            aria-valuetext=said
            transform=move || { let [x, y] = centre(); format!("translate({x:.2} {y:.2})") }
            on:pointerdown=down
            // Inside an SVG, Chromium ignores `touch-action`: without this a finger scrolls the page instead.
            on:touchstart=|event| event.prevent_default()
            on:pointermove=drag
            on:pointerup=release
            on:pointercancel=release
            on:lostpointercapture=release
            on:keydown=key
        >
            <circle class="handle-hit" r=hit_radius.to_string()></circle>
            <circle class="handle-ring" r="12"></circle>
            <circle class="handle-dot" r="7"></circle>
        </g>
    }
}

/// The page follows a handle that keys move out of the window, once it is drawn in its new place: that is in the next frame, and
/// frames are asked for before they are drawn. At once, since a key that is held down moves it on before a glide has ended.
fn keep_in_sight(event: &KeyboardEvent) {
    let Some(handle) = event
        .current_target()
        .and_then(|handle| handle.dyn_into::<Element>().ok())
    else {
        return;
    };
    let follow = move || {
        let how = ScrollIntoViewOptions::new();
        how.set_block(ScrollLogicalPosition::Nearest);
        how.set_behavior(ScrollBehavior::Instant);
        how.set_inline(ScrollLogicalPosition::Nearest);
        handle.scroll_into_view_with_scroll_into_view_options(&how);
    };
    request_animation_frame(move || request_animation_frame(follow));
}

fn target(event: &PointerEvent) -> Option<SvgGraphicsElement> {
    event.current_target()?.dyn_into().ok()
}

/// Keeps the pointer's events coming to the handle, and gives it the keyboard.
fn capture(event: &PointerEvent) {
    if let Some(handle) = target(event) {
        // A pointer that is already gone cannot be captured; the drag then simply ends at the handle's edge.
        let _ = handle.set_pointer_capture(event.pointer_id());
        let _ = handle.focus();
    }
}

/// Where the pointer is, in user units of the drawing.
fn user_point(event: &PointerEvent) -> Option<[f64; 2]> {
    let drawing: SvgGraphicsElement = target(event)?.owner_svg_element()?.unchecked_into();
    let m = drawing.get_screen_ctm()?;
    let entries = [m.a(), m.b(), m.c(), m.d(), m.e(), m.f()].map(f64::from);
    Affine { entries }.invert([f64::from(event.client_x()), f64::from(event.client_y())])
}
