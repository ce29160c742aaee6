// What:     residual adds, and learned positions repeated over the sequences of a batch. The VJP of an add is a copy.
// Formula:  a[i] += b[i mod period]
// Bindings: 0 Params; 1 a [len]; 2 b [>= period]
// Dispatch: ceil(len / 256) workgroups of 256, folded into two dimensions.
// Barriers: none.

struct Params { len: u32, period: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.len) { return; }
  a[i] += b[i % p.period];
}
