// What:     C = A B + bias + beta C, tiled. The linear maps of the model, forwards and backwards, and the transport of a lens.
// Formula:  C[m,n] = sum_k A[m,k] B[k,n] + bias[n] + beta C[m,n]
// Bindings: 0 Params; 1 A [m, k], rows a_row apart; 2 B, B[k,n] at k b_k + n b_n (so [k, n] and its transpose need no copy);
//           3 bias [n] (ignored unless has_bias); 4 C [m, n], rows c_row apart. Each begins at a0, b0, bias0, c0 of its binding:
//           a product whose matrices exceed a binding is made of several (crates/gpu/src/matmul.rs).
// Dispatch: ceil(n / COLS) x ceil(m / ROWS) workgroups; each computes a tile of C, each invocation 8 x 4 numbers of it, in registers.
//           128 x 64 tiles (ACROSS 16, DEPTH 16), or 64 x 128 (ACROSS 32, DEPTH 8) for at most 64 rows, the tokens of a short prompt.
// Barriers: after filling both tiles (everybody reads what others wrote), and after using them (nobody overwrites what others read).
//           The loop bound is a uniform.
//
// Per step of k an invocation reads 12 numbers from workgroup memory and makes 32 multiply-adds of them. The tiles hold vectors of
// four, one element more per row than needed: otherwise the invocations that fill tile_a would all write to the same memory bank.

struct Params {
  m: u32, n: u32, k: u32, b_k: u32, b_n: u32, has_bias: u32, beta: f32,
  a_row: u32, c_row: u32, a0: u32, b0: u32, bias0: u32, c0: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> c: array<f32>;

override DEPTH: u32 = 16u;  // how much of k a tile holds
override ACROSS: u32 = 16u; // invocations side by side, of 256
override ROWS: u32 = 8u * (256u / ACROSS);
override COLS: u32 = 4u * ACROSS;
override ROWS4: u32 = ROWS / 4u; // in vectors of four
override COLS4: u32 = COLS / 4u;
override A_NEXT: u32 = ROWS4 + 1u; // from one k to the next
override B_NEXT: u32 = COLS4 + 1u;

var<workgroup> tile_a: array<vec4<f32>, 528>; // [DEPTH, ROWS]: a column of A is read by neighbours, so it lies together
var<workgroup> tile_b: array<vec4<f32>, 272>; // [DEPTH, COLS]

fn a_at(row: u32, k: u32) -> f32 {
  if (row < p.m && k < p.k) { return a[p.a0 + row * p.a_row + k]; }
  return 0.0;
}

fn b_at(k: u32, col: u32) -> f32 {
  if (k < p.k && col < p.n) { return b[p.b0 + k * p.b_k + col * p.b_n]; }
  return 0.0;
}

fn put(row: u32, col: u32, sum: vec4<f32>) {
  if (row >= p.m) { return; }
  for (var j = 0u; j < 4u; j += 1u) {
    if (col + j < p.n) {
      let at = p.c0 + row * p.c_row + col + j;
      var x = sum[j];
      if (p.has_bias != 0u) { x += bias[p.bias0 + col + j]; }
      if (p.beta != 0.0) { x += p.beta * c[at]; }
      c[at] = x;
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) flat: u32) {
  let row0 = group.y * ROWS;
  let col0 = group.x * COLS;
  let x = flat % ACROSS;
  let y = flat / ACROSS;
  var s0 = vec4<f32>();
  var s1 = vec4<f32>();
  var s2 = vec4<f32>();
  var s3 = vec4<f32>();
  var s4 = vec4<f32>();
  var s5 = vec4<f32>();
  var s6 = vec4<f32>();
  var s7 = vec4<f32>();
  for (var k0 = 0u; k0 < p.k; k0 += DEPTH) {
    // neighbours in flat read neighbours in k: contiguous in A
    for (var i = flat; i < DEPTH * ROWS4; i += 256u) {
      let k = i % DEPTH;
      let r = row0 + 4u * (i / DEPTH);
      tile_a[k * A_NEXT + i / DEPTH] = vec4<f32>(a_at(r, k0 + k), a_at(r + 1u, k0 + k), a_at(r + 2u, k0 + k), a_at(r + 3u, k0 + k));
    }
    // neighbours in flat read neighbours in whichever direction is contiguous in B
    for (var i = flat; i < DEPTH * COLS4; i += 256u) {
      var k = i / COLS4;
      var q = i % COLS4;
      if (p.b_k == 1u) { k = i % DEPTH; q = i / DEPTH; }
      let n = col0 + 4u * q;
      tile_b[k * B_NEXT + q] = vec4<f32>(b_at(k0 + k, n), b_at(k0 + k, n + 1u), b_at(k0 + k, n + 2u), b_at(k0 + k, n + 3u));
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k += 1u) {
      let lower = tile_a[k * A_NEXT + 2u * y];
      let upper = tile_a[k * A_NEXT + 2u * y + 1u];
      let z = tile_b[k * B_NEXT + x];
      s0 += lower.x * z;
      s1 += lower.y * z;
      s2 += lower.z * z;
      s3 += lower.w * z;
      s4 += upper.x * z;
      s5 += upper.y * z;
      s6 += upper.z * z;
      s7 += upper.w * z;
    }
    workgroupBarrier();
  }
  let row = row0 + 8u * y;
  let col = col0 + 4u * x;
  put(row, col, s0);
  put(row + 1u, col, s1);
  put(row + 2u, col, s2);
  put(row + 3u, col, s3);
  put(row + 4u, col, s4);
  put(row + 5u, col, s5);
  put(row + 6u, col, s6);
  put(row + 7u, col, s7);
}
