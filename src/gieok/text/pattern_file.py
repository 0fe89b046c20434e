"""Words and expressions that stand as data in a TOML file beside a room's code.

A table of the file is one list, under the name by which code asks for it:

    [lexicon.fiction]
    ignore_case = true
    expressions = ["소설", "꿈에[서선]"]  # alternatives of one expression
    latin = ["novel", "short story"]      # as well, as whole words
    found = "어제 쓴 소설 얘기야"
    missed = "소소한 얘기야"

What several expressions of a file have in common stands once, under `parts`, and is
written `{particle}` where it belongs:

    [parts]
    particle = "(?:은|는|이|가)"

`words` is a set that is looked up, `forms` are written as `vocabulary` reads them,
`values` say what each word stands for, and `rewrites` what is written instead of what
an expression finds, one after the other; in them a syllable is its letters, so that
"ᆫ께" is any syllable that ends in ㄴ, and 께. `found` is a text that has one of them and
`missed` one that has not; a test runs both, of every list.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

_FIELDS: Final = frozenset(
    {"words", "forms", "expressions", "latin", "values"}
    | {"rewrites", "ignore_case", "found", "missed"}
)


@dataclass(frozen=True, slots=True)
class PatternList:
    """One list of a file; of its six kinds of entries the others are empty."""

    words: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    latin: tuple[str, ...] = ()
    values: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    rewrites: Mapping[str, str] = field(default_factory=dict[str, str])
    ignore_case: bool = False
    found: str = ""
    missed: str = ""

    @property
    def flags(self) -> int:
        """Flags of the expression."""
        return re.IGNORECASE if self.ignore_case else re.NOFLAG

    @property
    def expression(self) -> str:
        """The alternatives as one regular expression."""
        whole_words = [rf"\b(?:{'|'.join(self.latin)})\b"] if self.latin else []
        return "|".join([*self.expressions, *whole_words])

    def rewrite(self, text: str) -> str:
        """Return the text with what each expression finds written anew."""
        letters = unicodedata.normalize("NFD", text)
        for expression, written in _compile_rewrites(tuple(self.rewrites.items())):
            letters = expression.sub(written, letters)
        return unicodedata.normalize("NFC", letters)


@cache
def _compile_rewrites(
    rewrites: tuple[tuple[str, str], ...],
) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return expressions that find syllables by their letters."""
    return tuple(
        (re.compile(_convert_syllables(said)), unicodedata.normalize("NFD", written))
        for said, written in rewrites
    )


def _convert_syllables(expression: str) -> str:
    """Return an expression for text whose syllables are taken apart.

    "[어아]" cannot stay a class, since a syllable is several letters.
    """
    plain = expression.replace("[가-힣]", "[\u1100-\u11c2]")
    opened = re.sub(r"\[([가-힣]+)\]", lambda found: f"(?:{'|'.join(found[1])})", plain)
    return unicodedata.normalize("NFD", opened)


@dataclass(frozen=True, slots=True)
class PatternFile:
    """The lists of one file; it is read when the first of them is needed."""

    package: str
    name: str

    @property
    def lists(self) -> Mapping[str, PatternList]:
        """The lists by name.

        Raises:
            ValueError: as `parse_lists`.
        """
        return _load_lists(self.package, self.name)

    def get_words(self, name: str) -> frozenset[str]:
        """Return a list's words as a set."""
        return frozenset(self.lists[name].words)

    def get_word_list(self, name: str) -> tuple[str, ...]:
        """Return a list's words in their order."""
        return self.lists[name].words

    def get_forms(self, name: str) -> tuple[str, ...]:
        """Return a list's forms, to be put together with those of others."""
        return self.lists[name].forms

    def get_numbers(self, name: str) -> dict[str, int]:
        """Return the number that each word of a list stands for."""
        return cast("dict[str, int]", dict(self.lists[name].values))

    def get_spellings(self, name: str) -> dict[str, str]:
        """Return what is written for each word of a list."""
        return cast("dict[str, str]", dict(self.lists[name].values))

    def rewrite(self, name: str, text: str) -> str:
        """Return a text with what a list's expressions find written anew."""
        return self.lists[name].rewrite(text)

    def build_vocabulary(self, name: str) -> re.Pattern[str]:
        """Return an expression that finds any of a list's forms."""
        return compile_lazily(lambda: build_vocabulary(*self.lists[name].forms).pattern)

    def compile_list(self, name: str) -> re.Pattern[str]:
        """Return a list's expression, compiled when it is first used."""
        return compile_lazily(
            lambda: self.lists[name].expression, lambda: self.lists[name].flags
        )


@cache
def _load_lists(package: str, name: str) -> Mapping[str, PatternList]:
    """Read a file once, however many modules take lists from it."""
    return parse_lists(files(package).joinpath(name).read_text("utf-8"))


def parse_lists(text: str) -> Mapping[str, PatternList]:
    """Return the lists of a TOML document by name, "table.list" for nested ones.

    Raises:
        ValueError: an entry stands twice in a list, a list is empty, has a field that
            nothing reads, or lacks one of its two examples; an expression names a part
            that there is not, or a part is named nowhere.
    """
    document = tomllib.loads(text)
    parts = _Parts(document.pop("parts", {}))
    lists = dict(_iterate_lists(document, "", parts))
    parts.require_all_used()
    return lists


class _Parts:
    """What several expressions of a file have in common, by name."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts
        self._used: set[str] = set()

    def resolve(self, expression: str) -> str:
        """Return an expression with its parts written out."""
        for name, part in self._parts.items():
            if f"{{{name}}}" in expression:
                self._used.add(name)
                resolved = expression.replace(f"{{{name}}}", part)
                return self.resolve(resolved)
        unknown = [each for each in expression.split("{")[1:] if each[:1].isalpha()]
        if unknown:
            reason = f"there is no part {unknown[0].partition('}')[0]}"
            raise ValueError(reason)
        return expression

    def require_all_used(self) -> None:
        """Fail if a part is named nowhere."""
        if unused := self._parts.keys() - self._used:
            reason = f"no expression has {', '.join(sorted(unused))}"
            raise ValueError(reason)


def _iterate_lists(
    table: Mapping[str, Any], prefix: str, parts: _Parts
) -> Iterator[tuple[str, PatternList]]:
    for key, value in table.items():
        name = f"{prefix}{key}"
        if not isinstance(value, dict):
            reason = f"{name} is no list"
            raise ValueError(reason)  # noqa: TRY004 - the document is wrong, not a type
        fields = cast("dict[str, Any]", value)
        if "found" in fields:
            yield name, _build_list(name, fields, parts)
        else:
            yield from _iterate_lists(fields, f"{name}.", parts)


def _build_list(name: str, fields: Mapping[str, Any], parts: _Parts) -> PatternList:
    unread = fields.keys() - _FIELDS
    if unread:
        reason = f"{name}: nothing reads {', '.join(sorted(unread))}"
        raise ValueError(reason)
    if not (fields["found"] and fields.get("missed")):
        reason = f"{name} needs a text that has it and one that has not"
        raise ValueError(reason)
    entries = [
        entry
        for field in ("words", "forms", "expressions", "latin", "values", "rewrites")
        for entry in fields.get(field, ())
    ]
    twice = [entry for entry, count in Counter(entries).items() if count > 1]
    if twice or not entries:
        reason = f"{name}: {'twice ' + ', '.join(twice) if twice else 'is empty'}"
        raise ValueError(reason)
    given: dict[str, Any] = {
        name: tuple(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    for kind in given.keys() & {"expressions", "latin"}:
        given[kind] = tuple(map(parts.resolve, given[kind]))
    return PatternList(**given)
