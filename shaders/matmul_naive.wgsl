// What:     C = A B + bias + beta C, one invocation per number: the readable definition, the measure of the tiled version, and the
//           quicker one for a handful of rows.
// Formula:  C[m,n] = sum_k A[m,k] B[k,n] + bias[n] + beta C[m,n]
// Bindings: 0 Params; 1 A [m, k], rows a_row apart; 2 B, B[k,n] at k b_k + n b_n; 3 bias [n] (ignored unless has_bias);
//           4 C [m, n], rows c_row apart. Each begins at a0, b0, bias0, c0 of its binding.
// Dispatch: ceil(m n / 64) workgroups of 64, folded into two dimensions.
// Barriers: none.

struct Params {
  m: u32, n: u32, k: u32, b_k: u32, b_n: u32, has_bias: u32, beta: f32,
  a_row: u32, c_row: u32, a0: u32, b0: u32, bias0: u32, c0: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 64u + flat;
  if (i >= p.m * p.n) { return; }
  let m = i / p.n;
  let n = i % p.n;
  var x = 0.0;
  for (var k = 0u; k < p.k; k += 1u) { x += a[p.a0 + m * p.a_row + k] * b[p.b0 + k * p.b_k + n * p.b_n]; }
  if (p.has_bias != 0u) { x += bias[p.bias0 + n]; }
  let at = p.c0 + m * p.c_row + n;
  if (p.beta != 0.0) { x += p.beta * c[at]; }
  c[at] = x;
}
