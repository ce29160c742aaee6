//! The chain rule on a model: products of the blocks' Jacobians against the whole way, and both against differences.

mod support;

use engine::Cpu;
use engine::protocol::*;
use formats::ModelFile;
use pollster::block_on;
use support::Desk;
use transformer::{Edit, Keep, Model, Ops, Reference};

const TOKENS: [u32; 9] = [0, 12, 400, 33, 700, 5, 61, 8, 90];

fn request(position: usize) -> ChainRequest {
    ChainRequest {
        tokens: TOKENS.to_vec(),
        position,
    }
}

fn ask<O: Ops + Clone + 'static>(ops: O, files: &ModelFiles, position: usize) -> Chain {
    let reply = Desk::loaded(ops, files).ask(Command::Chain(request(position)));
    match reply {
        Ok(Reply::Chain(chain)) => chain,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_blocks_multiply_to_the_whole() {
    let files = support::files(1);
    for position in [0, 4, 8] {
        let chain = ask(Cpu::new(), &files, position);
        assert_eq!((chain.d, chain.blocks.len(), chain.spans.len()), (16, 3, 3));
        for (layer, span) in chain.spans.iter().enumerate() {
            assert_eq!((span.product.len(), span.direct.len()), (256, 256));
            assert!(
                span.error < 1e-4,
                "layer {layer} at {position}: {}",
                span.error
            );
        }
        assert_eq!(chain.spans[2].product, chain.blocks[2]);
        assert_ne!(chain.blocks[0], chain.blocks[1]);
    }
}

#[test]
fn what_remains_is_rounding() {
    let files = support::files(2);
    let exact = ask(Reference::<f64>::new(), &files, 8);
    let single = ask(Cpu::new(), &files, 8);
    for (a, b) in exact.spans.iter().zip(&single.spans) {
        let largest = a.direct.iter().fold(0f32, |most, x| most.max(x.abs()));
        let off = a
            .direct
            .iter()
            .zip(&b.direct)
            .fold(0f32, |most, (a, b)| most.max((a - b).abs()));
        assert!(off < 1e-4 * largest, "{off} of {largest}");
    }
}

/// One token's state is moved by hand, and the last state of the same token answers as the product says.
#[test]
fn the_product_is_what_a_nudge_does() {
    let files = support::files(3);
    let (layer, position, d) = (1, 5, 16);
    let chain = ask(Reference::<f64>::new(), &files, position);
    let weights = ModelFile::read(&files.weights).unwrap().weights;
    let model = Model::new(Reference::<f64>::new(), &weights).unwrap();
    let nudge: Vec<f64> = (0..d).map(|i| ((i * 7 % 5) as f64 - 2.0) * 1e-4).collect();
    let last = |scale: f64| -> Vec<f64> {
        let mut on = vec![false; TOKENS.len()];
        on[position] = true;
        let mut c = vec![0.0; 2 * TOKENS.len()];
        c[2 * position] = scale;
        let v: Vec<f64> = nudge.iter().copied().chain(vec![0.0; d]).collect();
        let edit = Edit {
            layer,
            v,
            p: vec![0.0; 2 * d],
            m: vec![0.0; 4],
            c,
            on,
        };
        let trace = model
            .forward(&TOKENS, TOKENS.len(), &[edit], Keep::Residuals)
            .unwrap();
        let states = block_on(model.ops.read(&trace.residuals[3])).unwrap();
        states[position * d..(position + 1) * d].to_vec()
    };
    let (plus, minus) = (last(1.0), last(-1.0));
    let product = &chain.spans[layer].product;
    for (i, row) in product.chunks_exact(d).enumerate() {
        let forecast: f64 = row.iter().zip(&nudge).map(|(j, e)| f64::from(*j) * e).sum();
        let truth = (plus[i] - minus[i]) / 2.0;
        assert!(
            (forecast - truth).abs() < 2e-6,
            "row {i}: {forecast} for {truth}"
        );
    }
    let largest = plus
        .iter()
        .zip(&minus)
        .fold(0f64, |m, (a, b)| m.max((a - b).abs() / 2.0));
    assert!(largest > 5e-5, "the nudge does something: {largest}");
}

#[test]
fn a_token_that_is_not_there_is_refused() {
    let files = support::files(1);
    let refused = Desk::loaded(Cpu::new(), &files).ask(Command::Chain(request(9)));
    assert!(refused.unwrap_err().contains("9 tokens"));
}
