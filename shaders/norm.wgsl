// What:     RMSNorm (Zhang & Sennrich 2019) or LayerNorm (Ba et al. 2016) of each row, and what its VJP needs.
// Formula:  r = 1 / sqrt(mean((x - m)^2) + eps); xhat = (x - m) r; y = gain xhat + bias; m = 0 for RMSNorm, mean(x) for LayerNorm
// Bindings: 0 Params; 1 x [rows, d]; 2 gain [d]; 3 bias [d] (ignored unless has_bias); 4 y [rows, d]; 5 xhat [rows, d]; 6 r [rows]
// Dispatch: one workgroup of 64 per row, folded into two dimensions.
// Barriers: in total(): after the partial sums are written, after every level of the tree (a level reads what the one above wrote), and one after the result is read: the
//           second sum of a LayerNorm must not overwrite it.
//           All branches before them depend on uniforms and the workgroup's id only, so every invocation meets them.

struct Params { rows: u32, d: u32, layer: u32, has_bias: u32, eps: f32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> gain: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<storage, read_write> xhat: array<f32>;
@group(0) @binding(6) var<storage, read_write> r: array<f32>;

var<workgroup> part: array<f32, 64>;

fn total(mine: f32, lane: u32) -> f32 {
  part[lane] = mine;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (lane < half) { part[lane] += part[lane + half]; }
    workgroupBarrier();
  }
  let sum = part[0];
  workgroupBarrier();
  return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = group.y * groups.x + group.x;
  if (row >= p.rows) { return; }
  let base = row * p.d;
  var mean = 0.0;
  if (p.layer != 0u) {
    var sum = 0.0;
    for (var i = lane; i < p.d; i += 64u) { sum += x[base + i]; }
    mean = total(sum, lane) / f32(p.d);
  }
  var square = 0.0;
  for (var i = lane; i < p.d; i += 64u) {
    let h = x[base + i] - mean;
    square += h * h;
  }
  let root = 1.0 / sqrt(total(square, lane) / f32(p.d) + p.eps);
  for (var i = lane; i < p.d; i += 64u) {
    let h = (x[base + i] - mean) * root;
    xhat[base + i] = h;
    var out = h * gain[i];
    if (p.has_bias != 0u) { out += bias[i]; }
    y[base + i] = out;
  }
  if (lane == 0u) { r[row] = root; }
}
