//! A field for one word of the model's vocabulary.
use super::changed::when_changed;
use super::focus::hand_to;
use leptos::prelude::*;
use std::sync::Arc;

/// Near words for a word that is not known; empty if there are none.
pub type WordSuggestions = Callback<String, Vec<String>>;

/// A text field that accepts only known words. The browser offers the words of `list` (the id of a `<datalist>` in the page) while
/// typing; an unknown word is marked and answered by near words to choose from, and the old word stays in force.
#[component]
pub fn WordField(
    /// What the word is for.
    #[prop(into)]
    label: Signal<String>,
    /// The word in force.
    #[prop(into)]
    value: Signal<String>,
    /// Called with a known word.
    #[prop(into)]
    on_change: Callback<String>,
    /// Whether a word is known.
    #[prop(into)]
    known: Callback<String, bool>,
    /// Near words.
    #[prop(into)]
    suggest: WordSuggestions,
    /// Id of the field, unique in the page.
    id: &'static str,
    /// Id of a `<datalist>` of words.
    list: &'static str,
) -> impl IntoView {
    let wrong = RwSignal::new(None::<(String, Arc<[String]>)>);
    when_changed(value, move || wrong.set(None));
    let accept = move |word: String| {
        wrong.set(None);
        on_change.run(word);
    };
    let change = move |event| {
        let word = event_target_value(&event).trim().to_lowercase();
        if known.run(word.clone()) {
            accept(word);
        } else {
            wrong.set(Some((word.clone(), suggest.run(word).into())));
        }
    };
    let hint_id = format!("{id}-hint");
    let described = {
        let hint_id = hint_id.clone();
        move || wrong.with(|w| w.is_some().then(|| hint_id.clone()))
    };
    let shown = move || {
        wrong.with(|w| {
            w.as_ref()
                .map_or_else(|| value.get(), |(word, _)| word.clone())
        })
    };
    let hint = move || {
        wrong.get().map(|(word, near)| {
            let chip = |word: &String| {
                let (label, word) = (word.clone(), word.clone());
                let take = move |press| {
                    hand_to(&press, id);
                    accept(word.clone());
                };
                view! { <button type="button" class="btn chip" on:click=take>{label}</button> }
            };
            let said = if word.is_empty() {
                "type a word".to_owned()
            } else {
                format!("“{word}” is not a word of this model")
            };
            view! {
                <span class="hint hint-error" role="alert" id=hint_id.clone()>
                    {said} {near.iter().map(chip).collect_view()}
                </span>
            }
        })
    };
    view! {
        <div class="field">
            <label class="field-label" for=id>{label}</label>
            <input
                type="text"
                id=id
                list=list
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                prop:value=shown
                aria-invalid=move || wrong.with(Option::is_some).to_string()
                aria-describedby=described
                on:change=change
            />
            {hint}
        </div>
    }
}
