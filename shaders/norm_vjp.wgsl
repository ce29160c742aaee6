// What:     cotangents of a norm's input from those of its output, in place. R rows of cotangents share the n rows of activations.
// Formula:  u = gain g; g <- r (u - xhat mean(u xhat) - m), m = mean(u) for LayerNorm, 0 for RMSNorm
// Bindings: 0 Params; 1 g [rows, d], rows = R n; 2 gain [d]; 3 xhat [n, d]; 4 r [n]
// Dispatch: one workgroup of 64 per row, folded into two dimensions.
// Barriers: in total(): after the partial sums are written, after every level of the tree (a level reads what the one above wrote).
//           All branches before them depend on uniforms and the workgroup's id only, so every invocation meets them.

struct Params { rows: u32, d: u32, layer: u32, n: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> g: array<f32>;
@group(0) @binding(2) var<storage, read> gain: array<f32>;
@group(0) @binding(3) var<storage, read> xhat: array<f32>;
@group(0) @binding(4) var<storage, read> r: array<f32>;

var<workgroup> part: array<vec2<f32>, 64>;

fn total(mine: vec2<f32>, lane: u32) -> vec2<f32> {
  part[lane] = mine;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (lane < half) { part[lane] += part[lane + half]; }
    workgroupBarrier();
  }
  return part[0];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = group.y * groups.x + group.x;
  if (row >= p.rows) { return; }
  let base = row * p.d;
  let seen = (row % p.n) * p.d;
  var sums = vec2<f32>(0.0, 0.0); // along xhat, and plain
  for (var i = lane; i < p.d; i += 64u) {
    let u = g[base + i] * gain[i];
    sums += vec2<f32>(u * xhat[seen + i], u);
  }
  let means = total(sums, lane) / f32(p.d);
  var mean = 0.0;
  if (p.layer != 0u) { mean = means.y; }
  let root = r[row % p.n];
  for (var i = lane; i < p.d; i += 64u) {
    g[base + i] = root * (g[base + i] * gain[i] - xhat[seen + i] * means.x - mean);
  }
}
