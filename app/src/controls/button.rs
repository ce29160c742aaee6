//! Buttons and check boxes.
use leptos::prelude::*;

/// A button. `kind` adds class names, for example `btn-primary` or `btn-quiet btn-small`.
///
/// Greyed out while it has the focus, it keeps the focus and only says that it is disabled: the browser would drop the focus, and a
/// keyboard reader who has pressed "Undo" for the last time would be nowhere.
#[component]
pub fn Button(
    /// What it says.
    #[prop(into)]
    label: Signal<String>,
    /// What it does.
    #[prop(into)]
    on_press: Callback<()>,
    /// Further class names.
    #[prop(into, optional)]
    kind: Signal<&'static str>,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let focused = RwSignal::new(false);
    // A button that vanishes loses the focus after its signals are gone.
    let focus = move |has: bool| {
        focused.try_set(has);
    };
    let press = move |_| {
        if !disabled.get_untracked() {
            on_press.run(());
        }
    };
    view! {
        <button
            type="button"
            class=move || format!("btn {}", kind.get())
            disabled=move || disabled.get() && !focused.get()
            aria-disabled=move || (disabled.get() && focused.get()).then_some("true")
            on:focus=move |_| focus(true)
            on:blur=move |_| focus(false)
            on:click=press
        >
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
