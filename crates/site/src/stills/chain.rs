//! Figure 5 at rest: a square, its image under one map, and its image under two.

use super::panel::{Panel, line};
use super::{label, open};
use geometry::{Chain, Point, PolarLike, SmoothMap, Square, TwoShears};

const SIDE: f64 = 200.0;
const STRIDE: f64 = 230.0;

pub fn picture() -> String {
    let (first, second) = (PolarLike::default(), TwoShears::default());
    let both = Chain { first, second };
    let square = Square {
        centre: Point::new(0.1, 0.35),
        half: 0.4,
    };
    let mut svg = open(
        "chain",
        2.0 * STRIDE + SIDE,
        SIDE + 26.0,
        "Three planes: a square, its curved image after a first map with the parallelogram that the first matrix predicts, and its \
         image after a second map with the parallelogram that the product of both matrices predicts.",
    );
    let stages: [(Option<&dyn SmoothMap>, &str); 3] = [
        (None, "a square around p"),
        (Some(&first), "after the first map"),
        (Some(&both), "after both"),
    ];
    for (index, (map, text)) in stages.into_iter().enumerate() {
        let value = map.map_or(square.centre, |map| map.value(square.centre));
        let panel = Panel {
            left: STRIDE * index as f64,
            size: (SIDE, SIDE),
            centre: value,
            extent: 1.0,
        };
        panel.frame(&mut svg);
        match map {
            None => {
                let corners = square.corner_nudges().map(|d| square.centre + d);
                line(&mut svg, Some("output"), &panel.path(&corners, true));
            }
            Some(map) => {
                let predicted = square.parallelogram(value, &map.jacobian(square.centre));
                line(
                    &mut svg,
                    Some("output"),
                    &panel.path(&square.image(&map, 24), true),
                );
                line(&mut svg, Some("transport"), &panel.path(&predicted, true));
            }
        }
        for nudge in square.basis_nudges() {
            let by = map.map_or(nudge, |map| map.jacobian(square.centre) * nudge);
            panel.arrow(&mut svg, "token", value, value + by);
        }
        label(&mut svg, panel.left + SIDE / 2.0, SIDE + 20.0, text, None);
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_of_three_planes_have_a_prediction() {
        let svg = super::picture();
        assert_eq!(svg.matches("plot-frame").count(), 3);
        assert_eq!(
            svg.matches("plot-line\" data-idea=\"transport\"").count(),
            2
        );
        assert_eq!(svg.matches("plot-arrow-head").count(), 6);
    }
}
