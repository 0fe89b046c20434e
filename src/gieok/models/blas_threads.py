"""Keeps numpy's matrix products to one thread while a model computes.

OpenBLAS starts a thread a core, and they wait for each other by spinning: with both
cores of a machine busy a batch took 2.0 to 2.8 s with two threads, 0.4 s with one.
"""

import ctypes
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

_FOLDERS: Final = ("../numpy.libs", ".dylibs")
"""Where numpy's wheels have their library, beside numpy."""
_PREFIX: Final = "scipy_openblas_"
_SUFFIX: Final = "num_threads64_"


class BlasSetting(NamedTuple):
    """Gets and sets how many threads this process' matrix products use."""

    get: Callable[[], int]
    set: Callable[[int], Any]


class _Users:
    """How many compute on one thread now, and what was set before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.threads = 1


_USERS: Final = _Users()


@contextmanager
def limit_to_one_thread() -> Generator[None]:
    """Compute matrix products on the calling thread; for the whole process.

    What was set before is set again when the last one leaves. With another library than
    the one of numpy's wheels (Apple's Accelerate, for one) nothing is changed.
    """
    _add_user()
    try:
        yield
    finally:
        _remove_user()


def _add_user() -> None:
    setting = find_setting()
    with _USERS.lock:
        if setting and not _USERS.count:
            _USERS.threads = setting.get()
            setting.set(1)
        _USERS.count += 1


def _remove_user() -> None:
    setting = find_setting()
    with _USERS.lock:
        _USERS.count -= 1
        if setting and not _USERS.count:
            setting.set(_USERS.threads)


@cache
def find_setting() -> BlasSetting | None:
    """Return the setting of the library that numpy has loaded already."""
    beside = Path(np.__file__).parent
    for file in chain(*((beside / name).glob("*openblas*") for name in _FOLDERS)):
        library = ctypes.CDLL(str(file.resolve()))
        names = f"{_PREFIX}get_{_SUFFIX}", f"{_PREFIX}set_{_SUFFIX}"
        if all(hasattr(library, name) for name in names):
            return BlasSetting(*(getattr(library, name) for name in names))
    return None
