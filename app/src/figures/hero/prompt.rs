//! The prompt: typed, chosen or repaired, and its tokens.

use super::presets::{PRESETS, Preset};
use super::reading::{Problem, filler, toggle_filler};
use super::view::Hero;
use crate::client::Word;
use crate::controls::{Button, Check};
use leptos::prelude::*;

const HINT: &str = "hero-prompt-hint";

/// The prompt with its tools, examples and token strip.
#[component]
pub fn PromptBar(hero: Hero) -> impl IntoView {
    let prompt = hero.get(|s| s.prompt.clone());
    let bad = Memo::new(move |_| {
        hero.reading
            .with(|r| r.as_ref().is_some_and(|r| r.problem.is_some()))
    });
    let has_filler = Memo::new(move |_| prompt.with(|p| filler(p)));
    let can_undo = Memo::new(move |_| hero.settings.with(|s| s.can_undo()));
    let is_first = Memo::new(move |_| hero.settings.with(|s| s.is_first()));
    let typed = move |event| hero.change("typing", |s| s.prompt = event_target_value(&event));
    view! {
        <div class="toolbar" role="group" aria-label="Prompt">
            <label class="field field-grow">
                <span class="field-label">"Prompt"</span>
                <input
                    type="text"
                    id="hero-prompt"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    prop:value=prompt
                    aria-invalid=move || bad.get().to_string()
                    aria-describedby=HINT
                    on:input=typed
                    on:change=move |_| hero.settings.update(|s| s.rest())
                />
            </label>
            <Check
                label="filler phrase"
                value=Signal::derive(move || has_filler.get() == Some(true))
                disabled=Signal::derive(move || has_filler.get().is_none())
                on_change=move |_| hero.change("filler", |s| s.prompt = toggle_filler(&s.prompt))
            />
            <div class="btn-pair">
                <Button label="Undo" disabled=Signal::derive(move || !can_undo.get()) on_press=move |()| hero.settings.update(|s| s.undo()) />
                <Button label="Reset" disabled=is_first on_press=move |()| hero.settings.update(|s| s.reset()) />
            </div>
        </div>
        <div class="chips" role="group" aria-label="Example prompts">
            {PRESETS.into_iter().map(|preset| view! { <Example hero=hero preset=preset /> }).collect_view()}
        </div>
        <Strip hero=hero />
        <Hint hero=hero />
    }
}

#[component]
fn Example(hero: Hero, preset: Preset) -> impl IntoView {
    let shows = Memo::new(move |_| hero.settings.with(|s| s.now().shows(preset)));
    view! {
        <button
            type="button"
            class="btn chip"
            aria-pressed=move || shows.get().to_string()
            on:click=move |_| hero.change("preset", |s| s.take(preset))
        >
            {preset.label}
        </button>
    }
}

/// One button per token; the start mark counts as position 0.
#[component]
fn Strip(hero: Hero) -> impl IntoView {
    let chosen = hero.get(|s| s.at.position);
    let token = move |position: usize, word: Word| {
        let unknown = word.id.is_none();
        let look = move |_| {
            hero.settings
                .update(|s| s.amend(|now| now.at.position = position))
        };
        view! {
            <li>
                <button
                    type="button"
                    class="token"
                    data-position=position.to_string()
                    data-unknown=unknown.then_some("true")
                    aria-describedby=unknown.then_some(HINT)
                    aria-pressed=move || (chosen.get() == position).to_string()
                    on:click=look
                >
                    {word.text}
                </button>
            </li>
        }
    };
    let tokens = move || {
        let reading = hero.reading.get()?;
        let mut words = reading.words;
        if words.first().is_none_or(|word| word.text != "<s>") {
            words.insert(
                0,
                Word {
                    text: "<s>".into(),
                    start: 0,
                    end: 0,
                    id: Some(0),
                    suggestions: Vec::new(),
                },
            );
        }
        Some(
            words
                .into_iter()
                .enumerate()
                .map(|(i, word)| token(i, word))
                .collect_view(),
        )
    };
    view! { <ol class="token-strip" aria-label="Tokens of the prompt">{tokens}</ol> }
}

/// What is wrong or odd about the prompt.
#[component]
fn Hint(hero: Hero) -> impl IntoView {
    let content = move || {
        let reading = hero.reading.get()?;
        Some(match (&reading.problem, reading.remark()) {
            (Some(Problem::Unknown(unknown)), _) => {
                let lines = unknown
                    .iter()
                    .map(|word| unknown_line(hero, word.clone()))
                    .collect_view();
                view! { <div class="hint hint-error">{lines} {STALE}</div> }.into_any()
            }
            (Some(Problem::TooLong { got, most }), _) => {
                let text = format!(
                    "{got} tokens, start mark included; the model takes {most}. Please shorten the prompt. {STALE}"
                );
                view! { <p class="hint hint-error">{text}</p> }.into_any()
            }
            (None, Some(remark)) => view! { <p class="hint">{remark}</p> }.into_any(),
            (None, None) => ().into_any(),
        })
    };
    view! { <div id=HINT aria-live="polite">{content}</div> }
}

const STALE: &str = "Until then the maps show the last prompt that could be read.";

fn unknown_line(hero: Hero, word: Word) -> impl IntoView {
    let text = format!("“{}” is not a word this model knows. ", word.text);
    let near = word.suggestions.clone();
    let chip = move |suggestion: String| {
        let (word, label) = (word.clone(), suggestion.clone());
        let repair = move |_| hero.change("repair", |s| s.replace(&word, &suggestion));
        view! { <button type="button" class="btn chip" on:click=repair>{label}</button> " " }
    };
    let lead = if near.is_empty() {
        "Nothing like it is known."
    } else {
        "Perhaps "
    };
    view! { <p class="hint-line">{text} {lead} {near.into_iter().map(chip).collect_view()}</p> }
}
