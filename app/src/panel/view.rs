//! How the panel looks.

use super::run::Panel;
use super::state::{Task, computing, gpu_in_words, report, self_check, speed_in_words, timing};
use crate::client::{Choice, Client, GpuState};
use crate::controls::{Button, Segmented};
use engine::protocol::{Backend, Parity};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The panel; it holds the place of `<section data-panel="engine">`.
#[component]
pub fn EnginePanel(
    /// Line to the worker.
    client: Client,
) -> impl IntoView {
    let panel = Panel::new(client);
    // findings belong to the backend that they were made on
    Effect::new(move |_| {
        if let Some(about) = client.engine().using {
            panel.findings.update(|f| f.on(about.backend));
        }
    });
    view! {
        <Choosing client />
        <Facts client />
        <Actions panel />
        <Outcome panel />
    }
}

#[component]
fn Choosing(client: Client) -> impl IntoView {
    let options = vec![
        (Choice::Automatic, "automatic"),
        (Choice::Only(Backend::Cpu), "processor"),
        (Choice::Only(Backend::Gpu), "GPU"),
    ];
    view! {
        <div class="toolbar" role="group" aria-label="Engine">
            <Segmented
                legend="Compute with"
                name="engine-backend"
                options=options
                value=Signal::derive(move || client.engine().choice)
                on_change=Callback::new(move |choice| client.choose(choice))
            />
        </div>
    }
}

#[component]
fn Facts(client: Client) -> impl IntoView {
    let rows = move || {
        let engine = client.engine();
        let mut rows = vec![
            (
                "using",
                "Computing now",
                engine
                    .using
                    .as_ref()
                    .map_or("not started yet".into(), computing),
            ),
            ("gpu", "GPU", gpu_in_words(&engine)),
        ];
        if let GpuState::Checked(check) = &engine.gpu {
            rows.push((
                "check",
                "Self-check against the processor",
                self_check(check),
            ));
            rows.push(("timing", "The same work on both", timing(check)));
        }
        rows.into_iter()
            .map(|(fact, name, value)| {
                view! { <tr data-fact=fact><th scope="row">{name}</th><td>{value}</td></tr> }
            })
            .collect_view()
    };
    view! {
        <table class="data engine-facts">
            <caption class="visually-hidden">"What computes on this page"</caption>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[component]
fn Actions(panel: Panel) -> impl IntoView {
    let busy = Signal::derive(move || {
        let running = panel.task.with(|task| matches!(task, Task::Running(_)));
        running || panel.client.model().is_none()
    });
    let copy = move |()| {
        let window = window();
        let browser = window.navigator().user_agent().unwrap_or_default();
        let text = panel
            .findings
            .with_untracked(|f| report(&panel.client.engine(), f, &browser));
        copy_text(text, panel);
    };
    view! {
        <div class="toolbar" role="group" aria-label="Checks">
            <Button label="Compare with the golden fixtures" kind="btn-primary" on_press=move |()| panel.compare() disabled=busy />
            <Button label="Measure the speed" on_press=move |()| panel.measure() disabled=busy />
            <Button label="Copy the report" kind="btn-quiet" on_press=copy />
        </div>
    }
}

/// Copies, or says that the browser refused.
fn copy_text(text: String, panel: Panel) {
    wasm_bindgen_futures::spawn_local(async move {
        let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
        let copied = match clipboard
            .ok()
            .and_then(|c| c.dyn_into::<web_sys::Clipboard>().ok())
        {
            Some(clipboard) => wasm_bindgen_futures::JsFuture::from(clipboard.write_text(&text))
                .await
                .is_ok(),
            None => false,
        };
        panel.copied.set(Some((copied, text)));
    });
}

#[component]
fn Outcome(panel: Panel) -> impl IntoView {
    let status = move || match panel.task.get() {
        Task::Idle => ().into_any(),
        Task::Running(what) => view! { <p class="status" role="status">{what} "…"</p> }.into_any(),
        Task::Failed(message) => {
            view! { <div class="error-box" role="alert"><p>{message}</p></div> }.into_any()
        }
    };
    let verdict = move || {
        panel
            .findings
            .with(|f| f.verdict().map(|(good, text)| (good, f.complete, text)))
            .map(|(good, complete, text)| {
                let class = if good {
                    "status status-good"
                } else {
                    "status status-bad"
                };
                let verdict = match (good, complete) {
                    (false, _) => "fail",
                    (true, true) => "pass",
                    (true, false) => "running",
                };
                view! { <p class=class role="status" data-parity=verdict>{text}</p> }
            })
    };
    let copied = move || {
        panel.copied.get().map(|(copied, text)| match copied {
            true => view! { <p class="status status-good" role="status">"The report is in the clipboard."</p> }.into_any(),
            false => view! {
                <p class="status status-warn" role="status">"The browser did not let the page write to the clipboard. Copy it here:"</p>
                <pre class="engine-report" tabindex="0" role="region" aria-label="Report">{text}</pre>
            }.into_any(),
        })
    };
    view! {
        {status}
        {verdict}
        <Speeds panel />
        <Comparisons panel />
        {copied}
    }
}

#[component]
fn Speeds(panel: Panel) -> impl IntoView {
    move || {
        panel.findings.with(|f| f.speed).map(|speed| {
            let [fit, product, share] = speed_in_words(&speed);
            let number = |x: f64| format!("{x:.3}");
            let fit_rate = speed.prompts_per_second.map(|p| number(p * speed.gflop_per_prompt));
            view! {
                <table class="data engine-facts"
                    data-fit-best=fit_rate[0].clone() data-fit-median=fit_rate[1].clone()
                    data-peak-best=number(speed.peak[0]) data-peak-median=number(speed.peak[1])
                    data-prompts=number(speed.prompts_per_second[1])
                >
                    <caption class="visually-hidden">"Speed of this worker"</caption>
                    <tbody>
                        <tr><th scope="row">"Fitting this model's lens"</th><td><span class="live">{fit}</span></td></tr>
                        <tr><th scope="row">"Products of 768 x 768 matrices"</th><td><span class="live">{product}</span></td></tr>
                        <tr><th scope="row">"The fit's share of that"</th><td><span class="live">{share}</span></td></tr>
                    </tbody>
                </table>
            }
        })
    }
}

#[component]
fn Comparisons(panel: Panel) -> impl IntoView {
    move || {
        let parity = panel.findings.with(|f| f.parity.clone());
        (!parity.is_empty()).then(|| {
            let rows = parity.into_iter().map(comparison).collect_view();
            view! {
                <div class="table-scroll" tabindex="0" role="region" aria-label="Comparison with the golden fixtures">
                    <table class="data">
                        <caption>"This backend against PyTorch in double precision"</caption>
                        <thead>
                            <tr>
                                <th scope="col">"family"</th>
                                <th scope="col">"part"</th>
                                <th scope="col" class="num">"results"</th>
                                <th scope="col" class="num">"largest error"</th>
                                <th scope="col">"where"</th>
                                <th scope="col">"verdict"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
        })
    }
}

fn comparison((family, p): (String, Parity)) -> impl IntoView {
    let verdict = if p.passed() { "pass" } else { "fail" };
    view! {
        <tr data-family=family.clone() data-part=p.part.clone() data-verdict=verdict data-error=format!("{:e}", p.error)>
            <th scope="row">{family.clone()}</th>
            <td>{p.part.clone()}</td>
            <td class="num">{p.compared}</td>
            <td class="num">{format!("{:.1e}", p.error)}</td>
            <td>{p.worst.clone()}</td>
            <td>{verdict}</td>
        </tr>
    }
}
