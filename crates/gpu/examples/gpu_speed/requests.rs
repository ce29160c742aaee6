//! What the page's commonest request costs: reading every cell of a prompt through a lens.

use crate::Outcome;
use crate::fit::weights;
use gpu::Gpu;
use lens::readout::{ReadOptions, read};
use pollster::block_on;
use std::time::Instant;
use transformer::{Config, Keep, Model};

/// Prints time, submissions, readbacks and bytes.
pub fn report(gpu: &Gpu) -> Outcome {
    let config = Config::small_world(794);
    let model = Model::new(gpu.clone(), &weights(&config)?)?;
    let tokens: Vec<u32> = (0..24).map(|i| i * 5 % 700).collect();
    let layers: Vec<usize> = (0..=config.n_layers).collect();
    for turn in ["first", "again"] {
        let (before, start) = (gpu.counters(), Instant::now());
        let trace = model.forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
        block_on(read(&model, &trace, None, &layers, ReadOptions::default()))?;
        let (after, ms) = (gpu.counters(), 1e3 * start.elapsed().as_secs_f64());
        println!(
            "readout of {} cells, {turn}: {ms:.1} ms, {} dispatches, {} submissions, {} readbacks of {} bytes, {} bytes sent",
            layers.len() * tokens.len(),
            after.dispatches - before.dispatches,
            after.submits - before.submits,
            after.readbacks - before.readbacks,
            after.bytes_read - before.bytes_read,
            after.bytes_written - before.bytes_written
        );
    }
    Ok(())
}
