//! How fast the device is: `cargo xtask bench gpu`. The binary needs no file and no network, so that it can be carried to a machine
//! that has a GPU and nothing else (`cargo xtask bench gpu --pack DIR`).
//!
//! | module | what it prints |
//! | --- | --- |
//! | `peak` | multiply-adds per second that the device reaches without memory: the measure of the rest |
//! | `ops` | each operation on its own, the matrix product tiled and naive |
//! | `fit` | one prompt's fit of the shipped model's shape and of SmolLM2-135M's, and what it sent and read back |
//! | `requests` | submissions, readbacks and bytes of a readout |

mod fit;
mod ops;
mod peak;
mod requests;

use gpu::Gpu;
use pollster::block_on;
use std::time::Instant;
use transformer::Config;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "\
options: --large        also a model of SmolLM2-135M's shape on a software adapter (on a GPU it is always measured)
         --peak TFLOPS  the device's f32 peak by its data sheet, to compare with beside the measured one";

/// What the command line asks for.
struct Wish {
    large: bool,
    peak: Option<f64>,
}

fn main() -> Outcome {
    let Some(wish) = wish(std::env::args().skip(1)) else {
        eprintln!("{HELP}");
        std::process::exit(2);
    };
    let start = Instant::now();
    let gpu = block_on(Gpu::open())?;
    let about = gpu.adapter.clone();
    println!("adapter: {} ({})", about.name, about.api);
    println!(
        "opened in {} ms, every kernel compiled",
        start.elapsed().as_millis()
    );
    if about.software {
        println!(
            "THIS IS A SOFTWARE ADAPTER, a processor that poses as a GPU: the numbers below say nothing about GPUs. Shapes are small."
        );
    }
    let start = Instant::now();
    let (gpu, check) = block_on(gpu::self_check(gpu, || start.elapsed().as_secs_f64()))?;
    let whole = start.elapsed().as_millis();
    println!(
        "self-check: {whole} ms in all, largest error {:.1e}, {}",
        check.error,
        timing(&check)
    );
    if !check.correct() {
        println!("THE DEVICE COMPUTES WRONG NUMBERS: its speed means nothing.");
    }
    let measured = block_on(peak::measure(about.software))?;
    println!(
        "f32 peak: {:.2} TFLOP/s measured (multiply-adds in registers){}",
        measured / 1e12,
        sheet(&wish)
    );
    let peak = wish.peak.map_or(measured, |t| t * 1e12);

    ops::report(&gpu, peak)?;
    requests::report(&gpu)?;
    fit::report(&gpu, "shipped model", Config::small_world(794), 64, peak)?;
    if wish.large || !about.software {
        fit::report(
            &gpu,
            "SmolLM2-135M's shape, random weights",
            Config::smollm2_135m(128),
            128,
            peak,
        )?;
    } else {
        println!("SmolLM2-135M's shape: not measured on a software adapter; --large does");
    }
    Ok(())
}

fn wish(words: impl Iterator<Item = String>) -> Option<Wish> {
    let (mut wish, mut words) = (
        Wish {
            large: false,
            peak: None,
        },
        words,
    );
    while let Some(word) = words.next() {
        match word.as_str() {
            "--large" => wish.large = true,
            "--peak" => wish.peak = Some(words.next()?.parse().ok()?),
            _ => return None,
        }
    }
    Some(wish)
}

fn timing(check: &gpu::Check) -> String {
    check.timing.map_or("not timed".into(), |t| {
        format!(
            "GPU {:.2} ms, one CPU thread {:.2} ms: {:.1} times faster",
            1e3 * t.gpu_seconds,
            1e3 * t.cpu_seconds,
            t.ratio()
        )
    })
}

fn sheet(wish: &Wish) -> String {
    wish.peak.map_or_else(String::new, |t| {
        format!(", {t:.2} by its data sheet; fractions below are of that")
    })
}
