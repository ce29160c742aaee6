//! Opening a device with the limits of the WebGPU baseline, and what there is to say about it.

use crate::buffers::Pool;
use crate::error::{Error, Result};
use crate::options::{Limits, Options};
use crate::recorder::Recorder;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// What the page shows about a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Name, or the best description that the browser gives.
    pub name: String,
    /// Vulkan, Metal, Dx12 or BrowserWebGpu.
    pub api: String,
    /// A CPU that poses as a GPU: correct, and far slower than the CPU backend.
    pub software: bool,
}

/// The position masks used last: a fit asks for the same one hundreds of times.
pub(crate) type Masks = std::collections::VecDeque<(Vec<bool>, Rc<crate::buffers::Buf>)>;

/// The WebGPU backend; cheap to clone (clones share the device and the recording).
#[derive(Clone)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) pool: Rc<Pool>,
    pub(crate) recorder: Rc<RefCell<Recorder>>,
    pub(crate) trouble: Arc<Mutex<Option<String>>>,
    pub(crate) limits: Limits,
    pub(crate) long: u64,
    pub(crate) masks: Rc<RefCell<Masks>>,
    /// About the device.
    pub adapter: Adapter,
    /// Use the readable matrix product instead of the tiled one (for benchmarks).
    pub naive_matmul: bool,
}

impl Gpu {
    /// Opens the fastest adapter, with the default limits of WebGPU also natively.
    ///
    /// # Errors
    /// No adapter, or one that refuses a device.
    pub async fn open() -> Result<Self> {
        Self::open_with(Options::default()).await
    }

    /// As [`Gpu::open`], with options.
    ///
    /// # Errors
    /// As [`Gpu::open`].
    pub async fn open_with(options: Options) -> Result<Self> {
        let instance = wgpu::Instance::default();
        let wish = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&wish)
            .await
            .map_err(|e| Error::NoAdapter { why: e.to_string() })?;
        let info = adapter.get_info();
        let about = Adapter {
            name: if info.name.is_empty() {
                format!("{} {}", info.driver, info.driver_info)
                    .trim()
                    .to_string()
            } else {
                info.name.clone()
            },
            api: format!("{:?}", info.backend),
            software: info.device_type == wgpu::DeviceType::Cpu
                || info.name.to_lowercase().contains("swiftshader"),
        };
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::defaults(),
            ..Default::default()
        };
        let (device, queue) =
            adapter
                .request_device(&descriptor)
                .await
                .map_err(|e| Error::NoDevice {
                    adapter: about.name.clone(),
                    why: e.to_string(),
                })?;
        Ok(Self::with_device(device, queue, about, options))
    }

    fn with_device(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: Adapter,
        options: Options,
    ) -> Self {
        let trouble = Arc::new(Mutex::new(None));
        let note = |trouble: &Arc<Mutex<Option<String>>>, what: String| {
            if let Ok(mut t) = trouble.lock() {
                t.get_or_insert(what);
            }
        };
        let lost = Arc::clone(&trouble);
        device.set_device_lost_callback(move |reason, message| {
            note(
                &lost,
                format!("the device was lost ({reason:?}): {message}"),
            );
        });
        let failed = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| note(&failed, e.to_string())));
        let recorder = Rc::new(RefCell::new(Recorder::new(&device, options)));
        Self {
            device,
            queue,
            pool: Rc::default(),
            recorder,
            trouble,
            limits: options.limits.unwrap_or_default(),
            long: options.long.unwrap_or(Options::LONG),
            masks: Rc::default(),
            adapter,
            naive_matmul: false,
        }
    }

    /// Ends the device, as a driver reset would (for fault tests).
    pub fn destroy(&self) {
        self.device.destroy();
    }

    /// The first thing that went wrong on the device, if any.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.lock().ok().and_then(|t| t.clone())
    }
}
