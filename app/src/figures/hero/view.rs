//! The figure: where its parts stand.

use super::key::Key;
use super::link::{from_link, to_link};
use super::lists::{DataTables, Lists};
use super::map::Maps;
use super::signals::Hero;
use crate::client::Client;
use crate::controls::{Segmented, Slider};
use crate::figures::history::PRESS;
use crate::figures::parts::{Arrival, KnownWord, Provenance, Trouble, WordList};
use crate::figures::place::{follow_address, keep_in_address, mark_ready};
use crate::figures::prompt::PromptTools;
use crate::figures::text::target_options;
use leptos::prelude::*;

/// Figure 1.
#[component]
pub fn HeroFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let hero = Hero::new(client);
    let (wanted, line) = (hero.wanted(), client.latest());
    Effect::new(move |_| {
        hero.attempt.track();
        if let Some(request) = wanted.get() {
            hero.send(line, request);
        }
    });
    // A link may ask for what cannot be read; then the tools must be there all the same, to mend it.
    let ready = Memo::new(move |before: Option<&bool>| {
        let stuck = client.model().is_some() && wanted.with(Option::is_none);
        before == Some(&true) || stuck || hero.shown.with(Option::is_some)
    });
    // What has only failed so far keeps its still.
    let live = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || ready.get() || hero.trouble.with(Option::is_some)
    });
    let lost = Memo::new(move |_| {
        let word = hero.settings.with(|s| s.now().tracked.clone());
        client
            .model()
            .is_some_and(|model| model.id(&word).is_none())
    });
    Effect::new(move |_| {
        if ready.get() {
            mark_ready("hero");
        }
    });
    keep_in_address("hero", move || {
        hero.settings
            .with(|s| (!s.is_first()).then(|| to_link(s.now())))
    });
    follow_address("hero", from_link, move |linked| {
        hero.settings.try_update(|s| s.take(linked));
    });
    view! {
        <Arrival client=client />
        <Trouble message=hero.trouble on_retry=move |()| hero.attempt.update(|n| *n += 1) />
        <Show when=move || live.get()>
            <PromptTools line=hero.line() examples=hero.examples() />
            <Key hero=hero />
            <Maps hero=hero />
            <LensBar hero=hero />
            {move || lost.get().then(|| view! {
                <p class="status status-warn" role="status">"The followed word is not a word this model knows."</p>
            })}
            <Lists hero=hero />
            <DataTables hero=hero />
            <Provenance client=client />
        </Show>
    }
}

/// Which word, which lens, how deep.
#[component]
fn LensBar(hero: Hero) -> impl IntoView {
    let top = Signal::derive(move || {
        hero.shown
            .with(|s| s.as_ref().map_or(1, |s| s.readings.layers - 1)) as f64
    });
    let at = hero.at;
    let walk = move |layer: f64| {
        hero.settings
            .update(|s| s.amend(|now| now.at.layer = layer as usize));
    };
    let layer_name = move |layer: f64| {
        hero.shown.with(|s| {
            s.as_ref()
                .map_or(String::new(), |s| s.readings.layer_name(layer as usize))
        })
    };
    view! {
        <WordList client=hero.client id="hero-words" />
        <div class="toolbar" role="group" aria-label="Word, lens and layer">
            <KnownWord
                client=hero.client
                label="Follow the word"
                value=hero.get(|s| s.tracked.clone())
                on_change=move |word: String| hero.change("tracked", |s| s.tracked = word)
                id="hero-tracked"
                list="hero-words"
            />
            <Segmented
                legend="Jacobian lens looks at"
                name="hero-targets"
                options=target_options()
                value=hero.get(|s| s.targets)
                on_change=move |targets| hero.change(PRESS, |s| s.targets = targets)
            />
            <Slider
                label="Layer"
                value=Signal::derive(move || at.get().layer as f64)
                on_change=walk
                min=0.0
                max=top
                show=Callback::new(layer_name)
            />
        </div>
    }
}
