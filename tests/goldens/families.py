"""The decoder families of the golden fixtures, written plainly in PyTorch, apart from the Rust engine.

A model is a configuration (a dict, with the field names of `crates/transformer/src/config.rs`) and a dict of weights (names
and layouts of the project's model files: matrices [out, in]). Everything is computed in whatever dtype the weights have.

Residual states: h_0 is the embedding output (token + position), h_l the output of block l = 1..L, after its second norm
when the blocks are post-norm. The final norm and the unembedding turn h_L into logits.
"""
import math

import torch


def config(vocab, d_model, n_layers, n_heads, head_dim, d_ff, max_context, norm, norm_place, positions, activation,
           n_kv_heads=None, window=None, tied=False, bias=False, norm_eps=1e-5):
    """A configuration with every field of the model files present."""
    return dict(vocab=vocab, d_model=d_model, n_layers=n_layers, n_heads=n_heads, n_kv_heads=n_kv_heads or n_heads,
                head_dim=head_dim, d_ff=d_ff, max_context=max_context, norm=norm, norm_eps=norm_eps,
                norm_place=norm_place, window=window, positions=positions, activation=activation, tied=tied, bias=bias)


def rope(base, rotary_dim):
    """Rotary positions: base of the frequencies, and how many dimensions of a head turn."""
    return dict(kind="rope", base=base, rotary_dim=rotary_dim)


#: name -> (configuration, what it covers); the tests run all of them.
FAMILIES = {
    "tiny_world": (config(40, 24, 3, 2, 12, 40, 32, "rms", "post", rope(1000.0, 12), "relu", window=3),
                   "the shipped family at reduced size: post-norm RMSNorm, RoPE, window, ReLU, untied"),
    "llama": (config(31, 24, 2, 4, 6, 32, 24, "rms", "pre", rope(10000.0, 6), "swi_glu", n_kv_heads=2, tied=True),
              "Llama type: pre-norm RMSNorm, RoPE, grouped-query attention, SwiGLU, tied head"),
    "gpt2": (config(37, 20, 2, 4, 5, 28, 20, "layer", "pre", dict(kind="learned"), "gelu_tanh", tied=True, bias=True),
             "GPT-2 type: pre-norm LayerNorm, learned positions, GELU (tanh), biases, tied head"),
    "postnorm_window": (config(33, 16, 3, 2, 10, 24, 24, "layer", "post", rope(500.0, 6), "gelu", n_kv_heads=1, window=4,
                               bias=True, norm_eps=1e-6),
                        "post-norm LayerNorm, window, exact GELU, biases, untied, partial RoPE, one key-value head, "
                        "heads wider together than the model"),
}


def weight_shapes(c):
    """Every tensor of a model with its shape, in a fixed order."""
    d, f, bias = c["d_model"], c["d_ff"], c["bias"]
    q, kv = c["n_heads"] * c["head_dim"], c["n_kv_heads"] * c["head_dim"]
    shapes = {"embedding": (c["vocab"], d)}
    if c["positions"]["kind"] == "learned":
        shapes["positions"] = (c["max_context"], d)

    def norm(name):
        shapes[f"{name}.gain"] = (d,)
        if c["norm"] == "layer":
            shapes[f"{name}.bias"] = (d,)

    def linear(name, out, inp):
        shapes[name] = (out, inp)
        if bias:
            shapes[f"{name}_bias"] = (out,)

    for i in range(c["n_layers"]):
        p = f"blocks.{i}"
        norm(f"{p}.norm1")
        for name, out, inp in (("q", q, d), ("k", kv, d), ("v", kv, d), ("o", d, q)):
            linear(f"{p}.attn.{name}", out, inp)
        norm(f"{p}.norm2")
        linear(f"{p}.mlp.up", f, d)
        if c["activation"] == "swi_glu":
            linear(f"{p}.mlp.gate", f, d)
        linear(f"{p}.mlp.down", d, f)
    norm("final_norm")
    if not c["tied"]:
        shapes["unembedding"] = (c["vocab"], d)
    return shapes


def random_weights(c, seed):
    """Float64 weights whose values are exact in float32, drawn large enough that every non-linearity matters."""
    g = torch.Generator().manual_seed(seed)
    out = {}
    for name, shape in weight_shapes(c).items():
        x = torch.randn(shape, generator=g, dtype=torch.float64)
        if name.endswith(".gain"):
            x = 1 + 0.2 * x
        elif len(shape) == 1:
            x = 0.2 * x
        elif name in ("embedding", "positions", "unembedding"):
            x = 0.7 * x
        else:
            x = x / math.sqrt(shape[1]) * 1.2
        out[name] = x.float().double()
    return out


def normalise(c, w, name, x):
    """RMSNorm or LayerNorm over the last dimension (biased variance, eps under the root)."""
    if c["norm"] == "layer":
        x = x - x.mean(-1, keepdim=True)
    x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + c["norm_eps"]) * w[f"{name}.gain"]
    return x + w[f"{name}.bias"] if c["norm"] == "layer" else x


