// What:     one-hot cotangents at every valid position: row r of the chunk asks for output coordinate first + r.
// Formula:  g[r,n,i] = 1 if i = first + r and valid[n], else 0
// Bindings: 0 Params; 1 valid [n], 0 or 1; 2 g [rows, n, d]
// Dispatch: ceil(rows n d / 256) workgroups of 256, folded into two dimensions.
// Barriers: none.

struct Params { rows: u32, n: u32, d: u32, first: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> valid: array<u32>;
@group(0) @binding(2) var<storage, read_write> g: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.rows * p.n * p.d) { return; }
  let here = valid[(i / p.d) % p.n] != 0u && i % p.d == p.first + i / (p.n * p.d);
  g[i] = select(0.0, 1.0, here);
}
