//! Maps that show whole columns: which ones stand in sight, and how the others are reached.
//!
//! How many fit is decided by `columns.css`, which widens them to fill the frame; here it is only read from the page.

use crate::controls::Button;
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{DomRect, Element};

/// The frame of a layer x position map, which is its child. Says which tokens show and has buttons for the others.
#[component]
pub fn WholeColumns(
    /// The words over the columns.
    #[prop(into)]
    heads: Signal<Vec<String>>,
    /// Column of the chosen cell: always in sight.
    #[prop(into)]
    at: Signal<usize>,
    /// Column that shows with it where there is room for both.
    #[prop(into)]
    goal: Signal<usize>,
    /// The first column in sight; maps that move together share it.
    first: RwSignal<usize>,
    /// Changes when the map has been out of the page.
    #[prop(into, optional)]
    again: Signal<bool>,
    /// The map.
    children: Children,
) -> impl IntoView {
    let root = NodeRef::<Div>::new();
    let fits = RwSignal::new(0usize);
    let all = Memo::new(move |_| heads.with(Vec::len));
    let look = move || {
        let sight = Sight::of(root.try_get_untracked().flatten()?)?;
        if fits.try_get_untracked()? != sight.fits {
            fits.try_set(sight.fits);
        }
        Some(sight)
    };
    // The cells may only exist after this turn.
    Effect::new(move |before: Option<(Vec<String>, usize)>| {
        let now = (heads.get(), goal.get());
        let (fresh, at) = (before.as_ref() != Some(&now), at.get());
        let (count, goal) = (now.0.len(), now.1);
        request_animation_frame(move || {
            let (Some(sight), Some(shown)) = (look(), first.try_get_untracked()) else {
                return;
            };
            let shown = if fresh { None } else { Some(shown) };
            let wished = start(at, goal, sight.fits, count, shown);
            sight.go_to(wished);
            set(first, wished);
        });
        now
    });
    Effect::new(move |_| {
        first.track();
        again.track();
        request_animation_frame(move || {
            if let (Some(sight), Some(wished)) = (look(), first.try_get_untracked()) {
                sight.go_to(wished);
            }
        });
    });
    let scrolled = move |_| {
        if let Some(sight) = look() {
            set(first, sight.first);
        }
    };
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if let (Some(sight), Some(wished)) = (look(), first.try_get_untracked()) {
            sight.go_to(wished);
        }
    });
    on_cleanup(move || resized.remove());
    let hidden = Memo::new(move |_| {
        let (first, end) = (first.get(), first.get() + fits.get());
        [first, all.get().saturating_sub(end)]
    });
    let some = move |side: usize| (hidden.get()[side] > 0 && fits.get() > 0).then_some("true");
    view! {
        <div
            class="columns"
            node_ref=root
            style=("--tokens", move || all.get().max(1).to_string())
            on:scroll:capture=scrolled
        >
            <div class="columns-frame" data-before=move || some(0) data-after=move || some(1)>{children()}</div>
            <Others first=first fits=fits all=all hidden=hidden />
        </div>
    }
}

/// Which columns show, and buttons for those before and after them; nothing while all show.
#[component]
fn Others(
    first: RwSignal<usize>,
    fits: RwSignal<usize>,
    all: Memo<usize>,
    hidden: Memo<[usize; 2]>,
) -> impl IntoView {
    let some_hidden = Memo::new(move |_| fits.get() > 0 && fits.get() < all.get());
    let earlier = move |()| {
        set(
            first,
            first.get_untracked().saturating_sub(fits.get_untracked()),
        )
    };
    let later = move |()| {
        let last = all.get_untracked().saturating_sub(fits.get_untracked());
        set(
            first,
            (first.get_untracked() + fits.get_untracked()).min(last),
        );
    };
    let label = move |side: usize| {
        Signal::derive(move || match (side, hidden.get()) {
            (0, [before, _]) => format!("‹ {before} earlier"),
            (_, [_, after]) => format!("{after} later ›"),
        })
    };
    let none = move |side: usize| Signal::derive(move || hidden.get()[side] == 0);
    let place = move || {
        let (first, all) = (first.get(), all.get());
        let end = (first + fits.get()).min(all);
        format!("tokens {}–{end} of {all}", first + 1)
    };
    view! {
        <Show when=move || some_hidden.get()>
            <div class="columns-others" role="group" aria-label="Tokens out of sight">
                <Button label=label(0) on_press=earlier kind="btn-quiet btn-small" disabled=none(0) />
                <span>{place}</span>
                <Button label=label(1) on_press=later kind="btn-quiet btn-small" disabled=none(1) />
            </div>
        </Show>
    }
}

