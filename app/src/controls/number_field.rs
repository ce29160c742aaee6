//! A typed number, for readers who want an exact value or cannot drag.
use super::changed::when_changed;
use leptos::prelude::*;

/// A number field. Nonsense is marked and not reported; values outside the range are brought to its nearest end.
#[component]
pub fn NumberField(
    /// What it sets.
    #[prop(into)]
    label: Signal<String>,
    /// The value.
    #[prop(into)]
    value: Signal<f64>,
    /// Called when the reader has typed a number (on Enter or on leaving the field).
    #[prop(into)]
    on_change: Callback<f64>,
    /// Least value.
    min: f64,
    /// Greatest value.
    #[prop(into)]
    max: Signal<f64>,
    /// Step of the arrow keys.
    #[prop(default = 0.1)]
    step: f64,
    /// Decimals shown.
    #[prop(default = 2)]
    decimals: usize,
) -> impl IntoView {
    let invalid = RwSignal::new(false);
    when_changed(value, move || invalid.set(false));
    let change = move |event| match parse(&event_target_value(&event), min, max.get_untracked()) {
        Some(number) => {
            invalid.set(false);
            on_change.run(number);
        }
        None => invalid.set(true),
    };
    view! {
        <label class="field">
            <span class="field-label">{label}</span>
            <input
                type="number"
                inputmode="decimal"
                min=min.to_string()
                max=move || max.get().to_string()
                step=step.to_string()
                prop:value=move || format!("{:.*}", decimals, value.get())
                aria-invalid=move || invalid.get().to_string()
                on:change=change
            />
        </label>
    }
}

/// A finite number from typed text, a decimal comma allowed, kept within the range.
fn parse(text: &str, min: f64, max: f64) -> Option<f64> {
    let number: f64 = text.trim().replace(',', ".").parse().ok()?;
    number.is_finite().then(|| number.clamp(min, max))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn typed_numbers() {
        assert_eq!(parse(" 0,25 ", -1.0, 1.0), Some(0.25));
        assert_eq!(parse("-7", -1.0, 1.0), Some(-1.0));
        assert_eq!(parse("inf", -1.0, 1.0), None);
        assert_eq!(parse("two", -1.0, 1.0), None);
    }
}
