"""Regular expressions that a module declares and the process compiles when needed.

Compiling all of gieok's takes a third of a second, and a command or a script needs few
of them. A server compiles the rest with `compile_declared`, so that no request waits.
"""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, cast

_declared: Final[list["_LazyPattern"]] = []


def compile_lazily(
    expression: str | Callable[[], str], flags: int | Callable[[], int] = 0
) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used.

    For constants of modules. An expression, or its flags, that is itself work to put
    together is given as the function that does it.
    """
    pattern = _LazyPattern(expression, flags)
    _declared.append(pattern)
    return cast("re.Pattern[str]", pattern)


def compile_declared() -> None:
    """Compile every pattern that is declared and was not used yet; safe in a thread.

    Raises:
        re.error: an expression is not well-formed.
    """
    while _declared:
        _ = _declared.pop().compiled


class _LazyPattern:
    """Stands for a `re.Pattern`; after its first use, a method costs one look-up more.

    The methods are attributes that replace themselves by the compiled pattern's own:
    `__getattr__` would slow every later use down.
    """

    def __init__(
        self, expression: str | Callable[[], str], flags: int | Callable[[], int]
    ) -> None:
        self._expression = expression
        self._flags = flags

    @cached_property
    def pattern(self) -> str:
        """The expression, for others to be made of it; nothing is compiled."""
        given = self._expression
        return given if isinstance(given, str) else given()

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    @cached_property
    def flags(self) -> int:
        """The flags that were given; a `re.Pattern` adds its own."""
        return self._flags if isinstance(self._flags, int) else self._flags()

    @cached_property
    def search(self) -> Callable[..., Any]:
        return self.compiled.search

    @cached_property
    def match(self) -> Callable[..., Any]:
        return self.compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., Any]:
        return self.compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[..., Any]:
        return self.compiled.finditer

    @cached_property
    def findall(self) -> Callable[..., Any]:
        return self.compiled.findall

    @cached_property
    def split(self) -> Callable[..., Any]:
        return self.compiled.split

    @cached_property
    def sub(self) -> Callable[..., Any]:
        return self.compiled.sub