/// Sets what has changed, and says nothing otherwise.
fn set(signal: RwSignal<usize>, value: usize) {
    if signal.try_get_untracked().is_some_and(|now| now != value) {
        signal.try_set(value);
    }
}

/// What stands in sight of a map's columns.
struct Sight {
    frame: Element,
    /// Distance from one column to the next, in CSS pixels.
    pitch: f64,
    /// Columns that fit.
    fits: usize,
    /// The first of them.
    first: usize,
}

impl Sight {
    /// Nothing while the map is out of the page or has no columns.
    fn of(root: impl AsRef<Element>) -> Option<Self> {
        let frame = root.as_ref().query_selector(".map-scroll").ok()??;
        let rect = |nth: &str| -> Option<DomRect> {
            let head = frame.query_selector(&format!("thead th{nth}")).ok()??;
            Some(head.get_bounding_client_rect())
        };
        let (corner, column) = (rect(".map-corner")?, rect(":nth-child(2)")?);
        let pitch =
            rect(":nth-child(3)").map_or(column.width(), |next| next.left() - column.left());
        if pitch < 1.0 {
            return None;
        }
        let room = f64::from(frame.client_width()) - corner.width();
        Some(Self {
            pitch,
            fits: ((room / pitch).round() as usize).max(1),
            first: (f64::from(frame.scroll_left()) / pitch).round() as usize,
            frame,
        })
    }

    /// Brings a column to the left edge, if it is not there.
    fn go_to(&self, column: usize) {
        if column != self.first {
            let left = (column as f64 * self.pitch).round();
            self.frame.set_scroll_left(left as i32);
        }
    }
}

/// The first column to show of `count`, when `fits` of them fit: with both `at` and `goal` in sight where that is possible,
/// else with `at` in the middle. `shown` is the first one now; it stays while `at` is in sight.
fn start(at: usize, goal: usize, fits: usize, count: usize, shown: Option<usize>) -> usize {
    let last = count.saturating_sub(fits);
    if let Some(first) = shown.filter(|first| (*first..first + fits).contains(&at)) {
        return first.min(last);
    }
    let (low, high) = (at.min(goal), at.max(goal));
    let first = if high - low < fits {
        (high + 1).saturating_sub(fits)
    } else {
        at.saturating_sub(fits / 2)
    };
    first.min(last)
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn the_chosen_column_shows_and_its_goal_where_it_can() {
        // 20 tokens, the answer at the last
        assert_eq!(start(17, 19, 7, 20, None), 13);
        assert_eq!(start(17, 19, 4, 20, None), 16);
        assert_eq!(start(3, 19, 7, 20, None), 0);
        assert_eq!(start(10, 19, 5, 20, None), 8);
        // the goal may come first
        assert_eq!(start(12, 9, 5, 17, None), 8);
        // all fit
        assert_eq!(start(3, 5, 9, 6, None), 0);
        assert_eq!(start(0, 0, 1, 0, None), 0);
    }

    #[test]
    fn nothing_moves_while_the_chosen_column_is_in_sight() {
        assert_eq!(start(14, 19, 7, 20, Some(10)), 10);
        assert_eq!(start(17, 19, 7, 20, Some(10)), 13);
        assert_eq!(start(9, 19, 7, 20, Some(10)), 6);
    }
}
