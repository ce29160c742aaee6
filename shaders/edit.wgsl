// What:     a low-rank affine edit of the residual stream: steering, ablation and swaps, see the transformer crate's ops/edit.rs.
// Formula:  h_n <- h_n + V a, a = M P h_n + c_n, where on[n]; V and P as rows [k, d]
// Bindings: 0 Params; 1 h [n, d]; 2 V [k, d]; 3 P [k, d]; 4 M [k, k]; 5 c [n, k]; 6 on [n], 0 or 1
// Dispatch: one workgroup of 64 per position, folded into two dimensions; k <= 1024.
// Barriers: one between writing the coordinates P h and using them, one between writing the amounts a and using them (the second also
//           keeps h as it was until everybody has read it). The branches before them depend on the workgroup's id only.

struct Params { n: u32, d: u32, k: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> h: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> dual: array<f32>;
@group(0) @binding(4) var<storage, read> mix: array<f32>;
@group(0) @binding(5) var<storage, read> c: array<f32>;
@group(0) @binding(6) var<storage, read> on: array<u32>;

var<workgroup> coordinates: array<f32, 1024>;
var<workgroup> amounts: array<f32, 1024>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let n = group.y * groups.x + group.x;
  if (n >= p.n) { return; }
  if (on[n] == 0u) { return; }
  for (var j = lane; j < p.k; j += 64u) {
    var x = 0.0;
    for (var i = 0u; i < p.d; i += 1u) { x += dual[j * p.d + i] * h[n * p.d + i]; }
    coordinates[j] = x;
  }
  workgroupBarrier();
  for (var j = lane; j < p.k; j += 64u) {
    var a = c[n * p.k + j];
    for (var e = 0u; e < p.k; e += 1u) { a += mix[j * p.k + e] * coordinates[e]; }
    amounts[j] = a;
  }
  workgroupBarrier();
  for (var i = lane; i < p.d; i += 64u) {
    var x = h[n * p.d + i];
    for (var j = 0u; j < p.k; j += 1u) { x += amounts[j] * v[j * p.d + i]; }
    h[n * p.d + i] = x;
  }
}
