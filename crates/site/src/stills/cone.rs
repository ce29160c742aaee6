//! Figure 12 at rest: four rays, an activation, the nearest point with one word and the residual.

use super::open;
use super::panel::{Panel, line};
use geometry::{Point, cone::nearest};

const WORDS: [(&str, [f64; 2]); 4] = [
    ("spider", [0.95, 0.25]),
    ("web", [0.6, 0.65]),
    ("ant", [-0.2, 0.95]),
    ("eight", [-0.8, 0.4]),
];

pub fn picture() -> String {
    let panel = Panel {
        left: 0.0,
        size: (420.0, 280.0),
        centre: Point::new(0.05, 0.5),
        extent: 1.2,
    };
    let mut svg = open(
        "cone",
        420.0,
        280.0,
        "Four vectors leave a point. An activation lies between two of them; the nearest point on a ray is the foot of a \
         perpendicular, and a dashed residual joins it to the activation.",
    );
    panel.frame(&mut svg);
    let (h, origin) = (Point::new(0.2, 0.85), Point::zeros());
    let vectors = WORDS.map(|(_, v)| Point::from(v));
    for (v, (word, _)) in vectors.iter().zip(WORDS) {
        panel.arrow(&mut svg, "token", origin, *v);
        panel.name(
            &mut svg,
            *v,
            (if v.x < 0.0 { -26.0 } else { 26.0 }, 0.0),
            word,
            Some("token"),
        );
    }
    panel.arrow(&mut svg, "activation", origin, h);
    panel.name(&mut svg, h, (12.0, -4.0), "h", Some("activation"));
    if let Some(mix) = nearest(h, &vectors, 1) {
        line(
            &mut svg,
            Some("transport"),
            &panel.path(&[h, mix.point], false),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_has_five_arrows_and_a_residual() {
        let svg = super::picture();
        assert_eq!(svg.matches("plot-arrow-head").count(), 5);
        assert_eq!(
            svg.matches("plot-line\" data-idea=\"transport\"").count(),
            1
        );
    }
}
