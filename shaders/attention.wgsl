// What:     causal attention with an optional window and grouped queries: output and pattern.
// Formula:  pattern[t,h,j] = softmax over j < min(reach, t + 1) of (q_t . k_(t-j) / sqrt(hd)); out[t,h] = sum_j pattern[t,h,j] v_(t-j)
// Bindings: 0 Params; 1 qkv [n, (H + 2 KV) hd], rows q | k | v; 2 out [n, H hd]; 3 pattern [n, H, reach], zero where there is no key
// Dispatch: ceil(n H / 64) workgroups of 64; one invocation per position and head.
// Barriers: none.

struct Params { n: u32, seq: u32, heads: u32, kv_heads: u32, head_dim: u32, reach: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> qkv: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> pattern: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 64u + flat;
  if (i >= p.n * p.heads) { return; }
  let row = i / p.heads;
  let h = i % p.heads;
  let hd = p.head_dim;
  let width = (p.heads + 2u * p.kv_heads) * hd;
  let ko = (p.heads + h / (p.heads / p.kv_heads)) * hd;
  let vo = ko + p.kv_heads * hd;
  let seen = min(p.reach, row % p.seq + 1u);
  let scale = 1.0 / sqrt(f32(hd));
  let q = row * width + h * hd;

  var top = -3.0e38;
  for (var j = 0u; j < seen; j += 1u) {
    let k = (row - j) * width + ko;
    var s = 0.0;
    for (var e = 0u; e < hd; e += 1u) { s += qkv[q + e] * qkv[k + e]; }
    s *= scale;
    pattern[i * p.reach + j] = s;
    top = max(top, s);
  }
  var sum = 0.0;
  for (var j = 0u; j < seen; j += 1u) {
    let w = exp(pattern[i * p.reach + j] - top);
    pattern[i * p.reach + j] = w;
    sum += w;
  }
  for (var j = 0u; j < p.reach; j += 1u) {
    if (j < seen) { pattern[i * p.reach + j] /= sum; } else { pattern[i * p.reach + j] = 0.0; }
  }
  for (var e = 0u; e < hd; e += 1u) {
    var x = 0.0;
    for (var j = 0u; j < seen; j += 1u) { x += pattern[i * p.reach + j] * qkv[(row - j) * width + vo + e]; }
    out[row * p.heads * hd + h * hd + e] = x;
  }
}
