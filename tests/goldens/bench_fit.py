"""How fast PyTorch autograd fits the Jacobian lens: `python bench_fit.py --model FILE --threads 2 [--prompts FILE] [--out J.safetensors]`

The estimator is the lens's own (variant `all`, target = last state): for each output coordinate a one-hot cotangent at all
valid positions, one backward pass, mean over the valid positions, mean over the prompts; source states 0..L-1; float32.
Three ways of batching the rows are tried, each with several batch sizes, on a few prompts; the fastest then does the run
that counts, once in one process with N threads and once as N processes of one thread that share the prompts: the better of
the two is reported. Run it on a quiet machine. Without --model a model of the shipped shape with random weights is used; without --prompts, random words.
"""
import argparse
import json
import time

import torch
import torch.multiprocessing
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file

from families import config, embed, random_weights, rope, run

SHIPPED_SHAPE = config(794, 96, 8, 4, 24, 256, 64, "rms", "post", rope(1000.0, 24), "relu", window=5)


def load_model(path):
    """Configuration (from the metadata key `jlens.model`) and float32 weights of one of the project's model files."""
    with safe_open(path, "pt") as f:
        c = json.loads(f.metadata()["jlens.model"])["config"]
        return c, {k: f.get_tensor(k).float() for k in f.keys()}


