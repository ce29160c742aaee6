//! What the page says about its worker.

use super::{Client, Status};
use leptos::prelude::*;

/// Progress while the model comes, an error with a way to try again, and the notice that a worker was restarted; nothing else.
#[component]
pub fn StatusLine(
    /// Whose status.
    client: Client,
) -> impl IntoView {
    let main = move || {
        match client.status() {
        Status::Starting { received, total } => {
            let text = starting(received, total);
            view! { <p class="status" role="status" data-status="starting">{text}</p> }.into_any()
        }
        Status::Ready => ().into_any(),
        Status::Failed(message) => view! {
            <div class="error-box" role="alert" data-status="failed">
                <p>{message}</p>
                <button type="button" class="btn" on:click=move |_| client.retry()>"Try again"</button>
            </div>
        }
        .into_any(),
    }
    };
    let notice = move || {
        client.notice().map(|text| {
            view! {
                <p class="status status-warn" role="status" data-status="notice">
                    {text} " "
                    <button type="button" class="btn btn-quiet btn-small" on:click=move |_| client.dismiss_notice()>"Got it"</button>
                </p>
            }
        })
    };
    view! { {main} {notice} }
}

fn starting(received: f64, total: Option<f64>) -> String {
    let megabytes = |bytes: f64| format!("{:.1}", bytes / 1e6);
    match total {
        Some(total) if received >= total => "Starting the model…".into(),
        Some(total) => format!(
            "Loading the model, {} of {} MB",
            megabytes(received),
            megabytes(total)
        ),
        None if received > 0.0 => format!("Loading the model, {} MB so far", megabytes(received)),
        None => "Loading the model…".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::starting;

    #[test]
    fn progress_in_words() {
        assert_eq!(starting(0.0, None), "Loading the model…");
        assert_eq!(
            starting(4e5, Some(1.7e6)),
            "Loading the model, 0.4 of 1.7 MB"
        );
        assert_eq!(starting(4e5, None), "Loading the model, 0.4 MB so far");
        assert_eq!(starting(5.0, Some(5.0)), "Starting the model…");
    }
}
