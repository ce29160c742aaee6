//! Kernels on a device: compiled once, when it is opened.

use crate::options::Fault;
use shaders::Shader;

/// A kernel's bindings, and a pipeline per set of overrides.
pub(crate) struct Kernel {
    pub layout: wgpu::BindGroupLayout,
    pub pipelines: Vec<wgpu::ComputePipeline>,
}

/// Compiles a kernel with each set of overrides.
pub(crate) fn kernel(device: &wgpu::Device, shader: Shader, fault: Option<Fault>) -> Kernel {
    let k = shader.kernel();
    let entry =
        |binding: u32, ty: wgpu::BufferBindingType, dynamic: bool| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: dynamic,
                min_binding_size: None,
            },
            count: None,
        };
    let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
    entries.extend(k.writes.iter().enumerate().map(|(i, &write)| {
        let ty = wgpu::BufferBindingType::Storage { read_only: !write };
        entry(i as u32 + 1, ty, false)
    }));
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(k.name),
        entries: &entries,
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(k.name),
        bind_group_layouts: &[Some(&layout)],
        ..Default::default()
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(k.name),
        source: wgpu::ShaderSource::Wgsl(Fault::source(fault, shader)),
    });
    let pipelines = k.overrides.iter().map(|constants| {
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(k.name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    });
    Kernel {
        pipelines: pipelines.collect(),
        layout,
    }
}
