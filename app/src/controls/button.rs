//! Buttons and check boxes.
use leptos::prelude::*;

/// A button. `kind` adds class names, for example `btn-primary` or `btn-quiet btn-small`.
#[component]
pub fn Button(
    /// What it says.
    #[prop(into)]
    label: Signal<String>,
    /// What it does.
    #[prop(into)]
    on_press: Callback<()>,
    /// Further class names.
    #[prop(default = "")]
    kind: &'static str,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <button type="button" class=format!("btn {kind}") disabled=disabled on:click=move |_| on_press.run(())>
            {label}
        </button>
    }
}

/// A check box with its label.
#[component]
pub fn Check(
    /// What it says.
    #[prop(into)]
    label: Signal<String>,
    /// Whether it is checked.
    #[prop(into)]
    value: Signal<bool>,
    /// Called with the wished state.
    #[prop(into)]
    on_change: Callback<bool>,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <label class="check">
            <input
                type="checkbox"
                prop:checked=value
                disabled=disabled
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            <span>{label}</span>
        </label>
    }
}