class Fast:
    """The same forward as families.run with PyTorch's fused operations (full-gradient mode only)."""

    def __init__(self, c, w, T):
        self.c, self.w = c, w
        back = torch.arange(T)[:, None] - torch.arange(T)[None, :]
        self.mask = torch.zeros(T, T).masked_fill(~((back >= 0) & (back < (c["window"] or T))), -torch.inf)
        self.qkv = [self.stack(i, "weight") for i in range(c["n_layers"])]
        self.qkv_bias = [self.stack(i, "bias") for i in range(c["n_layers"])]
        if c["positions"]["kind"] == "rope":
            r = c["positions"]["rotary_dim"]
            a = torch.outer(torch.arange(T).double(), c["positions"]["base"] ** (-torch.arange(r // 2).double() * 2 / r))
            self.cos, self.sin = a.cos().float(), a.sin().float()

    def stack(self, i, part):
        names = [f"blocks.{i}.attn.{n}" + ("" if part == "weight" else "_bias") for n in "qkv"]
        return torch.cat([self.w[n] for n in names]) if names[0] in self.w else None

    def norm(self, name, x):
        gain, size = self.w[f"{name}.gain"], (x.shape[-1],)
        if self.c["norm"] == "layer":
            return F.layer_norm(x, size, gain, self.w[f"{name}.bias"], self.c["norm_eps"])
        return F.rms_norm(x, size, gain, self.c["norm_eps"])

    def rotate(self, x):
        if self.c["positions"]["kind"] != "rope":
            return x
        r = self.c["positions"]["rotary_dim"]
        a, b, rest = x[..., : r // 2], x[..., r // 2: r], x[..., r:]
        turned = [a * self.cos - b * self.sin, a * self.sin + b * self.cos]
        return torch.cat(turned + ([rest] if rest.shape[-1] else []), -1)

    def attention(self, i, x):
        c, (B, T, _) = self.c, x.shape
        H, KV, hd = c["n_heads"], c["n_kv_heads"], c["head_dim"]
        y = F.linear(x, self.qkv[i], self.qkv_bias[i]).view(B, T, H + 2 * KV, hd).transpose(1, 2)
        q, k, v = self.rotate(y[:, :H]), self.rotate(y[:, H:H + KV]), y[:, H + KV:]
        if KV < H:
            k, v = k.repeat_interleave(H // KV, 1), v.repeat_interleave(H // KV, 1)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask).transpose(1, 2).reshape(B, T, H * hd)
        return F.linear(a, self.w[f"blocks.{i}.attn.o"], self.w.get(f"blocks.{i}.attn.o_bias"))

    def feed_forward(self, i, x):
        w, p, act = self.w, f"blocks.{i}.mlp", self.c["activation"]
        up = F.linear(x, w[f"{p}.up"], w.get(f"{p}.up_bias"))
        if act == "swi_glu":
            up = F.silu(F.linear(x, w[f"{p}.gate"], w.get(f"{p}.gate_bias"))) * up
        else:
            up = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda z: F.gelu(z, approximate="tanh")}[act](up)
        return F.linear(up, w[f"{p}.down"], w.get(f"{p}.down_bias"))

    def states(self, x):
        out = [x]
        for i in range(self.c["n_layers"]):
            p = f"blocks.{i}"
            if self.c["norm_place"] == "pre":
                x = x + self.attention(i, self.norm(f"{p}.norm1", x))
                x = x + self.feed_forward(i, self.norm(f"{p}.norm2", x))
            else:
                x = self.norm(f"{p}.norm1", x + self.attention(i, x))
                x = self.norm(f"{p}.norm2", x + self.feed_forward(i, x))
            out.append(x)
        return out


def fit_loop(states_of, x0, valid):
    """One backward pass per row, all prompts of the batch together. Returns the sum over the prompts [L, D, D]."""
    hs = states_of(x0.requires_grad_(True))
    D, L, ct = x0.shape[-1], len(hs) - 1, torch.zeros_like(hs[-1])
    J = torch.zeros(L, D, D)
    for i in range(D):
        ct.zero_()
        ct[:, valid, i] = 1
        for l, g in enumerate(torch.autograd.grad(hs[-1], hs[:-1], ct, retain_graph=i < D - 1)):
            J[l, i] = g[:, valid].mean(1).sum(0)
    return J


def fit_vmap(states_of, x0, valid, rows):
    """`rows` cotangent rows per backward pass through is_grads_batched."""
    hs = states_of(x0.requires_grad_(True))
    D, L = x0.shape[-1], len(hs) - 1
    J = torch.zeros(L, D, D)
    for i in range(0, D, rows):
        n = min(rows, D - i)
        ct = torch.zeros(n, *hs[-1].shape)
        for r in range(n):
            ct[r, :, valid, i + r] = 1
        grads = torch.autograd.grad(hs[-1], hs[:-1], ct, retain_graph=i + n < D, is_grads_batched=True)
        for l, g in enumerate(grads):
            J[l, i:i + n] = g[:, :, valid].mean(2).sum(1)
    return J


def fit_copies(states_of, x0, valid, rows):
    """`rows` copies of the batch, one cotangent row each: one forward and one backward pass per chunk of rows."""
    P, T, D = x0.shape
    J = None
    for i in range(0, D, rows):
        n = min(rows, D - i)
        x = x0.detach()[None].expand(n, P, T, D).reshape(n * P, T, D).requires_grad_(True)
        hs = states_of(x)
        ct = torch.zeros(n, P, T, D)
        for r in range(n):
            ct[r, :, valid, i + r] = 1
        J = torch.zeros(len(hs) - 1, D, D) if J is None else J
        for l, g in enumerate(torch.autograd.grad(hs[-1], hs[:-1], ct.view(n * P, T, D))):
            J[l, i:i + n] = g.view(n, P, T, D)[:, :, valid].mean(2).sum(1)
    return J


def strategies(states_of, plain_states):
    """name -> (prompts per batch, fit of a batch)."""
    out = {}
    for kind, fn in (("fused", states_of), ("plain", plain_states)):
        for P in (1, 4, 16):
            out[f"{kind}, loop over rows, {P} prompts"] = P, lambda x, v, fn=fn: fit_loop(fn, x, v)
            for R in (24, 96):
                if P * R <= 512:
                    out[f"{kind}, vmap {R} rows, {P} prompts"] = P, lambda x, v, fn=fn, R=R: fit_vmap(fn, x, v, R)
                    out[f"{kind}, {R} copies, {P} prompts"] = P, lambda x, v, fn=fn, R=R: fit_copies(fn, x, v, R)
    return out


def fit(way, starts, valid):
    """Mean Jacobians [L, D, D] over all prompts."""
    P, batch = way
    return sum(batch(starts[i:i + P].clone(), valid) for i in range(0, len(starts), P)) / len(starts)


def timed(way, starts, valid):
    """(seconds, Jacobians) of one fit."""
    start = time.perf_counter()
    J = fit(way, starts, valid)
    return time.perf_counter() - start, J


def worker(c, w, starts, valid, name, barrier, results):
    """One process's share of the prompts, on one thread; starts with the others. Puts the sum over its prompts."""
    torch.set_num_threads(1)
    way = strategies(Fast(c, w, starts.shape[1]).states, lambda x: run(c, w, x))[name]
    fit(way, starts[:1], valid)   # warm up
    barrier.wait()
    results.put((fit(way, starts, valid) * len(starts)).numpy())


def in_processes(c, w, starts, valid, name, n):
    """(seconds, Jacobians) of one fit by `n` processes of one thread."""
    spawn = torch.multiprocessing.get_context("spawn")
    results = spawn.SimpleQueue()
    shares = [part for part in starts.chunk(n) if len(part)]
    barrier = spawn.Barrier(len(shares) + 1)
    all_ = [spawn.Process(target=worker, args=(c, w, part.clone(), valid, name, barrier, results)) for part in shares]
    for p in all_:
        p.start()
    barrier.wait()
    start = time.perf_counter()
    J = sum(torch.from_numpy(results.get()) for _ in all_) / len(starts)
    seconds = time.perf_counter() - start
    for p in all_:
        p.join()
    return seconds, J


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", help="model file; random weights of the shipped shape without it")
    a.add_argument("--prompts", help="JSON: a list of token lists of one length")
    a.add_argument("--count", type=int, default=64, help="number of random prompts without --prompts")
    a.add_argument("--length", type=int, default=64, help="length of random prompts")
    a.add_argument("--skip-first", type=int, default=4)
    a.add_argument("--threads", type=int, default=torch.get_num_threads())
    a.add_argument("--out", help="write J.<layer> and the tokens here")
    return a.parse_args()


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    c, w = load_model(a.model) if a.model else (SHIPPED_SHAPE, {k: v.float() for k, v in random_weights(SHIPPED_SHAPE, 0).items()})
    if a.prompts:
        tokens = torch.tensor(json.load(open(a.prompts)))
    else:
        tokens = torch.randint(0, c["vocab"], (a.count, a.length), generator=torch.Generator().manual_seed(7))
    starts, valid = embed(c, w, tokens), slice(a.skip_first, tokens.shape[1] - 1)
    fast = Fast(c, w, tokens.shape[1])
    ways = strategies(fast.states, lambda x: run(c, w, x))
    timed(next(iter(ways.values())), starts[:2], valid)   # warm up
    rates = {}
    for name, way in ways.items():
        if way[0] <= len(starts):
            some = starts[: max(way[0], min(4, len(starts)))]
            rates[name] = len(some) / timed(way, some, valid)[0]
            print(f"{rates[name]:9.2f} prompts/s  {name}", flush=True)
    best = max(rates, key=rates.get)
    runs = {"one process": min((timed(ways[best], starts, valid) for _ in range(2)), key=lambda r: r[0])}
    if a.threads > 1:
        runs[f"{a.threads} processes"] = in_processes(c, w, starts, valid, best, a.threads)
    for how, (seconds, _) in runs.items():
        print(f"{len(starts) / seconds:9.2f} prompts/s  {best}; all prompts, {how}, {a.threads} threads in all", flush=True)
    how = min(runs, key=lambda r: runs[r][0])
    seconds, J = runs[how]
    result = dict(prompts_per_second=len(starts) / seconds, strategy=f"{best}; {how}", threads=a.threads,
                  prompts=len(starts), tokens_per_prompt=tokens.shape[1], torch=torch.__version__)
    print(json.dumps(result))
    if a.out:
        save_file({**{f"J.{l}": j.contiguous() for l, j in enumerate(J)}, "tokens": tokens.int()}, a.out,
                  {"layers": "states 0..L-1", "result": json.dumps(result)})


if __name__ == "__main__":
    main()
