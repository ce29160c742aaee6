// What:     adds one prompt's Jacobian to a running sum, number by number, without losing what is small beside the sum.
// Formula:  t = sum + scale x; lost += (larger of sum and scale x - t) + smaller; sum = t. The total is sum + lost (Neumaier 1974).
// Bindings: 0 Params; 1 x [len]; 2 sum [len]; 3 lost [len]
// Dispatch: ceil(len / 256) workgroups of 256, folded into two dimensions.
// Barriers: none.
//
// Some compilers may simplify (sum + x) - sum to x, which would lose the compensation. They cannot see that `zero` is zero, so the
// sum that comes out of the exclusive or is a number of its own to them.

struct Params { len: u32, scale: f32, zero: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32>;
@group(0) @binding(3) var<storage, read_write> lost: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.len) { return; }
  let old = sum[i];
  let more = p.scale * x[i];
  let t = bitcast<f32>(bitcast<u32>(old + more) ^ p.zero);
  if (abs(old) >= abs(more)) { lost[i] += (old - t) + more; } else { lost[i] += (more - t) + old; }
  sum[i] = t;
}
