//! Matrices on canvases, in the theme's colours.

use super::heat::{Palette, parse_colour};
use leptos::prelude::*;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// The theme's colours, renewed when it changes.
pub fn theme_palette() -> RwSignal<Palette> {
    let palette = RwSignal::new(read_palette());
    let handle = window_event_listener_untyped("themechange", move |_| {
        palette.try_set(read_palette());
    });
    // Figures live as long as the page, and so does the listener.
    std::mem::forget(handle);
    palette
}

fn read_palette() -> Palette {
    let fallback = Palette::default();
    let style = document()
        .document_element()
        .and_then(|root| window().get_computed_style(&root).ok().flatten());
    let read = |name, fallback| {
        let text = style
            .as_ref()
            .and_then(|style| style.get_property_value(name).ok());
        text.and_then(|text| parse_colour(&text))
            .unwrap_or(fallback)
    };
    Palette {
        negative: read("--heat-neg", fallback.negative),
        zero: read("--heat-zero", fallback.zero),
        positive: read("--heat-pos", fallback.positive),
    }
}

/// Paints a `[d, d]` matrix, one pixel per entry; values of another size leave the canvas empty.
pub fn paint(
    canvas: &HtmlCanvasElement,
    values: Option<&[f32]>,
    d: usize,
    palette: Palette,
    scale: f32,
) {
    let side = d as u32;
    if canvas.width() != side || canvas.height() != side {
        canvas.set_width(side);
        canvas.set_height(side);
    }
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) =
        context.and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok())
    else {
        return;
    };
    let Some(values) = values.filter(|values| values.len() == d * d) else {
        context.clear_rect(0.0, 0.0, d as f64, d as f64);
        return;
    };
    let pixels = palette.pixels(values, scale);
    // Fails only for a wrong number of bytes, which was checked.
    if let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), side, side) {
        let _ = context.put_image_data(&image, 0.0, 0.0);
    }
}
