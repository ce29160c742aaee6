// What:     second half of attention's VJP: cotangents of queries, keys and values. Each number is gathered by one invocation, so
//           that no two write the same place.
// Formula:  g_q(t) = sum_j ds[t,h,j] k_(t-j); g_k(s) = sum over heads of the group and over j of ds[s+j,h,j] q_(s+j);
//           g_v(s) likewise of pattern[s+j,h,j] g_(s+j). With `others` = 0 only j = 0 reaches keys and values (same position).
// Bindings: 0 Params; 1 g [R n, H hd]; 2 qkv [n, width]; 3 pattern [n, H, reach]; 4 ds [R n, H, reach]; 5 gqkv [R n, width]
// Dispatch: ceil(R n width / 256) workgroups of 256, folded into two dimensions; one invocation per number of gqkv.
// Barriers: none.

struct Params { rows: u32, n: u32, seq: u32, heads: u32, kv_heads: u32, head_dim: u32, reach: u32, others: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> qkv: array<f32>;
@group(0) @binding(3) var<storage, read> pattern: array<f32>;
@group(0) @binding(4) var<storage, read> ds: array<f32>;
@group(0) @binding(5) var<storage, read_write> gqkv: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let hd = p.head_dim;
  let width = (p.heads + 2u * p.kv_heads) * hd;
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.rows * width) { return; }
  let row = i / width;
  let at = row % p.n;
  let t = at % p.seq;
  let head = (i % width) / hd; // q heads, then k heads, then v heads
  let e = i % hd;
  let share = p.heads / p.kv_heads;
  var x = 0.0;
  if (head < p.heads) {
    let k = (p.heads + head / share) * hd + e;
    let seen = min(p.reach, t + 1u);
    for (var j = 0u; j < seen; j += 1u) {
      x += ds[(row * p.heads + head) * p.reach + j] * qkv[(at - j) * width + k];
    }
  } else {
    let is_value = head >= p.heads + p.kv_heads;
    var kv = head - p.heads;
    if (is_value) { kv -= p.kv_heads; }
    var later = min(p.reach, p.seq - t); // queries at t .. t + later - 1 see this position
    if (p.others == 0u) { later = 1u; }
    for (var h = kv * share; h < (kv + 1u) * share; h += 1u) {
      for (var j = 0u; j < later; j += 1u) {
        if (is_value) {
          x += pattern[((at + j) * p.heads + h) * p.reach + j] * g[((row + j) * p.heads + h) * hd + e];
        } else {
          x += ds[((row + j) * p.heads + h) * p.reach + j] * qkv[(at + j) * width + h * hd + e];
        }
      }
    }
  }
  gqkv[i] = x;
}
