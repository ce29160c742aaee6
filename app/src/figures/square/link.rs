//! The figure in the page's address.

use super::maps::MapKind;
use super::presets::{PRESETS, Setting};
use super::signals::Figure;
use super::state::{HOME_HALF, from_address, to_address};
use crate::figures::place::{follow_address, keep_in_address};
use leptos::prelude::*;

/// Keeps map, point and size in the page's address, unless they are as at first; with the model's map also its slice.
pub fn keep(figure: Figure) {
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

/// Map, point and size, and the slice through the model.
pub type Linked = ((MapKind, [f64; 2], f64), Setting);

/// The same with the first slice.
pub fn first_of_all() -> Linked {
    (first(), PRESETS[0].setting())
}

/// Reads a link. The first slice is not written into links, so a link without one means that.
pub fn from_link(text: &str) -> Option<Linked> {
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
