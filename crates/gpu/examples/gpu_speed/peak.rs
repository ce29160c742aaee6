//! What the device can do at best: multiply-adds on numbers that stay in registers, eight independent chains of four per invocation.

use crate::Outcome;
use std::time::Instant;

const KERNEL: &str = "
override TIMES: u32 = 1u;
@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let x = vec4<f32>(f32(id.x) * 1e-9 + 0.5);
  let y = vec4<f32>(0.25);
  var a = x; var b = x + 0.1; var c = x + 0.2; var d = x + 0.3;
  var e = x + 0.4; var f = x + 0.5; var g = x + 0.6; var h = x + 0.7;
  for (var i = 0u; i < TIMES; i += 1u) {
    a = fma(a, x, y); b = fma(b, x, y); c = fma(c, x, y); d = fma(d, x, y);
    e = fma(e, x, y); f = fma(f, x, y); g = fma(g, x, y); h = fma(h, x, y);
  }
  out[id.x] = a + b + c + d + e + f + g + h;
}";

/// Operations per turn of an invocation: eight vectors of four, two each.
const PER_TURN: f64 = 64.0;

/// Operations per second.
pub async fn measure(software: bool) -> Outcome<f64> {
    let adapter = wgpu::Instance::default()
        .request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        })
        .await?;
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor::default())
        .await?;
    let (groups, times) = if software {
        (64u32, 512u32)
    } else {
        (8192, 4096)
    };
    let out = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(groups) * 256 * 16,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("peak"),
        source: wgpu::ShaderSource::Wgsl(KERNEL.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("peak"),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[("TIMES", f64::from(times))],
            ..Default::default()
        },
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: out.as_entire_binding(),
        }],
    });
    let once = || -> Outcome<f64> {
        let start = Instant::now();
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(start.elapsed().as_secs_f64())
    };
    once()?; // warms up
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        best = best.min(once()?);
    }
    Ok(PER_TURN * f64::from(times) * f64::from(groups) * 256.0 / best)
}
