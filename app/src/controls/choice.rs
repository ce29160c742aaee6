//! One choice among a few (segmented switch) or many (select).
use leptos::prelude::*;

/// A value that can be one of the options of a switch.
pub trait Choice: Clone + PartialEq + Send + Sync + 'static {}
impl<T: Clone + PartialEq + Send + Sync + 'static> Choice for T {}

/// A switch with all its options in sight: radio buttons drawn as one bar.
#[component]
pub fn Segmented<T: Choice>(
    /// What is being chosen.
    legend: &'static str,
    /// Group name of the radio buttons, unique in the page.
    name: &'static str,
    /// Options with their labels.
    options: Vec<(T, &'static str)>,
    /// The chosen option.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the wished option.
    #[prop(into)]
    on_change: Callback<T>,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let radio = move |(option, label): (T, &'static str)| {
        let chosen = option.clone();
        view! {
            <label>
                <input
                    type="radio"
                    name=name
                    prop:checked=move || value.get() == chosen
                    on:change=move |_| on_change.run(option.clone())
                />
                <span>{label}</span>
            </label>
        }
    };
    view! {
        <fieldset class="segmented" disabled=disabled>
            <legend>{legend}</legend>
            {options.into_iter().map(radio).collect_view()}
        </fieldset>
    }
}

/// A drop-down list; its options may change.
#[component]
pub fn Select<T: Choice>(
    /// What is being chosen.
    #[prop(into)]
    label: Signal<String>,
    /// Options with their labels.
    #[prop(into)]
    options: Signal<Vec<(T, String)>>,
    /// The chosen option; if it is none of the options, nothing appears chosen.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the wished option.
    #[prop(into)]
    on_change: Callback<T>,
    /// Takes the room that is left in the row.
    #[prop(optional)]
    grow: bool,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let change = move |event| {
        let wished = event_target_value(&event).parse::<usize>().ok();
        let option = wished.and_then(|index| {
            options.with_untracked(|all| all.get(index).map(|(option, _)| option.clone()))
        });
        if let Some(option) = option {
            on_change.run(option);
        }
    };
    // `selected` on each option, not `value` on the list: the list is rebuilt together with its options. Both are read here and not
    // through a memo of both, which would be found unchanged while the options under it have changed.
    let list = move || {
        let (all, chosen) = (options.get(), value.get());
        let item = |(index, (option, label)): (usize, (T, String))| {
            view! { <option value=index.to_string() prop:selected={option == chosen}>{label}</option> }
        };
        all.into_iter().enumerate().map(item).collect_view()
    };
    view! {
        <label class="field" class:field-grow=grow>
            <span class="field-label">{label}</span>
            <select on:change=change disabled=disabled>{list}</select>
        </label>
    }
}
