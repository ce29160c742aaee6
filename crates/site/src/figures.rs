//! The figures that exist, and the shell that holds the place of a live one.

use crate::SiteError;

/// One figure of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// Name in `data-figure`, in the URL and in `::figure NAME`.
    pub name: &'static str,
    /// Number in the guide.
    pub number: u32,
    /// What the reader sees, for the browser's outline and for screen readers.
    pub title: &'static str,
}

/// Every figure that the article may place. Add one here when its live part exists in `app/`.
pub const FIGURES: [Figure; 18] = [
    Figure {
        name: "hero",
        number: 1,
        title: "Two lenses on one sentence",
    },
    Figure {
        name: "curve",
        number: 2,
        title: "A tangent, and how wrong it is",
    },
    Figure {
        name: "gradient",
        number: 3,
        title: "Rate times nudge, summed",
    },
    Figure {
        name: "square",
        number: 4,
        title: "A square, pushed through a map",
    },
    Figure {
        name: "chain",
        number: 5,
        title: "Two maps in a row, eight blocks in a row",
    },
    Figure {
        name: "rows",
        number: 6,
        title: "One backward pass",
    },
    Figure {
        name: "average",
        number: 7,
        title: "One nudge, many sentences",
    },
    Figure {
        name: "local",
        number: 8,
        title: "One sentence’s Jacobian and the average",
    },
    Figure {
        name: "fit",
        number: 9,
        title: "Fit a lens in this tab",
    },
    Figure {
        name: "relatives",
        number: 10,
        title: "Three lenses on one sentence",
    },
    Figure {
        name: "stein",
        number: 11,
        title: "Gradients and regression",
    },
    Figure {
        name: "cone",
        number: 12,
        title: "The nearest point of a few words",
    },
    Figure {
        name: "pursuit",
        number: 13,
        title: "An activation in words",
    },
    Figure {
        name: "causal",
        number: 14,
        title: "The part that the model listens to",
    },
    Figure {
        name: "steer",
        number: 15,
        title: "Steering and ablation",
    },
    Figure {
        name: "dual",
        number: 16,
        title: "How much of each word",
    },
    Figure {
        name: "swap",
        number: 17,
        title: "The swap laboratory",
    },
    Figure {
        name: "band",
        number: 18,
        title: "The band of our model",
    },
];

/// Finds a figure by name; `place` goes into the error.
pub fn find(name: &str, place: &str) -> Result<Figure, SiteError> {
    FIGURES
        .iter()
        .copied()
        .find(|figure| figure.name == name)
        .ok_or_else(|| SiteError::UnknownFigure {
            place: place.to_string(),
            name: name.to_string(),
            known: FIGURES.map(|figure| figure.name).join(", "),
        })
}

/// The shell: `.figure-body` is where the live figure mounts, `still` is what stands there without it.
pub fn shell(figure: Figure, caption: &str, still: &str) -> String {
    let Figure {
        name,
        number,
        title,
    } = figure;
    format!(
        "<figure class=\"figure\" id=\"fig-{name}\" data-figure=\"{name}\" aria-labelledby=\"cap-{name}\">\n\
         <div class=\"figure-body\">\n<div class=\"figure-still\">\n{still}\n\
         <noscript><p class=\"figure-noscript\">This figure computes with the small model in your browser. \
         It comes alive when scripting is on.</p></noscript>\n</div>\n</div>\n\
         <p class=\"figure-share\"><a href=\"#fig-{name}\">Link to this figure</a></p>\n\
         <figcaption class=\"figure-caption\" id=\"cap-{name}\"><span class=\"figure-number\">Figure {number}.</span> \
         <strong class=\"figure-title\">{title}.</strong> {caption}</figcaption>\n</figure>\n"
    )
}
