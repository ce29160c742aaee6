// What:     gathers rows of a table: of the embedding, of residual states, of a Jacobian. Its VJP in the table is needed for training
//           only, which runs on the CPU.
// Formula:  x[n,:] = table[row[n],:]
// Bindings: 0 Params; 1 table [V, d], or a part of it: `count` rows from `first` on, which begin at table0; 2 row numbers as u32, of
//           which [n] from rows0 on are taken; 3 x [n, d], which begins at x0. Rows of x that lie in another part of the table are
//           left alone.
// Dispatch: ceil(n d / 256) workgroups of 256, folded into two dimensions.
// Barriers: none.

struct Params { n: u32, d: u32, first: u32, count: u32, table0: u32, rows0: u32, x0: u32 }

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.n * p.d) { return; }
  let row = rows[p.rows0 + i / p.d];
  if (row < p.first || row - p.first >= p.count) { return; }
  x[p.x0 + i] = table[p.table0 + (row - p.first) * p.d + i % p.d];
}
