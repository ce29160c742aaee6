// What:     feed-forward non-linearities and their slopes.
// Formula:  KIND 0 ReLU max(0, x); 1 GELU x Phi(x); 2 GELU by tanh (Hendrycks & Gimpel 2016); 3 SwiGLU silu(gate) up (Shazeer 2020)
// Bindings: 0 Params; 1 x [n, f] (SwiGLU [n, 2 f], rows gate | up); 2 y [n, f]; 3 slope (shape of x): dy/dx
// Dispatch: ceil(n f / 256) workgroups of 256, folded into two dimensions; one invocation per output.
// Barriers: none.

struct Params { n: u32, f: u32 }

override KIND: u32 = 0u;

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> slope: array<f32>;

// The normal distribution function by the complementary error function's rational fit (Abramowitz & Stegun 7.1.26, error < 1.5e-7).
fn normal_cdf(v: f32) -> f32 {
  let z = abs(v) * 0.7071067811865476;
  let t = 1.0 / (1.0 + 0.3275911 * z);
  let poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  let tail = 0.5 * poly * exp(-z * z);
  return select(1.0 - tail, tail, v < 0.0);
}

// Value and slope.
fn point(v: f32) -> vec2<f32> {
  if (KIND == 0u) { return vec2<f32>(max(v, 0.0), select(0.0, 1.0, v > 0.0)); }
  if (KIND == 1u) {
    let cdf = normal_cdf(v);
    return vec2<f32>(v * cdf, cdf + v * 0.3989422804014327 * exp(-0.5 * v * v));
  }
  if (KIND == 2u) {
    // tanh of a large argument overflows in some drivers; beyond 10 it is 1 in f32 anyway
    let t = tanh(clamp(0.7978845608028654 * (v + 0.044715 * v * v * v), -10.0, 10.0));
    let inner = 0.7978845608028654 * (1.0 + 0.134145 * v * v);
    return vec2<f32>(0.5 * v * (1.0 + t), 0.5 * (1.0 + t) + 0.5 * v * (1.0 - t * t) * inner);
  }
  let s = 1.0 / (1.0 + exp(-v));
  return vec2<f32>(v * s, s + v * s * (1.0 - s));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) flat: u32) {
  let i = (group.y * groups.x + group.x) * 256u + flat;
  if (i >= p.n * p.f) { return; }
  if (KIND == 3u) {
    let at = (i / p.f) * 2u * p.f + i % p.f;
    let both = point(x[at]);
    let up = x[at + p.f];
    y[i] = both.x * up;
    slope[at] = both.y * up;
    slope[at + p.f] = both.x;
  } else {
    let both = point(x[i]);
    y[i] = both.x;
    slope[i] = both.y;
  }
}
