"""Lens mathematics of the golden fixtures: straight from the definitions, with no thought for speed.

The Jacobian lens is *not* computed as the engine does it (one backward pass per output coordinate with a cotangent at every
valid position). Instead the full derivative K[t', i, t, j] = d h_target(t')[i] / d h_source(t)[j] is built and summed by
the variant's own definition, so that an error in the choice of positions cannot hide in both.
"""
import torch

from families import logits, run

#: Estimator variants: name -> (gradient mode, layers that the target lies below the last state, rule on (t', t)).
VARIANTS = {
    "all": ("full", 0, lambda target, source: target >= source),
    "same": ("full", 0, lambda target, source: target == source),
    "future": ("full", 0, lambda target, source: target > source),
    "frozen": ("frozen", 0, lambda target, source: target >= source),
    "penultimate": ("full", 1, lambda target, source: target >= source),
}


def derivative(c, w, x0, source, target, mode):
    """K [T, D, T, D]: every output coordinate at every position against every input coordinate at every position."""
    h = run(c, w, x0, mode)[source].detach().requires_grad_(True)
    # restart from the source state: replace it on the way, so that the graph begins there
    top = run(c, w, x0, mode, lambda l, x: h if l == source else x)[target]
    T, D = top.shape
    eye = torch.eye(T * D, dtype=top.dtype).reshape(T * D, T, D)
    (g,) = torch.autograd.grad(top, h, eye, is_grads_batched=True)
    return g.reshape(T, D, T, D)


def prompt_jacobian(c, w, x0, source, variant, skip_first):
    """J of one prompt [D, D]: sum over the variant's valid t', mean over valid t; valid positions are skip_first..T-2."""
    mode, below, keep = VARIANTS[variant]
    k = derivative(c, w, x0, source, c["n_layers"] - below, mode)
    valid = range(skip_first, x0.shape[0] - 1)
    total = sum(k[t2, :, t, :] for t in valid for t2 in valid if keep(t2, t))
    return (total if torch.is_tensor(total) else torch.zeros_like(k[0, :, 0, :])) / len(valid)


def source_layers(c, variant):
    """Source states of a variant: 0 up to the state below the target."""
    return range(c["n_layers"] - VARIANTS[variant][1])


def check_same_position(c, w, x0, skip_first):
    """The cheap estimator (stop gradients at other positions' keys and values, one-hot cotangents at all valid t') must
    equal the definition (t' = t entries of the full derivative). Returns the largest relative difference."""
    worst, valid = 0.0, slice(skip_first, x0.shape[0] - 1)
    for source in range(c["n_layers"]):
        k = derivative(c, w, x0, source, c["n_layers"], "same")
        cheap = k[valid, :, valid, :].sum(0).mean(1)
        exact = prompt_jacobian(c, w, x0, source, "same", skip_first)
        worst = max(worst, ((cheap - exact).norm() / exact.norm()).item())
    return worst


def lens_vectors(c, w, jacobian):
    """v_w = J^T (gain * W_U[w]) for every word, [V, D]; for LayerNorm the subtraction of the mean is folded in."""
    rows = w.get("unembedding", w["embedding"]) * w["final_norm.gain"]
    if c["norm"] == "layer":
        rows = rows - rows.mean(1, keepdim=True)
    return rows @ jacobian


def centre(vectors):
    """Lens vectors minus their mean over the vocabulary."""
    return vectors - vectors.mean(0, keepdim=True)


def readout(c, w, states, jacobians, k=10):
    """Top k words and log-probabilities of every cell [L+1, T, k]; the last layer's Jacobian is the identity."""
    ids, logprobs = [], []
    for l, h in enumerate(states):
        y = h @ jacobians[l].T if l < len(jacobians) else h
        top = logits(c, w, y).log_softmax(-1).topk(k, -1)
        ids.append(top.indices)
        logprobs.append(top.values)
    return torch.stack(ids).int(), torch.stack(logprobs)


def swapped(x, reference, pair):
    """x + V (swap(V+ reference) - V+ x) for the pair of lens vectors V [2, D]."""
    inverse = torch.linalg.pinv(pair.T)                                  # [2, D]
    return x + (((reference @ inverse.T).flip(-1) - x @ inverse.T) @ pair)


def intervene(c, w, x0, band, edit, positions=None):
    """Run with `edit(l, x, clean_l)` at the layers of the band, at all positions or the given ones. States and logits."""
    clean = run(c, w, x0)

    def apply(l, x):
        if l not in band:
            return x
        new = edit(l, x, clean[l])
        if positions is None:
            return new
        here = torch.zeros(x.shape[0], 1, dtype=torch.bool)
        here[positions] = True
        return torch.where(here, new, x)

    states = run(c, w, x0, edit=apply)
    return torch.stack(states), logits(c, w, states[-1])


def swap_clamped(vectors, s, t):
    """The coordinates of the unmodified run, exchanged, written at every layer."""
    return lambda l, x, clean: swapped(x, clean, vectors[l][[s, t]])


def swap_live(vectors, s, t):
    """The current coordinates, exchanged."""
    return lambda l, x, clean: swapped(x, x, vectors[l][[s, t]])


def projection_move(vectors, s, t, amount):
    """h + a <h, s^> (t^ - s^) with unit vectors."""
    def edit(l, x, clean):
        a, b = (v / v.norm() for v in vectors[l][[s, t]])
        return x + amount * (x @ a)[:, None] * (b - a)
    return edit


def steer(vectors, word, alpha, scale):
    """h + alpha * scale[l] * v/|v|; scale[l] is the mean residual norm of layer l."""
    return lambda l, x, clean: x + alpha * scale[l] * vectors[l][word] / vectors[l][word].norm()


def ablate(vectors, words):
    """Removes from h its orthogonal projection on the span of the words' lens vectors."""
    def edit(l, x, clean):
        basis, _ = torch.linalg.qr(vectors[l][words].T)
        return x - (x @ basis) @ basis.T
    return edit


def parameter_gradients(c, w, embed, tokens):
    """Gradients of the mean next-token cross-entropy of one prompt, and the loss."""
    w = {k: v.clone().requires_grad_(True) for k, v in w.items()}
    out = logits(c, w, run(c, w, embed(c, w, tokens))[-1])
    loss = torch.nn.functional.cross_entropy(out[:-1], tokens[1:])
    loss.backward()
    return {k: torch.zeros_like(v) if v.grad is None else v.grad for k, v in w.items()}, loss.item()
