//! The prompt of a figure: typed, chosen or repaired, and its tokens. Shared by all figures that read one sentence.
//!
//! [`reading`]: a prompt as the model would read it. Plain, tested.

pub mod reading;

use crate::client::Word;
use crate::controls::{Button, Check, hand_to};
use crate::figures::history::PRESS;
use leptos::prelude::*;
use reading::{Problem, Reading, filler, replaced, toggle_filler};

/// A figure's prompt as its controls see it.
#[derive(Clone, Copy)]
pub struct PromptLine {
    /// Id of the text field, unique in the page.
    pub id: &'static str,
    /// Id of the hint below it.
    pub hint: &'static str,
    /// What the figure shows while the prompt cannot be read.
    pub stale: &'static str,
    /// The prompt as typed.
    pub prompt: Signal<String>,
    /// The prompt as the model would read it, once there is a model.
    pub reading: Memo<Option<Reading>>,
    /// The chosen position, 0 = `<s>`.
    pub position: Signal<usize>,
    /// Whether there is a step to undo.
    pub can_undo: Signal<bool>,
    /// Whether all is as at first.
    pub is_first: Signal<bool>,
    /// Called with the kind of change and the new prompt.
    pub on_prompt: Callback<(&'static str, String)>,
    /// A word is finished: the next change is a step of its own.
    pub on_rest: Callback<()>,
    /// Called with the wished position.
    pub on_position: Callback<usize>,
    /// Takes the last step back.
    pub on_undo: Callback<()>,
    /// Takes everything back.
    pub on_reset: Callback<()>,
}

/// A prompt worth looking at, as a button.
#[derive(Clone, Copy)]
pub struct Example {
    /// Short name.
    pub label: &'static str,
    /// Whether it is what stands there.
    pub pressed: Signal<bool>,
    /// Takes it.
    pub press: Callback<()>,
}

/// The prompt with its tools, examples, token strip and hint.
#[component]
pub fn PromptTools(
    /// The prompt.
    line: PromptLine,
    /// Prompts worth looking at.
    examples: Vec<Example>,
) -> impl IntoView {
    let bad = Memo::new(move |_| {
        line.reading
            .with(|r| r.as_ref().is_some_and(|r| r.problem.is_some()))
    });
    let has_filler = Memo::new(move |_| line.prompt.with(|p| filler(p)));
    let typed = move |event| line.on_prompt.run(("typing", event_target_value(&event)));
    let toggle = move |_| {
        let prompt = line.prompt.with_untracked(|p| toggle_filler(p));
        line.on_prompt.run((PRESS, prompt));
    };
    let example = |example: Example| {
        view! {
            <button
                type="button"
                class="btn chip"
                aria-pressed=move || example.pressed.get().to_string()
                on:click=move |_| example.press.run(())
            >
                {example.label}
            </button>
        }
    };
    view! {
        <div class="toolbar" role="group" aria-label="Prompt">
            <label class="field field-grow">
                <span class="field-label">"Prompt"</span>
                <input
                    type="text"
                    id=line.id
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    prop:value=line.prompt
                    aria-invalid=move || bad.get().to_string()
                    aria-describedby=line.hint
                    on:input=typed
                    on:change=move |_| line.on_rest.run(())
                />
            </label>
            <Check
                label="filler phrase"
                value=Signal::derive(move || has_filler.get() == Some(true))
                disabled=Signal::derive(move || has_filler.get().is_none())
                on_change=toggle
            />
            <div class="btn-pair">
                <Button label="Undo" disabled=Signal::derive(move || !line.can_undo.get()) on_press=line.on_undo />
                <Button label="Reset" disabled=line.is_first on_press=line.on_reset />
            </div>
        </div>
        <div class="chips" role="group" aria-label="Example prompts">{examples.into_iter().map(example).collect_view()}</div>
        <Strip line=line />
        <Hint line=line />
    }
}

/// One button per token; the start mark counts as position 0.
#[component]
fn Strip(line: PromptLine) -> impl IntoView {
    let token = move |position: usize, word: Word| {
        let unknown = word.id.is_none();
        view! {
            <li>
                <button
                    type="button"
                    class="token"
                    data-position=position.to_string()
                    data-unknown=unknown.then_some("true")
                    aria-describedby=unknown.then_some(line.hint)
                    aria-pressed=move || (line.position.get() == position).to_string()
                    on:click=move |_| line.on_position.run(position)
                >
                    {word.text}
                </button>
            </li>
        }
    };
    let tokens = move || {
        let words = line.reading.get()?.with_start();
        let all = words
            .into_iter()
            .enumerate()
            .map(|(i, word)| token(i, word));
        Some(all.collect_view())
    };
    view! { <ol class="token-strip" aria-label="Tokens of the prompt">{tokens}</ol> }
}

/// What is wrong or odd about the prompt.
#[component]
fn Hint(line: PromptLine) -> impl IntoView {
    let content = move || {
        let reading = line.reading.get()?;
        Some(match (&reading.problem, reading.remark()) {
            (Some(Problem::Unknown(unknown)), _) => {
                let lines = unknown.iter().map(|word| unknown_line(line, word.clone()));
                view! { <div class="hint hint-error">{lines.collect_view()} {line.stale}</div> }
                    .into_any()
            }
            (Some(Problem::TooLong { got, most }), _) => {
                let text = format!(
                    "{got} tokens, start mark included; the model takes {most}. Please shorten the prompt. {}",
                    line.stale
                );
                view! { <p class="hint hint-error">{text}</p> }.into_any()
            }
            (None, Some(remark)) => view! { <p class="hint">{remark}</p> }.into_any(),
            (None, None) => ().into_any(),
        })
    };
    view! { <div id=line.hint aria-live="polite">{content}</div> }
}

fn unknown_line(line: PromptLine, word: Word) -> impl IntoView {
    let text = format!("“{}” is not a word this model knows. ", word.text);
    let near = word.suggestions.clone();
    let chip = move |suggestion: String| {
        let (word, label) = (word.clone(), suggestion.clone());
        let repair = move |press| {
            hand_to(&press, line.id);
            let mended = line
                .prompt
                .with_untracked(|p| replaced(p, &word, &suggestion));
            line.on_prompt.run((PRESS, mended));
        };
        view! { <button type="button" class="btn chip" on:click=repair>{label}</button> " " }
    };
    let lead = if near.is_empty() {
        "Nothing like it is known."
    } else {
        "Perhaps "
    };
    view! { <p class="hint-line">{text} {lead} {near.into_iter().map(chip).collect_view()}</p> }
}
