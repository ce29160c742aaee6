// What:     C = A B + bias + beta C, tiled. The linear maps of the model, forwards and backwards, and the transport of a lens.
// Formula:  C[m,n] = sum_k A[m,k] B[k,n] + bias[n] + beta C[m,n]
// Bindings: 0 Params; 1 A [m, k] row-major; 2 B, B[k,n] at k * b_k + n * b_n (so [k, n] and its transpose need no copy);
//           3 bias [n] (ignored unless has_bias); 4 C [m, n]
// Dispatch: ceil(n / 64) x ceil(m / 64) workgroups; each computes a 64 x 64 tile, each invocation 4 x 4 of it in registers.
// Barriers: after filling both tiles (everybody reads what others wrote), and after using them (nobody overwrites what others read).
//           The loop bound is a uniform.

struct Params { m: u32, n: u32, k: u32, b_k: u32, b_n: u32, has_bias: u32, beta: f32, row0: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> c: array<f32>;

override DEPTH: u32 = 16u; // how much of k a tile holds
const SIDE: u32 = 64u;     // rows and columns of a tile
const EACH: u32 = 4u;      // rows and columns of an invocation

var<workgroup> tile_a: array<f32, 1024>; // [DEPTH, SIDE]: a column of A is read by neighbours, so it lies together
var<workgroup> tile_b: array<f32, 1024>; // [DEPTH, SIDE]

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) at: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let row0 = group.y * SIDE;
  let col0 = group.x * SIDE;
  var sum: array<vec4<f32>, 4>;
  for (var k0 = 0u; k0 < p.k; k0 += DEPTH) {
    for (var i = flat; i < DEPTH * SIDE; i += 256u) {
      // A: neighbours in flat read neighbours in k
      let ak = i % DEPTH;
      let ar = i / DEPTH;
      var x = 0.0;
      if (k0 + ak < p.k && row0 + ar < p.m) { x = a[(row0 + ar) * p.k + k0 + ak]; }
      tile_a[ak * SIDE + ar] = x;
      // B: neighbours in flat read neighbours in whichever direction is contiguous
      var bk = i / SIDE;
      var bc = i % SIDE;
      if (p.b_k == 1u) { bk = i % DEPTH; bc = i / DEPTH; }
      var y = 0.0;
      if (k0 + bk < p.k && col0 + bc < p.n) { y = b[(k0 + bk) * p.b_k + (col0 + bc) * p.b_n]; }
      tile_b[bk * SIDE + bc] = y;
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k += 1u) {
      let ra = k * SIDE + at.y * EACH;
      let rb = k * SIDE + at.x * EACH;
      let y = vec4<f32>(tile_b[rb], tile_b[rb + 1u], tile_b[rb + 2u], tile_b[rb + 3u]);
      for (var i = 0u; i < EACH; i += 1u) { sum[i] += tile_a[ra + i] * y; }
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < EACH; i += 1u) {
    for (var j = 0u; j < EACH; j += 1u) {
      let m = row0 + at.y * EACH + i;
      let n = col0 + at.x * EACH + j;
      if (m < p.m && n < p.n) {
        var x = sum[i][j];
        if (p.has_bias != 0u) { x += bias[n]; }
        if (p.beta != 0.0) { x += p.beta * c[m * p.n + n]; }
        c[m * p.n + n] = x;
      }
    }
  }
}
