//! What is asked, which words, and how the edit is made.

use super::catalogue::Catalogue;
use super::settings::{Mode, Task};
use super::wire::Swap;
use crate::controls::{BandSlider, Button, Check, Segmented, Select, Slider, WordField};
use crate::figures::history::PRESS;
use crate::figures::text::target_options;
use leptos::prelude::*;
use smallworld::Family;

/// Task, prompt, source and target.
#[component]
pub fn PromptTools(swap: Swap) -> impl IntoView {
    let task = swap.get(|s| s.task);
    let can_undo = Memo::new(move |_| swap.settings.with(|s| s.can_undo()));
    view! {
        <div class="toolbar" role="group" aria-label="Task and prompt">
            <Segmented
                legend="Task"
                name="swap-task"
                options=Task::ALL.to_vec()
                value=task
                on_change=move |task| swap.change(PRESS, |s| s.task = task)
            />
            <Show when=move || task.get() == Task::Recall>
                <Segmented
                    legend="About"
                    name="swap-family"
                    options=vec![(Family::Animals, "animals"), (Family::Countries, "countries")]
                    value=swap.get(|s| s.lab().family)
                    on_change=move |family| swap.change(PRESS, |s| swap.catalogue.with_value(|c| c.turn_to(s, family)))
                />
            </Show>
            <Show when=move || task.get() == Task::Languages>
                <Segmented
                    legend="Asked in"
                    name="swap-language"
                    options=vec![(true, "Chinese"), (false, "French")]
                    value=swap.get(|s| s.lab().chinese)
                    on_change=move |chinese| swap.change(PRESS, |s| swap.catalogue.with_value(|c| c.speak(s, chinese)))
                />
            </Show>
            <Show when=move || task.get() != Task::Flexible>
                <PromptChoice swap=swap />
            </Show>
        </div>
        <div class="toolbar" role="group" aria-label="The two words and the edit">
            <Words swap=swap />
            <Edit swap=swap />
            <Show when=move || matches!(task.get(), Task::Recall | Task::Flexible)>
                <Check
                    label="filler “, let me think ,”"
                    value=swap.get(|s| s.lab().filler)
                    on_change=move |filler| swap.change_lab(PRESS, |lab| lab.filler = filler)
                />
            </Show>
            <Check
                label="centred vectors"
                value=swap.get(|s| s.lab().centred)
                on_change=move |centred| swap.change_lab(PRESS, |lab| lab.centred = centred)
            />
            <div class="btn-pair">
                <Button label="Undo" disabled=Signal::derive(move || !can_undo.get()) on_press=move |()| swap.settings.update(|s| s.undo()) />
                <Button label="Reset" on_press=move |()| swap.change(PRESS, |s| s.reset_task()) />
            </div>
        </div>
    }
}

#[component]
fn PromptChoice(swap: Swap) -> impl IntoView {
    let offers = Memo::new(move |_| {
        swap.settings
            .with(|s| swap.catalogue.with_value(|c| c.offers(s.now())))
    });
    let options = Signal::derive(move || offers.get().into_iter().enumerate().collect::<Vec<_>>());
    let choose =
        move |item: usize| swap.change(PRESS, |s| swap.catalogue.with_value(|c| c.choose(s, item)));
    view! {
        <Select label="Prompt, held out of training unless marked" options=options value=swap.get(|s| s.lab().item) on_change=choose grow=true />
    }
}

/// Source and target. Countries for flexible use, any word otherwise.
#[component]
fn Words(swap: Swap) -> impl IntoView {
    let task = swap.get(|s| s.task);
    let near = Memo::new(move |_| swap.settings.with(|s| Catalogue::words(s.now())));
    let options = Signal::derive(move || {
        near.get()
            .into_iter()
            .map(|word| (word.to_owned(), word.to_owned()))
            .collect::<Vec<_>>()
    });
    let (source, target) = (
        swap.get(|s| s.lab().source.clone()),
        swap.get(|s| s.lab().target.clone()),
    );
    let set_source = move |word: String| swap.change_lab("source", |lab| lab.source = word);
    let set_target = move |word: String| swap.change_lab("target", |lab| lab.target = word);
    let list = move || {
        near.get()
            .into_iter()
            .map(|word| view! { <option value=word></option> })
            .collect_view()
    };
    let model = move || untrack(move || swap.client().model());
    let known =
        Callback::new(move |word: String| model().is_some_and(|model| model.id(&word).is_some()));
    let suggest = Callback::new(move |word: String| {
        let words = model().map(|model| model.words(&word)).unwrap_or_default();
        words
            .into_iter()
            .next()
            .map(|word| word.suggestions)
            .unwrap_or_default()
    });
    view! {
        <Show
            when=move || task.get() == Task::Flexible
            fallback=move || {
                view! {
                    <datalist id="swap-words">{list}</datalist>
                    <WordField label="Swap" value=source on_change=set_source known=known suggest=suggest id="swap-source" list="swap-words" />
                    <WordField label="for" value=target on_change=set_target known=known suggest=suggest id="swap-target" list="swap-words" />
                }
            }
        >
            <Select label="Swap" options=options value=source on_change=set_source />
            <Select label="for" options=options value=target on_change=set_target />
        </Show>
    }
}

/// How the exchange is made.
#[component]
fn Edit(swap: Swap) -> impl IntoView {
    let mode = swap.get(|s| s.lab().mode);
    let modes = Mode::ALL.map(|(mode, name)| (mode, name.to_owned()));
    view! {
        <Select
            label="Edit"
            options=Signal::stored(modes.to_vec())
            value=mode
            on_change=move |mode| swap.change_lab(PRESS, |lab| lab.mode = mode)
        />
        <Show when=move || mode.get().has_strength()>
            <Slider
                label="Strength"
                value=swap.get(|s| s.lab().strength)
                on_change=move |strength| swap.change_lab("strength", |lab| lab.strength = strength)
                min=0.0
                max=3.0
                step=0.1
            />
        </Show>
    }
}

/// Model, layers, lens.
#[component]
pub fn Intervention(swap: Swap) -> impl IntoView {
    // The last state is the output itself: an edit there would only rewrite the answer.
    let last = Signal::derive(move || {
        swap.client()
            .model()
            .map_or(7, |model| model.info.n_layers.saturating_sub(1).max(1))
    });
    view! {
        <div class="toolbar" role="group" aria-label="Model, layers and lens">
            <Segmented
                legend="Model"
                name="swap-model"
                options=vec![(false, "sees 5 tokens"), (true, "sees all, as a control")]
                value=swap.get(|s| s.windowless)
                on_change=move |windowless| swap.change(PRESS, |s| s.windowless = windowless)
            />
            <BandSlider
                legend="Layers"
                value=swap.get(|s| s.lab().band)
                on_change=move |band| swap.change_lab("band", |lab| lab.band = band)
                min=1
                max=last
            />
            <Segmented
                legend="Lens vectors of"
                name="swap-targets"
                options=target_options()
                value=swap.get(|s| s.lab().targets)
                on_change=move |targets| swap.change_lab(PRESS, |lab| lab.targets = targets)
            />
        </div>
    }
}
