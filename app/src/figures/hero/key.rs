//! How a cell is read.

use super::signals::Hero;
use super::state::TINTS;
use crate::figures::text::quoted;
use leptos::prelude::*;

/// A sample cell with what its two lines are, and what the tints say.
#[component]
pub fn Key(hero: Hero) -> impl IntoView {
    let followed = Memo::new(move |_| {
        hero.shown.with(|s| {
            s.as_ref()
                .map(|s| (s.readings.tracked.clone(), s.model.info.words.len()))
        })
    });
    let text = move || {
        let (word, count) = followed.get()?;
        Some(format!(
            "In each cell, above: the word that the lens ranks first. Below: the rank of {} among {count} words; 1 is the best.",
            quoted(&word)
        ))
    };
    let word = Signal::derive(move || followed.get().map_or_else(String::new, |f| f.0));
    view! {
        <div class="hero-key">
            <span class="hero-sample" aria-hidden="true"><span>"word"</span> <span>"rank"</span></span>
            <div>
                <p>{text}</p>
                <RankTints word=word />
            </div>
        </div>
    }
}

/// The tints of ranks.
#[component]
pub fn RankTints(
    /// Whose rank.
    word: Signal<String>,
) -> impl IntoView {
    let swatch = |(_, tint, label): (u32, u8, &'static str)| {
        view! { <span class="swatch" data-heat=tint.to_string()>{label}</span> }
    };
    view! {
        <p class="heat-legend">
            <span>{move || format!("tint, the rank of {}:", quoted(&word.get()))}</span>
            {TINTS.into_iter().map(swatch).collect_view()}
        </p>
    }
}
