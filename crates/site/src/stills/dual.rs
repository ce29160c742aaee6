//! Figure 16 at rest: two vectors that overlap, the parallelogram of an activation's amounts, and the exchanged one.

use super::open;
use super::panel::{Panel, line};
use geometry::{Pair, Point};

pub fn picture() -> String {
    let panel = Panel {
        left: 0.0,
        size: (420.0, 300.0),
        centre: Point::new(0.65, 0.55),
        extent: 1.0,
    };
    let mut svg = open(
        "dual",
        420.0,
        300.0,
        "Two vectors at an acute angle. Going along one and then along the other leads to the activation h; with the two amounts \
         exchanged, the same way leads to another point.",
    );
    panel.frame(&mut svg);
    let (source, target, h) = (
        Point::new(0.95, 0.2),
        Point::new(0.55, 0.85),
        Point::new(1.0, 0.5),
    );
    let origin = Point::zeros();
    if let Some(pair) = Pair::new(source, target) {
        let [s, t] = pair.coordinates(h);
        let after = pair.exchanged(h, [s, t]);
        for (idea, [s, t], end) in [("activation", [s, t], h), ("output", [t, s], after)] {
            let corners = [origin, source * s, end, target * t];
            line(&mut svg, Some(idea), &panel.path(&corners, true));
        }
        panel.arrow(&mut svg, "output", h, after);
        panel.name(&mut svg, after, (0.0, -8.0), "exchanged", Some("output"));
    }
    panel.arrow(&mut svg, "token", origin, source);
    panel.arrow(&mut svg, "token", origin, target);
    panel.name(&mut svg, source, (0.0, 20.0), "spider", Some("token"));
    panel.name(&mut svg, target, (-18.0, -6.0), "ant", Some("token"));
    panel.name(&mut svg, h, (14.0, 4.0), "h", Some("activation"));
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_shows_both_parallelograms() {
        let svg = super::picture();
        assert_eq!(
            svg.matches("Z\"/>").count() - svg.matches("plot-arrow-head").count(),
            2
        );
        assert!(svg.contains("exchanged"));
    }
}
