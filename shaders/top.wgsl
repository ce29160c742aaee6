// What:     what a readout shows of a row of logits: the best k words, the normaliser, ranks and logits of tracked words, so that
//           only these leave the GPU.
// Formula:  out row = k ids, best first (ties: lower id) | their logits | log sum exp | per tracked word: rank (how many beat it), logit
// Bindings: 0 Params; 1 logits [rows, v], which begin at logits0; 2 tracked [tracked] as u32 (at least one number bound);
//           3 out [rows, 2 k + 1 + 2 tracked], which begin at out0. More logits than a binding holds come in several dispatches.
// Dispatch: one workgroup of 256 per row, folded into two dimensions.
// Barriers: in best(), largest() and total(), around tree reductions of 256 partial results (a level reads what the one above wrote;
//           workgroupUniformLoad ends with one, so that nobody overwrites the result before all have it); loop bounds are uniforms.
//           The k rounds each find the best word that comes after the last one found: no sorting, no scratch memory.

struct Params { rows: u32, v: u32, k: u32, tracked: u32, logits0: u32, out0: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read> tracked: array<u32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

const NOBODY: u32 = 0xffffffffu;
var<workgroup> value: array<f32, 256>;
var<workgroup> word: array<u32, 256>;

fn beats(x: f32, a: u32, y: f32, b: u32) -> bool { return x > y || (x == y && a < b); }

// The workgroup's best (value, word).
fn best(x: f32, w: u32, lane: u32) -> u32 {
  value[lane] = x;
  word[lane] = w;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (lane < half && beats(value[lane + half], word[lane + half], value[lane], word[lane])) {
      value[lane] = value[lane + half];
      word[lane] = word[lane + half];
    }
    workgroupBarrier();
  }
  let w0 = workgroupUniformLoad(&word[0]);
  return w0;
}

fn largest(x: f32, lane: u32) -> f32 {
  value[lane] = x;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (lane < half) { value[lane] = max(value[lane], value[lane + half]); }
    workgroupBarrier();
  }
  let all = workgroupUniformLoad(&value[0]);
  return all;
}

fn total(x: f32, lane: u32) -> f32 {
  value[lane] = x;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (lane < half) { value[lane] += value[lane + half]; }
    workgroupBarrier();
  }
  let sum = workgroupUniformLoad(&value[0]);
  return sum;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = group.y * groups.x + group.x;
  if (row >= p.rows) { return; }
  let base = p.logits0 + row * p.v;
  let into = p.out0 + row * (2u * p.k + 1u + 2u * p.tracked);
  var last = NOBODY; // the word found in the round before
  // the largest logit, so that no exponential overflows
  var mine_top = -3.4e38;
  for (var i = lane; i < p.v; i += 256u) { mine_top = max(mine_top, logits[base + i]); }
  let top = largest(mine_top, lane);
  for (var round = 0u; round < p.k; round += 1u) {
    var x = -3.4e38;
    var w = NOBODY;
    for (var i = lane; i < p.v; i += 256u) {
      let y = logits[base + i];
      let after = last == NOBODY || beats(logits[base + last], last, y, i);
      if (after && (w == NOBODY || beats(y, i, x, w))) {
        x = y;
        w = i;
      }
    }
    last = best(x, w, lane);
    let y = logits[base + last];
    if (lane == 0u) {
      out[into + round] = f32(last);
      out[into + p.k + round] = y;
    }
  }
  var sum = 0.0;
  for (var i = lane; i < p.v; i += 256u) { sum += exp(logits[base + i] - top); }
  let all = total(sum, lane);
  if (lane == 0u) { out[into + 2u * p.k] = top + log(all); }
  for (var t = 0u; t < p.tracked; t += 1u) {
    let mine = tracked[t];
    let x = logits[base + mine];
    var better = 0.0;
    for (var i = lane; i < p.v; i += 256u) {
      if (beats(logits[base + i], i, x, mine)) { better += 1.0; }
    }
    let rank = total(better, lane);
    if (lane == 0u) {
      out[into + 2u * p.k + 1u + 2u * t] = rank;
      out[into + 2u * p.k + 2u + 2u * t] = x;
    }
  }
}
