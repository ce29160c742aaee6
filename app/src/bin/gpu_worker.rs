//! The worker that computes on the GPU, fetched only when one is tried: a program of its own, so that the first one stays small.
//!
//! Before it says that it is ready it computes a small forward and backward pass on GPU and processor and compares. The page
//! decides by what it finds ([`About`]) whether it is used. Its address may say `?forced` (a software adapter is tried too) and,
//! for the fault tests, `fault=wrong-numbers` (one kernel computes something else).
#![forbid(unsafe_code)]

use app::worker::{self, asked_for};
use engine::protocol::{About, Backend, Event, GpuCheck};
use engine::scheduler::Scheduler;
use gpu::{Check, Fault, Gpu, Options, self_check};
use wasm_bindgen_futures::spawn_local;

fn main() {
    worker::report_panics();
    spawn_local(async {
        match open().await {
            Ok((gpu, about)) => worker::serve(about, |emit| {
                Scheduler::new(gpu, emit).with_loss(Gpu::destroy)
            }),
            Err(message) => worker::post(&Event::Unfit { message }),
        }
    });
}

/// A device that has been checked, or why there is none.
async fn open() -> Result<(Gpu, About), String> {
    let options = Options {
        fault: asked_for("fault=wrong-numbers").then_some(Fault::WrongNumbers),
        ..Options::default()
    };
    let gpu = Gpu::open_with(options).await.map_err(|e| e.to_string())?;
    if gpu.adapter.software && !asked_for("forced") {
        let name = &gpu.adapter.name;
        return Err(format!(
            "the only adapter, {name}, is a processor that poses as a GPU, and far slower than computing without it"
        ));
    }
    let (gpu, check) = self_check(gpu, worker::now)
        .await
        .map_err(|e| e.to_string())?;
    if !check.correct() {
        return Err(format!(
            "its numbers are wrong: they differ from the processor's by {:.1e}, where {:.0e} is allowed ({})",
            check.error,
            Check::TOLERANCE,
            gpu.adapter.name
        ));
    }
    let about = About {
        backend: Backend::Gpu,
        gpu: Some(GpuCheck {
            adapter: format!("{} ({})", gpu.adapter.name, gpu.adapter.api),
            software: gpu.adapter.software,
            precision: check.precision.into(),
            error: check.error,
            tolerance: Check::TOLERANCE,
            seconds: check.timing.map(|t| [t.gpu_seconds, t.cpu_seconds]),
            worthwhile: check.worthwhile(),
        }),
    };
    Ok((gpu, about))
}
