//! Recording dispatches, and submitting them together.
//!
//! Every dispatch has a slot of 256 bytes in one uniform buffer for its parameters (bound with a dynamic offset), a pipeline made
//! once, and a bind group that is cached by the buffers it names. A recording that grows too long is submitted early, so that no
//! command buffer runs into a driver's watchdog (two seconds on Windows).

use crate::buffers::{Buf, View};
use crate::options::{Limits, Options};
use crate::pipelines::{Kernel, kernel};
use shaders::Shader;
use std::collections::{HashMap, HashSet};
use transformer::Error;

const SLOT: usize = 256;
const SLOTS: usize = 4096;
const MAX_GROUPS: u32 = 65_535;

/// How much was sent to the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Dispatches recorded.
    pub dispatches: u64,
    /// Command buffers submitted.
    pub submits: u64,
    /// Buffers read back.
    pub readbacks: u64,
    /// Bytes read back.
    pub bytes_read: u64,
    /// Bytes sent to the device: uploads, and the parameters of dispatches.
    pub bytes_written: u64,
}

/// Where work goes.
#[derive(Clone, Copy)]
pub(crate) struct To<'a> {
    pub device: &'a wgpu::Device,
    pub queue: &'a wgpu::Queue,
}

/// One dispatch.
pub(crate) struct Dispatch<'a> {
    pub kernel: (Shader, usize),
    pub params: &'a [u32],
    pub buffers: &'a [View<'a>],
    pub count: [u32; 2],
    pub work: u64,
}

enum Step {
    Dispatch {
        shader: Shader,
        variant: usize,
        group: wgpu::BindGroup,
        slot: usize,
        count: [u32; 2],
    },
    Clear(wgpu::Buffer),
    Copy(wgpu::Buffer, wgpu::Buffer, u64),
}

/// Pipelines, bind groups, and what is recorded but not submitted.
pub(crate) struct Recorder {
    kernels: HashMap<Shader, Kernel>,
    groups: HashMap<(Shader, Vec<[u64; 3]>), wgpu::BindGroup>,
    params: wgpu::Buffer,
    words: Vec<u8>,
    steps: Vec<Step>,
    work: u64,
    long: u64,
    limits: Limits,
    /// Why the recording cannot be computed.
    refused: Option<Error>,
    pub counters: Counters,
}

impl Recorder {
    /// Compiles every kernel with every set of overrides.
    pub fn new(device: &wgpu::Device, options: Options) -> Self {
        let params = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("params"),
            size: (SLOT * SLOTS) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let kernels = Shader::ALL
            .iter()
            .map(|&s| (s, kernel(device, s, options.fault)));
        Self {
            kernels: kernels.collect(),
            groups: HashMap::new(),
            params,
            words: Vec::new(),
            steps: Vec::new(),
            work: 0,
            long: options.long.unwrap_or(Options::LONG),
            limits: options.limits.unwrap_or_default(),
            refused: None,
            counters: Counters::default(),
        }
    }

    /// Records a dispatch of `count` workgroups over `buffers` in binding order; `work` in multiply-adds.
    pub fn dispatch(&mut self, to: To<'_>, d: &Dispatch<'_>) {
        if let Some(why) = self.too_large(d) {
            self.refuse(why);
        }
        if self.refused.is_some() {
            return;
        }
        let full = self.words.len() / SLOT == SLOTS;
        if full || (self.work > 0 && self.work + d.work > self.long) {
            self.submit(to, |_| ());
        }
        let slot = self.words.len() / SLOT;
        self.words.extend_from_slice(bytemuck::cast_slice(d.params));
        self.words.resize((slot + 1) * SLOT, 0);
        self.work += d.work;
        self.counters.dispatches += 1;
        let (shader, variant) = d.kernel;
        let group = self.group(to.device, shader, d.buffers);
        self.steps.push(Step::Dispatch {
            shader,
            variant,
            group,
            slot,
            count: d.count,
        });
    }

    /// A view that a kernel cannot see whole.
    fn too_large(&self, d: &Dispatch<'_>) -> Option<Error> {
        let most = self.limits.binding;
        let bad = |v: &&View<'_>| v.size > most || !v.buf.is_there();
        let size = d.buffers.iter().find(bad)?.size;
        Some(Error::Shape {
            op: d.kernel.0.kernel().name,
            expected: format!(
                "at most {most} bytes per matrix, which is what WebGPU lets a kernel see; take fewer rows or words at a time"
            ),
            got: format!("{size} bytes"),
        })
    }