def linear(w, name, x):
    """y = x W^T (+ bias, if the model has one)."""
    y = x @ w[name].T
    return y + w[f"{name}_bias"] if f"{name}_bias" in w else y


def rotate(c, x):
    """RoPE on [..., T, head_dim]: the pair (i, i + r/2) of the first r dimensions turns by t * base^(-2i/r)."""
    if c["positions"]["kind"] != "rope":
        return x
    r, half = c["positions"]["rotary_dim"], c["positions"]["rotary_dim"] // 2
    freq = c["positions"]["base"] ** (-torch.arange(half, dtype=torch.float64) * 2 / r)
    angle = (torch.arange(x.shape[-2], dtype=torch.float64)[:, None] * freq).to(x.dtype)
    cos, sin = angle.cos(), angle.sin()
    a, b, rest = x[..., :half], x[..., half:r], x[..., r:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], -1)


def attention(c, w, p, x, mode):
    """Causal (windowed, grouped-query) attention on [..., T, D]; see `run` for the modes."""
    T, hd, H, KV = x.shape[-2], c["head_dim"], c["n_heads"], c["n_kv_heads"]

    def heads(name, n):
        y = linear(w, f"{p}.attn.{name}", x)
        return y.reshape(*y.shape[:-1], n, hd).transpose(-2, -3)

    q, k, v = rotate(c, heads("q", H)), rotate(c, heads("k", KV)), heads("v", KV)
    k, v = k.repeat_interleave(H // KV, -3), v.repeat_interleave(H // KV, -3)   # query head i reads group i // (H/KV)
    back = torch.arange(T)[:, None] - torch.arange(T)[None, :]
    seen = (back >= 0) & (back < (c["window"] or T))
    if mode == "frozen":
        q, k = q.detach(), k.detach()
    own = torch.eye(T, dtype=x.dtype)
    if mode == "same":    # keys and values of other positions are constants; a position's own q, k, v are not
        score = (q @ k.detach().mT) * (1 - own) + (q * k).sum(-1, keepdim=True) * own
    else:
        score = q @ k.mT
    prob = (score / math.sqrt(hd)).masked_fill(~seen, -math.inf).softmax(-1)
    if mode == "same":
        mixed = (prob * (1 - own)) @ v.detach() + (prob * own).sum(-1, keepdim=True) * v
    else:
        mixed = prob @ v
    mixed = mixed.transpose(-2, -3)
    return linear(w, f"{p}.attn.o", mixed.reshape(*mixed.shape[:-2], H * hd))


def feed_forward(c, w, p, x):
    """down(act(up x)), or down(silu(gate x) * up x)."""
    up = linear(w, f"{p}.mlp.up", x)
    if c["activation"] == "swi_glu":
        gate = linear(w, f"{p}.mlp.gate", x)
        up = gate * torch.sigmoid(gate) * up
    elif c["activation"] == "relu":
        up = up.clamp_min(0)
    elif c["activation"] == "gelu":
        up = up * 0.5 * (1 + torch.erf(up / math.sqrt(2)))
    elif c["activation"] == "gelu_tanh":
        up = 0.5 * up * (1 + torch.tanh(math.sqrt(2 / math.pi) * (up + 0.044715 * up ** 3)))
    else:
        raise ValueError(f"unknown activation {c['activation']}")
    return linear(w, f"{p}.mlp.down", up)


def block(c, w, i, x, mode="full"):
    """One block, pre-norm or post-norm."""
    p = f"blocks.{i}"
    if c["norm_place"] == "pre":
        x = x + attention(c, w, p, normalise(c, w, f"{p}.norm1", x), mode)
        return x + feed_forward(c, w, p, normalise(c, w, f"{p}.norm2", x))
    x = normalise(c, w, f"{p}.norm1", x + attention(c, w, p, x, mode))
    return normalise(c, w, f"{p}.norm2", x + feed_forward(c, w, p, x))


def embed(c, w, tokens):
    """h_0 for tokens [..., T]."""
    x = w["embedding"][tokens]
    return x + w["positions"][: tokens.shape[-1]] if "positions" in w else x


def run(c, w, x0, mode="full", edit=None):
    """Residual states h_0..h_L from h_0. `mode`: full | same (gradient only along t' = t) | frozen (none through q and k);
    the values never depend on it. `edit(l, x)` may replace the state h_l before block l + 1 sees it."""
    x = edit(0, x0) if edit else x0
    states = [x]
    for i in range(c["n_layers"]):
        x = block(c, w, i, x, mode)
        x = edit(i + 1, x) if edit else x
        states.append(x)
    return states


def logits(c, w, h):
    """Final norm and unembedding."""
    return normalise(c, w, "final_norm", h) @ w.get("unembedding", w["embedding"]).T
