//! Figure 3 at rest: level lines, the gradient at a point and a nudge.

use super::open;
use super::panel::{Panel, line};
use geometry::{Height, Point, Relief};

pub fn picture() -> String {
    let (map, p) = (Height::Hills, Point::new(0.0, -0.45));
    let panel = Panel::square(0.0, 340.0, 1.0);
    let mut svg = open(
        "gradient",
        340.0,
        340.0,
        "A height map with lines of equal height. At a point the gradient stands at right angles to the line of equal height \
         and points uphill; a nudge leaves the point in another direction.",
    );
    panel.frame(&mut svg);
    let relief = Relief::of(|p| map.value(p), 49, 1.0);
    let [low, high] = relief.range();
    let level = |height: f64| -> String {
        let pieces = relief.line(height);
        pieces.iter().map(|ends| panel.path(ends, false)).collect()
    };
    for k in 1..8 {
        let height = low + (high - low) * f64::from(k) / 8.0;
        line(&mut svg, None, &level(height));
    }
    line(&mut svg, Some("activation"), &level(map.value(p)));
    let (gradient, nudge) = (p + map.gradient(p) / 3.0, p + Point::new(0.2, 0.35));
    panel.arrow(&mut svg, "transport", p, gradient);
    panel.arrow(&mut svg, "token", p, nudge);
    panel.name(&mut svg, p, (0.0, 20.0), "p", None);
    panel.name(
        &mut svg,
        gradient,
        (-10.0, -8.0),
        "gradient",
        Some("transport"),
    );
    panel.name(&mut svg, nudge, (24.0, -6.0), "nudge", Some("token"));
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_has_seven_levels_and_two_arrows() {
        let svg = super::picture();
        assert_eq!(svg.matches("data-style=\"ghost\"").count(), 7);
        assert_eq!(svg.matches("plot-arrow-head").count(), 2);
    }
}
