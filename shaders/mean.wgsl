// What:     rows of a prompt's Jacobian: the mean over valid source positions of the cotangents that came back.
// Formula:  j[first + r, i] = sum over n of valid[n] g[r,n,i] / (number of valid n)
// Bindings: 0 Params; 1 g [rows, n, d]; 2 valid [n], 0 or 1; 3 j [d, d], of which `rows` rows are written
// Dispatch: ceil(rows d / 64) workgroups of 64; one invocation per number of j. The sum is compensated (Kahan 1965).
// Barriers: none.

struct Params { rows: u32, n: u32, d: u32, first: u32, inverse_count: f32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> valid: array<u32>;
@group(0) @binding(3) var<storage, read_write> j: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 64u + flat;
  if (i >= p.rows * p.d) { return; }
  let r = i / p.d;
  var sum = 0.0;
  var lost = 0.0;
  for (var n = 0u; n < p.n; n += 1u) {
    if (valid[n] != 0u) {
      let x = g[(r * p.n + n) * p.d + i % p.d] - lost;
      let next = sum + x;
      lost = (next - sum) - x;
      sum = next;
    }
  }
  j[(p.first + r) * p.d + i % p.d] = sum * p.inverse_count;
}
