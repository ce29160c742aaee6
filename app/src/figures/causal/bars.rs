//! Shares as bars with their intervals, all of one length.

use leptos::prelude::*;

/// A share of 1 as a bar; its 95 % interval, if there is one, as a whisker with a light edge, which shows on the bar and beside it.
pub fn bar(share: f32, interval: Option<[f32; 2]>) -> impl IntoView {
    let whisker = interval.map(|bounds| {
        let [low, high] = bounds.map(|x| 100.0 * x.clamp(0.0, 1.0));
        let d = format!("M{low:.1} 5H{high:.1}M{low:.1} 3V7M{high:.1} 3V7");
        view! {
            <path class="causal-edge" d=d.clone()></path>
            <path class="causal-whisker" d=d></path>
        }
    });
    let width = format!("{:.1}", 100.0 * share.clamp(0.0, 1.0));
    view! {
        <svg class="causal-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="causal-track" width="100" height="10"></rect>
            <rect class="causal-share" width=width height="10"></rect>
            {whisker}
        </svg>
    }
}
