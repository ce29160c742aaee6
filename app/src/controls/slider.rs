//! Sliders: one value, or the two ends of a band of layers.
use leptos::prelude::*;

/// A slider with its value beside it.
#[component]
pub fn Slider(
    /// What it sets.
    #[prop(into)]
    label: Signal<String>,
    /// The value.
    #[prop(into)]
    value: Signal<f64>,
    /// Called while the reader drags.
    #[prop(into)]
    on_change: Callback<f64>,
    /// Least value.
    #[prop(into)]
    min: Signal<f64>,
    /// Greatest value.
    #[prop(into)]
    max: Signal<f64>,
    /// Step.
    #[prop(default = 1.0)]
    step: f64,
    /// How the value is written; the text is also what a screen reader says. Plain number if not given.
    #[prop(optional)]
    show: Option<Callback<f64, String>>,
    /// Greyed out.
    #[prop(into, optional)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let text = move || {
        let value = value.get();
        show.map_or_else(|| plain(value), |show| show.run(value))
    };
    let input = move |event| {
        if let Ok(value) = event_target_value(&event).parse() {
            on_change.run(value);
        }
    };
    view! {
        <label class="slider">
            <span class="slider-label">{label}</span>
            <input
                type="range"
                min=move || min.get().to_string()
                max=move || max.get().to_string()
                step=step.to_string()
                prop:value=move || value.get().to_string()
                aria-valuetext=text
                disabled=disabled
                on:input=input
            />
            <output class="slider-value">{text}</output>
        </label>
    }
}

/// Two sliders that hold a band of layers `first ..= last`; each end pushes the other rather than crossing it.
#[component]
pub fn BandSlider(
    /// What the band is for.
    legend: &'static str,
    /// First and last layer.
    #[prop(into)]
    value: Signal<[usize; 2]>,
    /// Called with the wished band.
    #[prop(into)]
    on_change: Callback<[usize; 2]>,
    /// Least layer.
    min: usize,
    /// Greatest layer.
    #[prop(into)]
    max: Signal<usize>,
) -> impl IntoView {
    let end = move |index: usize| Signal::derive(move || value.get()[index] as f64);
    let wish = move |index: usize| {
        Callback::new(move |wished: f64| {
            on_change.run(moved(value.get_untracked(), index, wished as usize))
        })
    };
    let top = Signal::derive(move || max.get() as f64);
    view! {
        <div class="slider-pair" role="group" aria-label=legend>
            <Slider label="First layer" value=end(0) on_change=wish(0) min=min as f64 max=top />
            <Slider label="Last layer" value=end(1) on_change=wish(1) min=min as f64 max=top />
        </div>
    }
}

/// The band after one of its ends was moved to `wished`.
fn moved(band: [usize; 2], index: usize, wished: usize) -> [usize; 2] {
    match index {
        0 => [wished, band[1].max(wished)],
        _ => [band[0].min(wished), wished],
    }
}

/// A number without needless decimals.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_push_each_other() {
        assert_eq!(moved([1, 2], 0, 5), [5, 5]);
        assert_eq!(moved([3, 6], 1, 1), [1, 1]);
        assert_eq!(moved([1, 4], 1, 7), [1, 7]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [plain(2.0), plain(0.5), plain(-0.001), plain(10.0)],
            ["2", "0.5", "0", "10"]
        );
    }
}
