"""Writes the golden fixtures: `python make_goldens.py --out .`

For every family one safetensors file NAME.safetensors (float32 and int32; computed in float64), and one manifest.json with
configurations, parameters of the interventions, versions and file hashes. README.md lists the tensors.
"""
import argparse
import hashlib
import json
import pathlib
import platform

import safetensors
import torch
from safetensors.torch import save_file

from families import FAMILIES, embed, logits, random_weights, run
from lens_reference import (VARIANTS, ablate, centre, check_same_position, intervene, lens_vectors, parameter_gradients,
                            prompt_jacobian, projection_move, readout, source_layers, steer, swap_clamped, swap_live)

PROMPT_LENGTHS = (12, 9, 16)
#: Positions with fewer predecessors than this are left out of the fit.
SKIP_FIRST = {"tiny_world": 2, "llama": 1, "gpt2": 2, "postnorm_window": 1}


def prompts(c, seed):
    """Three prompts of random words."""
    g = torch.Generator().manual_seed(seed)
    return [torch.randint(0, c["vocab"], (n,), generator=g) for n in PROMPT_LENGTHS]


def fitted(c, w, starts, skip_first, out):
    """Stores every variant's Jacobians (per prompt, mean, median); returns the mean lens of variant `all`."""
    means = {}
    for variant in VARIANTS:
        for l in source_layers(c, variant):
            per = torch.stack([prompt_jacobian(c, w, x0, l, variant, skip_first) for x0 in starts])
            for p, j in enumerate(per):
                out[f"J.{variant}.prompt{p}.{l}"] = j
            means[variant, l] = out[f"J.{variant}.mean.{l}"] = per.mean(0)
            out[f"J.{variant}.median.{l}"] = per.median(0).values
    return [means["all", l] for l in source_layers(c, "all")]


def interventions(c, w, x0, lens, out):
    """Stores swaps, steering and ablation on the first prompt; returns their parameters."""
    raw = [lens_vectors(c, w, j) for j in lens]
    centred = [centre(v) for v in raw]
    for l in range(len(lens)):
        out[f"lens_vectors.raw.{l}"], out[f"lens_vectors.centred.{l}"] = raw[l], centred[l]
    band, s, t = list(range(1, len(lens))) if len(lens) > 2 else [0, 1], 5, 11
    scale = [h.norm(dim=-1).mean().item() for h in run(c, w, x0)]
    some = [3, 4, 7, x0.shape[0] - 1]
    cases = {
        "swap.clamped.centred": (swap_clamped(centred, s, t), None),
        "swap.clamped.raw": (swap_clamped(raw, s, t), None),
        "swap.clamped.centred.some_positions": (swap_clamped(centred, s, t), some),
        "swap.live.centred": (swap_live(centred, s, t), None),
        "swap.projection.centred": (projection_move(centred, s, t, 1.5), None),
        "steer.centred": (steer(centred, s, 0.7, scale), None),
        "ablate.one.centred": (ablate(centred, [s]), None),
        "ablate.two.centred": (ablate(centred, [s, t]), None),
    }
    for name, (edit, positions) in cases.items():
        out[f"{name}.residuals"], out[f"{name}.logits"] = intervene(c, w, x0, band, edit, positions)
    return dict(prompt=0, lens="J.all.mean", band=band, source=s, target=t, some_positions=some, projection_amount=1.5,
                steer_alpha=0.7, steer_word=s, mean_residual_norms=scale, ablate_words=[s, t], cases=list(cases))


def make(name, seed):
    """All tensors of one family, and its part of the manifest."""
    c, covers = FAMILIES[name]
    w = random_weights(c, seed)
    out = {f"weights.{k}": v for k, v in w.items()}
    ids = prompts(c, seed + 1)
    starts = [embed(c, w, t) for t in ids]
    for p, (t, x0) in enumerate(zip(ids, starts)):
        states = run(c, w, x0)
        out[f"prompt{p}.tokens"] = t.int()
        out[f"prompt{p}.residuals"] = torch.stack(states)
        out[f"prompt{p}.logits"] = logits(c, w, states[-1])
    skip = SKIP_FIRST[name]
    assert max(check_same_position(c, w, x0, skip) for x0 in starts) < 1e-10, "the two definitions of `same` differ"
    lens = fitted(c, w, starts, skip, out)
    states = run(c, w, starts[0])
    for kind, jacobians in (("jacobian", lens), ("logit", [torch.eye(c["d_model"]).double() for _ in lens])):
        out[f"readout.{kind}.ids"], out[f"readout.{kind}.log_probs"] = readout(c, w, states, jacobians)
    parameters = interventions(c, w, starts[0], lens, out)
    grads, loss = parameter_gradients(c, w, embed, ids[0])
    out.update({f"gradient.{k}": v for k, v in grads.items()})
    return out, dict(covers=covers, config=c, seed=seed, skip_first=skip, readout=dict(prompt=0, k=10, lens="J.all.mean"),
                     interventions=parameters, loss=dict(prompt=0, mean_cross_entropy=loss))


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    folder = args.parse_args().out
    torch.set_num_threads(1)
    models = {}
    for i, name in enumerate(FAMILIES):
        tensors, entry = make(name, seed=1000 + 10 * i)
        tensors = {k: v.contiguous() if v.dtype == torch.int32 else v.float().contiguous() for k, v in tensors.items()}
        assert all(v.isfinite().all() for v in tensors.values()), f"{name}: a tensor is not finite"
        file = folder / f"{name}.safetensors"
        save_file(tensors, file)
        entry.update(file=file.name, sha256=hashlib.sha256(file.read_bytes()).hexdigest())
        models[name] = entry
        print(f"{file}: {len(tensors)} tensors, {file.stat().st_size} bytes")
    manifest = dict(format=1, made_with=dict(torch=torch.__version__, safetensors=safetensors.__version__,
                                             python=platform.python_version()),
                    computed_in="float64", stored_in="float32", models=models)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
