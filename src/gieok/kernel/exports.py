"""Names that a package offers and imports when they are first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def export_lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package; `homes` says which module has a name.

    Type checkers are given the same names as imports under `TYPE_CHECKING`.
    """

    def import_name(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)  # the next use is direct
        return value

    return import_name
