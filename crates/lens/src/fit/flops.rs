//! The arithmetic of a fit, counted from the shapes.

use super::Estimator;
use transformer::Config;
use transformer::ops::activation::input_width;

/// Floating-point operations of fitting one prompt of `t` tokens: a multiply and an add for each weight of each linear map
/// that a token passes, forward once and backward once per cotangent row. Norms, activations, attention's own products,
/// seeding and averaging are left out, so a rate computed from this is a lower bound on what the processor did.
pub fn fit_flops(c: &Config, e: &Estimator, t: usize) -> f64 {
    let n = |x: usize| x as f64;
    let up = input_width(c.activation, c.d_ff);
    let weights = n(c.d_model) * n(c.q_width() + 2 * c.kv_width() + c.q_width() + up + c.d_ff);
    let lowest = e.sources.first().copied().unwrap_or(0);
    let backward = n(e.target - lowest.min(e.target)) * n(c.d_model) * n(e.passes().len());
    2.0 * n(t) * weights * (n(c.n_layers) + backward)
}
