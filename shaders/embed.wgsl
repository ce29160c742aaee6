// What:     gathers rows of the embedding table. Its VJP in the table is needed for training only, which runs on the CPU.
// Formula:  x[n,:] = table[token[n],:]
// Bindings: 0 Params; 1 table [V, d]; 2 tokens [n] as u32; 3 x [n, d]
// Dispatch: ceil(n d / 256) workgroups of 256, folded into two dimensions.
// Barriers: none.

struct Params { n: u32, d: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read> tokens: array<u32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.n * p.d) { return; }
  x[i] = table[tokens[i / p.d] * p.d + i % p.d];
}
