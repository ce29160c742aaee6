// What:     cotangents of a non-linearity's input: the cotangent times the saved slope; R rows of cotangents share the slopes.
// Formula:  gx = g slope; SwiGLU: gx[gate | up] = g slope[gate | up]
// Bindings: 0 Params; 1 g [R n, f]; 2 slope [n, f] (gated [n, 2 f]); 3 gx (R times the shape of slope)
// Dispatch: ceil(R n f (2 f) / 256) workgroups of 256, folded into two dimensions; one invocation per number of gx.
// Barriers: none.

struct Params { len: u32, f: u32, period: u32, gated: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> slope: array<f32>;
@group(0) @binding(3) var<storage, read_write> gx: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.len) { return; }
  var source = i;
  if (p.gated != 0u) { source = (i / (2u * p.f)) * p.f + i % p.f; }
  gx[i] = g[source] * slope[i % p.period];
}
