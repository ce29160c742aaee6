//! What stands in the figures' places before (and without) the live part: pictures, which draw geometry or stored measurements
//! (`stored`), and tables, which hold what the small model says.

mod chain;
mod cone;
mod curve;
mod dual;
mod gradient;
mod hero;
mod panel;
mod square;
mod stored;
mod swap;
mod table;

pub use table::{Stills, Table};

use std::fmt::Write as _;

use crate::measured::Measurements;

/// SVG (or table) of a figure's still, empty if it has words only.
pub fn picture(figure: &str, measured: Option<&Measurements>) -> String {
    match figure {
        "hero" => hero::picture(),
        "chain" => chain::picture(),
        "cone" => cone::picture(),
        "curve" => curve::picture(),
        "dual" => dual::picture(),
        "gradient" => gradient::picture(),
        "square" => square::picture(),
        "swap" => swap::picture() + &stored::sweep(measured),
        "causal" => stored::causal(measured),
        "band" => stored::band(measured),
        _ => String::new(),
    }
}

/// Opens an SVG with a spoken description.
fn open(name: &str, width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg class=\"plot still-plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"still-{name}\">\n\
         <title id=\"still-{name}\">{title}</title>\n"
    )
}

/// A centred label; with an idea it takes its colour.
fn label(svg: &mut String, x: f64, y: f64, text: &str, idea: Option<&str>) {
    let idea = idea.map_or(String::new(), |idea| {
        format!(" class=\"plot-label\" data-idea=\"{idea}\"")
    });
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\"{idea}>{text}</text>"
    );
}

/// A straight arrow with a head, in SVG units.
fn arrow(svg: &mut String, idea: &str, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let back = (to.0 - 10.0 * ux, to.1 - 10.0 * uy);
    let _ = writeln!(
        svg,
        "<path class=\"plot-line\" data-idea=\"{idea}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\
         <path class=\"plot-arrow-head\" data-idea=\"{idea}\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        from.0,
        from.1,
        back.0,
        back.1,
        to.0,
        to.1,
        back.0 - 4.5 * uy,
        back.1 + 4.5 * ux,
        back.0 + 4.5 * uy,
        back.1 - 4.5 * ux
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_has_its_description_and_finite_numbers() {
        for name in [
            "hero", "chain", "cone", "curve", "dual", "gradient", "square", "swap",
        ] {
            let svg = picture(name, None);
            assert!(
                svg.contains(&format!("<title id=\"still-{name}\">")),
                "{name}"
            );
            assert!(svg.trim_end().ends_with("</svg>"), "{name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
        assert!(picture("fit", None).is_empty());
    }
}
