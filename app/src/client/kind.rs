//! Which worker is started.

use engine::protocol::Backend;

/// A kind of worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// What it computes with.
    pub backend: Backend,
    /// Also on a software adapter.
    pub forced: bool,
    /// Test hook: the GPU computes wrong numbers.
    pub fault: bool,
}

impl Kind {
    /// On the processor.
    pub(super) const CPU: Self = Self {
        backend: Backend::Cpu,
        forced: false,
        fault: false,
    };

    /// Where Trunk puts it: `data-type="worker"` files keep their names, next to the page.
    pub(super) fn script(self) -> String {
        match self.backend {
            Backend::Cpu => "./worker_loader.js".into(),
            Backend::Gpu => {
                let forced = if self.forced { "forced" } else { "" };
                let fault = if self.fault {
                    "&fault=wrong-numbers"
                } else {
                    ""
                };
                format!("./gpu_worker_loader.js?{forced}{fault}")
            }
        }
    }
}
