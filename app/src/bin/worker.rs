//! The worker that computes on the processor.
#![forbid(unsafe_code)]

use app::worker;
use engine::Cpu;
use engine::protocol::{About, Backend};
use engine::scheduler::Scheduler;

fn main() {
    worker::report_panics();
    let about = About {
        backend: Backend::Cpu,
        gpu: None,
    };
    worker::serve(about, |emit| Scheduler::new(Cpu::new(), emit));
}
