// What:     rotary position embedding (Su et al. 2021) of the query and key heads, in place; turned backwards it is its own VJP.
// Formula:  (a, b) = (x[i], x[i + rotary/2]) of a head at position t -> (a cos - b sin, a sin + b cos), angle t base^(-2 i / rotary)
// Bindings: 0 Params; 1 x [rows, width], heads of head_dim each, the first `heads` turn; 2 table [context, rotary]: cosines | sines
// Dispatch: ceil(rows heads rotary/2 / 64) workgroups of 64, folded into two dimensions; one invocation per pair.
// Barriers: none.

struct Params { rows: u32, width: u32, seq: u32, heads: u32, head_dim: u32, rotary: u32, sign: f32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read> table: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let half = p.rotary / 2u;
  let i = (group.y * groups.x + group.x) * 64u + flat;
  if (i >= p.rows * p.heads * half) { return; }
  let pair = i % half;
  let head = (i / half) % p.heads;
  let row = i / (half * p.heads);
  let angle = (row % p.seq) * p.rotary + pair;
  let c = table[angle];
  let s = p.sign * table[angle + half];
  let at = row * p.width + head * p.head_dim + pair;
  let a = x[at];
  let b = x[at + half];
  x[at] = a * c - b * s;
  x[at + half] = a * s + b * c;
}
