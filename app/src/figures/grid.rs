//! Layer x position grids: their cells, the keys that walk them, and how the chosen cell comes into sight.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// What a cell of a [`LayerGrid`] shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridCell {
    /// The first line.
    pub text: String,
    /// The second line.
    pub note: String,
    /// Tint, 0 (nothing) to 8 (strongest), and 9 for what is off the scale.
    pub heat: u8,
    /// What a screen reader says; begins with what is seen.
    pub label: String,
    /// Framed.
    pub hit: bool,
}

/// A table of cells, deepest layer on top, walked by arrow keys.
#[component]
pub fn LayerGrid(
    /// What it shows.
    label: &'static str,
    /// The words over the columns.
    #[prop(into)]
    heads: Signal<Vec<String>>,
    /// Rows, the embedding counted.
    #[prop(into)]
    layers: Signal<usize>,
    /// The cells; runs again when what it reads changes.
    cell: Callback<At, GridCell>,
    /// The chosen cell.
    #[prop(into)]
    at: Signal<At>,
    /// Called with the wished cell.
    #[prop(into)]
    on_look: Callback<At>,
    /// Layers below this one are covered.
    #[prop(into, optional)]
    uncovered: Signal<usize>,
) -> impl IntoView {
    let frame = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        at.track();
        heads.track();
        // The cell may only exist after this turn.
        request_animation_frame(move || {
            bring_into_sight(frame.get_untracked());
        });
    });
    let key = move |event: KeyboardEvent| {
        let (key, ctrl) = (event.key(), event.ctrl_key());
        let size = (layers.get_untracked(), heads.with_untracked(Vec::len));
        if let Some(next) = step(at.get_untracked(), &key, ctrl, size.0, size.1) {
            event.prevent_default();
            on_look.run(next);
            focus_cell(&event, next);
        }
    };
    let button = move |here: At| {
        let GridCell {
            text,
            note,
            heat,
            label,
            hit,
        } = cell.run(here);
        view! {
            <td>
                <button
                    type="button"
                    class="cell"
                    data-heat=heat.to_string()
                    data-hit=hit.then_some("true")
                    data-layer=here.layer.to_string()
                    data-position=here.position.to_string()
                    aria-pressed=move || (at.get() == here).to_string()
                    aria-label=label
                    tabindex=move || if at.get() == here { "0" } else { "-1" }
                    on:click=move |_| on_look.run(here)
                >
                    <span class="cell-word">{text}</span>
                    " "
                    <span class="cell-rank">{note}</span>
                </button>
            </td>
        }
    };
    let row = move |layer: usize| {
        let note = match layer {
            0 => Some("embedding"),
            l if l + 1 == layers.get_untracked() => Some("model output"),
            _ => None,
        };
        let cells =
            (0..heads.with_untracked(Vec::len)).map(|position| button(At { layer, position }));
        view! {
            <tr data-layer=layer.to_string() data-covered=move || (layer < uncovered.get()).then_some("true")>
                <th scope="row">{layer} {note.map(|note| view! { <span class="grid-note">{note}</span> })}</th>
                {cells.collect_view()}
            </tr>
        }
    };
    let body = move || {
        heads.track();
        (0..layers.get()).rev().map(row).collect_view()
    };
    let head = move || {
        let cell = |word: String| view! { <th scope="col">{word}</th> };
        heads.get().into_iter().map(cell).collect_view()
    };
    view! {
        <div class="map-scroll" node_ref=frame role="region" aria-label=format!("{label}, layers by positions")>
            <table class="lens-map" role="grid" aria-label=label on:keydown=key>
                <thead><tr><th scope="col" class="map-corner">"layer"</th>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
}

/// A cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Residual state, 0 = embedding.
    pub layer: usize,
    /// Token position, 0 = `<s>`.
    pub position: usize,
}

impl At {
    /// The nearest cell of a grid of `layers` x `tokens`.
    #[must_use]
    pub fn inside(self, layers: usize, tokens: usize) -> Self {
        Self {
            layer: self.layer.min(layers.saturating_sub(1)),
            position: self.position.min(tokens.saturating_sub(1)),
        }
    }
}

/// The cell reached from `at` by a key in a grid of `layers` x `tokens`, deepest layer on top.
#[must_use]
pub fn step(at: At, key: &str, ctrl: bool, layers: usize, tokens: usize) -> Option<At> {
    let (top, end) = (layers.checked_sub(1)?, tokens.checked_sub(1)?);
    let At { layer, position } = at;
    let next = match key {
        "ArrowLeft" => At {
            layer,
            position: position.saturating_sub(1),
        },
        "ArrowRight" => At {
            layer,
            position: (position + 1).min(end),
        },
        "ArrowUp" => At {
            layer: (layer + 1).min(top),
            position,
        },
        "ArrowDown" => At {
            layer: layer.saturating_sub(1),
            position,
        },
        "Home" => At {
            layer: if ctrl { top } else { layer },
            position: 0,
        },
        "End" => At {
            layer: if ctrl { 0 } else { layer },
            position: end,
        },
        "PageUp" => At {
            layer: top,
            position,
        },
        "PageDown" => At { layer: 0, position },
        _ => return None,
    };
    Some(next)
}

/// Gives the keyboard to a cell of the table in which a key was pressed.
pub fn focus_cell(event: &KeyboardEvent, at: At) -> Option<()> {
    let table: Element = event.current_target()?.dyn_into().ok()?;
    let place = format!(
        "button[data-layer=\"{}\"][data-position=\"{}\"]",
        at.layer, at.position
    );
    let cell: HtmlElement = table.query_selector(&place).ok()??.dyn_into().ok()?;
    cell.focus().ok()
}

/// Scrolls the map sideways, and only the map, until the chosen cell shows whole.
pub fn bring_into_sight(frame: Option<impl AsRef<Element>>) -> Option<()> {
    let frame = frame?;
    let frame = frame.as_ref();
    let cell = frame.query_selector("button.cell[tabindex=\"0\"]").ok()??;
    let head = frame.query_selector("tbody th").ok()??;
    let (cell, outer, head) = (
        cell.get_bounding_client_rect(),
        frame.get_bounding_client_rect(),
        head.get_bounding_client_rect(),
    );
    let left = outer.left() + head.width();
    if cell.width() > 0.0 && (cell.left() < left || cell.right() > outer.right()) {
        let by = (cell.left() + cell.right() - left - outer.right()) / 2.0;
        frame.set_scroll_left(frame.scroll_left() + by as i32);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_walk_and_stop_at_the_edges() {
        let at = At {
            layer: 2,
            position: 3,
        };
        let go = |key, ctrl| step(at, key, ctrl, 9, 5);
        assert_eq!(
            go("ArrowUp", false),
            Some(At {
                layer: 3,
                position: 3
            })
        );
        assert_eq!(
            go("End", false),
            Some(At {
                layer: 2,
                position: 4
            })
        );
        assert_eq!(
            go("Home", true),
            Some(At {
                layer: 8,
                position: 0
            })
        );
        assert_eq!(
            step(
                At {
                    layer: 0,
                    position: 0
                },
                "ArrowDown",
                false,
                9,
                5
            ),
            Some(At {
                layer: 0,
                position: 0
            })
        );
        assert_eq!(step(at, "ArrowUp", false, 0, 0), None);
        assert_eq!(go("x", false), None);
    }
}
