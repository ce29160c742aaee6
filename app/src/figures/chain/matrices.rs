//! The two matrices, their product, and the Jacobian of both maps measured without a formula.

use super::planes::NUDGES;
use super::signals::Figure;
use super::state::{STEP, Scene};
use crate::figures::numbers::{number, small};
use crate::figures::plane::Measure;
use crate::figures::square::heads::ColumnHeads;
use geometry::Matrix;
use leptos::prelude::*;

/// The equation and its check.
#[component]
pub fn Matrices(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let text = move |pick: fn(&Scene) -> String| Signal::derive(move || scene.with(pick));
    view! {
        <div class="panel">
            <h4 class="panel-title">"The matrix of both maps is the product of their matrices, the later one on the left"</h4>
            <div class="matrix-eq chain-equation">
                <Term figure sign="" name="J = J_g · J_f" id="product" pick=Scene::product />
                <Term figure sign="=" name="J_g at f(p)" id="second" pick=|s| s.second />
                <Term figure sign="·" name="J_f at p" id="first" pick=|s| s.middle.jacobian />
                <Term figure sign="" before="to compare: " name="J measured" id="measured" pick=|s| s.measured />
            </div>
            <dl class="plane-measures chain-measures">
                <Measure name="product − measured, relative" id="error" value=text(|s| small(s.error())) />
                <Measure name="the same, factors in the wrong order" id="wrong" value=text(|s| small(s.error_of_wrong_order())) />
                <Measure
                    name="areas grow by: f, then g, both"
                    id="areas"
                    value=text(|s| { let [f, g, both] = s.areas().map(|area| number(area, 2)); format!("{f} × {g} = {both}") })
                />
            </dl>
            <p class="panel-note">
                {text(|s| s.verdict().to_owned())} " Relative means: the largest difference over the largest entry. “Measured” knows no formula of a derivative: p is nudged by " {STEP.to_string()} " both ways along each axis, both maps are run, and the difference is divided by the nudge."
            </p>
        </div>
    }
}

/// A matrix with its name above it, and the sign that stands before it.
#[component]
fn Term(
    figure: Figure,
    sign: &'static str,
    /// Before the name, in small print.
    #[prop(default = "")]
    before: &'static str,
    name: &'static str,
    id: &'static str,
    pick: fn(&Scene) -> Matrix,
) -> impl IntoView {
    view! {
        <span class="chain-term" data-term=id>
            <span class="chain-sign" aria-hidden="true">{sign}</span>
            <Named figure before name id pick />
        </span>
    }
}

/// A matrix with its name above it.
#[component]
fn Named(
    figure: Figure,
    before: &'static str,
    name: &'static str,
    id: &'static str,
    pick: fn(&Scene) -> Matrix,
) -> impl IntoView {
    let cell = move |row: usize, column: usize| {
        let entry = move || number(figure.scene.with(|s| pick(s)[(row, column)]), 3);
        view! { <td data-idea=NUDGES[column]>{entry}</td> }
    };
    // J_f is written with a lowered letter.
    let pieces: Vec<_> = name
        .split("J_")
        .enumerate()
        .map(|(i, piece)| match (i, piece.split_at_checked(1)) {
            (0, _) | (_, None) => view! { <span>{piece.to_owned()}</span> }.into_any(),
            (_, Some((letter, rest))) => {
                view! { <span>"J"<sub>{letter.to_owned()}</sub>{rest.to_owned()}</span> }.into_any()
            }
        })
        .collect();
    view! {
        <span class="chain-matrix">
            <span class="chain-name" aria-hidden="true"><span class="chain-before">{before}</span>{pieces}</span>
            <table class="matrix" data-matrix=id aria-label=name.replace('_', " ")>
                <ColumnHeads names=["e₁".to_owned(), "e₂".to_owned()] />
                <tbody>
                    <tr>{cell(0, 0)}{cell(0, 1)}</tr>
                    <tr>{cell(1, 0)}{cell(1, 1)}</tr>
                </tbody>
            </table>
        </span>
    }
}