    /// Notes why the recording cannot be computed; the next read says so and starts afresh.
    pub fn refuse(&mut self, why: Error) {
        self.refused.get_or_insert(why);
    }

    /// What was refused since the last read; forgets the recording then.
    pub fn take_refused(&mut self) -> Option<Error> {
        let why = self.refused.take()?;
        self.steps.clear();
        self.words.clear();
        self.work = 0;
        Some(why)
    }

    /// Records that a buffer is filled with zeros.
    pub fn clear(&mut self, buf: &Buf) {
        self.steps.push(Step::Clear(buf.raw.clone()));
    }

    /// Records a copy between buffers of the same length.
    pub fn copy(&mut self, from: &Buf, to: &Buf) {
        if self.refused.is_some() {
            return;
        }
        let bytes = (from.len * 4) as u64;
        self.steps
            .push(Step::Copy(from.raw.clone(), to.raw.clone(), bytes));
    }

    /// Submits everything recorded, with `last` adding to the same command buffer.
    pub fn submit(&mut self, to: To<'_>, last: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let To { device, queue } = to;
        queue.write_buffer(&self.params, 0, &self.words);
        self.counters.bytes_written += self.words.len() as u64;
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            match step {
                Step::Clear(buf) => encoder.clear_buffer(buf, 0, None),
                Step::Copy(from, to, bytes) => {
                    encoder.copy_buffer_to_buffer(from, 0, to, 0, *bytes);
                }
                Step::Dispatch { .. } => {
                    let mut pass = encoder.begin_compute_pass(&Default::default());
                    self.record(step, &mut pass);
                    while let Some(next) = steps.next_if(|s| matches!(s, Step::Dispatch { .. })) {
                        self.record(next, &mut pass);
                    }
                }
            }
        }
        last(&mut encoder);
        queue.submit([encoder.finish()]);
        self.counters.submits += 1;
        self.steps.clear();
        self.words.clear();
        self.work = 0;
    }

    fn record(&self, step: &Step, pass: &mut wgpu::ComputePass<'_>) {
        let Step::Dispatch {
            shader,
            variant,
            group,
            slot,
            count,
        } = step
        else {
            return;
        };
        let Some(kernel) = self.kernels.get(shader) else {
            return;
        };
        pass.set_pipeline(&kernel.pipelines[*variant]);
        pass.set_bind_group(0, group, &[(slot * SLOT) as u32]);
        pass.dispatch_workgroups(count[0], count[1], 1);
    }

    fn group(
        &mut self,
        device: &wgpu::Device,
        shader: Shader,
        buffers: &[View<'_>],
    ) -> wgpu::BindGroup {
        let names = buffers.iter().map(|v| [v.buf.id, v.offset, v.size]);
        let key = (shader, names.collect::<Vec<_>>());
        if let Some(group) = self.groups.get(&key) {
            return group.clone();
        }
        let binding = |buffer, offset, size| wgpu::BufferBinding {
            buffer,
            offset,
            size: wgpu::BufferSize::new(size),
        };
        let params = binding(&self.params, 0, SLOT as u64);
        let views = buffers
            .iter()
            .map(|v| binding(&v.buf.raw, v.offset, v.size));
        let all = std::iter::once(params).chain(views).enumerate();
        let entries: Vec<_> = all
            .map(|(i, buffer)| wgpu::BindGroupEntry {
                binding: i as u32,
                resource: wgpu::BindingResource::Buffer(buffer),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.kernels[&shader].layout,
            entries: &entries,
        });
        if self.groups.len() > 8192 {
            self.groups.clear();
        }
        self.groups.insert(key, group.clone());
        group
    }

    /// Drops the bind groups of buffers that are gone: they would keep them alive.
    pub fn bury(&mut self, dead: Vec<u64>) {
        if dead.is_empty() {
            return;
        }
        let dead: HashSet<u64> = dead.into_iter().collect();
        self.groups
            .retain(|(_, names), _| !names.iter().any(|[id, ..]| dead.contains(id)));
    }
}

/// `n` workgroups folded into two dimensions of at most 65,535.
pub(crate) fn fold(n: usize) -> [u32; 2] {
    let n = n.max(1) as u32;
    if n <= MAX_GROUPS {
        [n, 1]
    } else {
        let y = n.div_ceil(MAX_GROUPS);
        [n.div_ceil(y), y]
    }
}
