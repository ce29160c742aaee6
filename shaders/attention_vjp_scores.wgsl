// What:     first half of attention's VJP: cotangents of the scores, for all R rows of cotangents that share one pattern.
// Formula:  dp_j = g_t . v_(t-j); ds_j = pattern_j (dp_j - sum_i pattern_i dp_i) / sqrt(hd); 0 where the pattern is frozen
// Bindings: 0 Params; 1 g [R n, H hd]; 2 qkv [n, width]; 3 pattern [n, H, reach]; 4 ds [R n, H, reach]
// Dispatch: ceil(R n H / 64) workgroups of 64, folded into two dimensions; one invocation per cotangent row, position and head.
// Barriers: none.

struct Params { rows: u32, n: u32, seq: u32, heads: u32, kv_heads: u32, head_dim: u32, reach: u32, live: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> qkv: array<f32>;
@group(0) @binding(3) var<storage, read> pattern: array<f32>;
@group(0) @binding(4) var<storage, read_write> ds: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 64u + flat;
  if (i >= p.rows * p.heads) { return; }
  let row = i / p.heads;
  let h = i % p.heads;
  let at = row % p.n;
  let hd = p.head_dim;
  let width = (p.heads + 2u * p.kv_heads) * hd;
  let vo = (p.heads + p.kv_heads + h / (p.heads / p.kv_heads)) * hd;
  let seen = min(p.reach, at % p.seq + 1u);
  let weights = (at * p.heads + h) * p.reach;
  let grad = (row * p.heads + h) * hd;
  var mean = 0.0;
  for (var j = 0u; j < p.reach; j += 1u) {
    var x = 0.0;
    if (j < seen && p.live != 0u) {
      let v = (at - j) * width + vo;
      for (var e = 0u; e < hd; e += 1u) { x += g[grad + e] * qkv[v + e]; }
      mean += pattern[weights + j] * x;
    }
    ds[i * p.reach + j] = x;
  }
  let scale = 1.0 / sqrt(f32(hd));
  for (var j = 0u; j < p.reach; j += 1u) {
    ds[i * p.reach + j] = scale * pattern[weights + j] * (ds[i * p.reach + j] - mean);
  }
}
