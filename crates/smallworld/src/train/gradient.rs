//! One step's gradient. The batch is cut into a fixed number of shards; threads take shards as they come, and the shards'
//! gradients are summed in shard order, so that the sum has the same bits for any number of threads.

use super::Settings;
use crate::error::Result;
use pollster::block_on;
use std::sync::atomic::{AtomicUsize, Ordering};
use transformer::{Cpu, Model, Params};

/// A shard's share.
struct Share {
    loss: f64,
    gradient: Vec<f32>,
}

/// Mean loss in nats per token, and its gradient in the weights' order.
pub fn step(
    ops: &Cpu,
    settings: &Settings,
    weights: &[f32],
    batch: &(Vec<u32>, Vec<u32>),
    threads: usize,
) -> Result<(f64, Vec<f32>)> {
    let model = Model::from_flat(ops.clone(), &settings.model, weights)?;
    let scale = 1.0 / batch.0.len() as f64;
    let shard = |index| share(&model, settings, batch, index, scale);
    let shares = in_order(settings.shards, threads, &shard);
    let mut loss = 0.0;
    let mut sum: Option<Vec<f32>> = None;
    for share in shares {
        let share = share?;
        loss += share.loss;
        match &mut sum {
            None => sum = Some(share.gradient),
            Some(sum) => sum
                .iter_mut()
                .zip(&share.gradient)
                .for_each(|(s, g)| *s += g),
        }
    }
    Ok((loss * scale, sum.unwrap_or_default()))
}

fn share(
    model: &Model<Cpu>,
    settings: &Settings,
    (inputs, targets): &(Vec<u32>, Vec<u32>),
    index: usize,
    scale: f64,
) -> Result<Share> {
    let size = inputs.len() / settings.shards;
    let range = index * size..(index + 1) * size;
    let mut gradient = Params::zeros(&model.ops, &settings.model)?;
    let (x, y) = (&inputs[range.clone()], &targets[range]);
    let loss = model.loss_and_grad(x, y, settings.context, scale, &mut gradient)?;
    let gradient = block_on(gradient.to_flat(&model.ops, &settings.model))?;
    Ok(Share { loss, gradient })
}

/// Results of `job(0..count)` in order, computed by up to `threads` threads.
fn in_order<T: Send>(count: usize, threads: usize, job: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    if threads <= 1 || count <= 1 {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, job(index)));
        }
    };
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(work)).collect();
        let mut results = work();
        for other in others {
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
