"""Finds the things that an English sentence coordinates, and writes it with fewer."""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.coordination_parts import Coordination
from gieok.models.rules.english.articles import select_article
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_OPENING: Final = _LISTS.compile_list("coordination.opening_en")
_LINK: Final = _LISTS.compile_list("coordination.link_en")
_AFTER: Final = _LISTS.compile_list("coordination.after_en")
_FIXED: Final = _LISTS.compile_list("coordination.fixed_en")
_COLLECTIVE: Final = _LISTS.compile_list("coordination.collective_en")
_DETERMINER: Final = _LISTS.compile_list("coordination.determiner_en")
_SHARED: Final = _LISTS.get_words("coordination.shared_en")
_SUBJECT: Final = "The user "
_DOING: Final = _LISTS.get_words("coordination.doing_en")
_DOES: Final = _LISTS.compile_list("coordination.does_en")
_INNER_VERB: Final = compile_lazily(r"\b[a-z]{2,}(?<!s)s [\w(]")
_MAX_WORDS: Final = 3  # of one thing


def find_english_coordination(sentence: str) -> Coordination | None:
    """Return what a sentence about the user coordinates, with what is around it."""
    if not sentence.startswith(_SUBJECT) or _FIXED.search(sentence):
        return None
    doings = _find_doings(sentence)
    if doings is not None:
        return doings
    opening = _OPENING.match(sentence)
    link = _LINK.search(sentence, opening.end()) if opening else None
    if opening is None or link is None:
        return None
    start = _find_start(sentence, opening.end(), link.start())
    final = [*_LINK.finditer(sentence)][-1]
    stop = _AFTER.search(sentence, final.end())
    end = stop.start() if stop else len(sentence.rstrip("."))
    return _build_coordination(sentence, start, end)


def _find_start(sentence: str, start: int, link: int) -> int:
    """Return where the first thing begins: after the last preposition before it."""
    between = [one.end() for one in _AFTER.finditer(sentence, start, link)]
    return between[-1] + 1 if between else start


def _build_coordination(sentence: str, start: int, end: int) -> Coordination | None:
    links = [*_LINK.finditer(sentence, start, end)]
    bounds = [start, *(n for one in links for n in one.span()), end]
    spans = list(zip(bounds[::2], bounds[1::2], strict=True))
    things = tuple(sentence[a:b] for a, b in spans)
    words = tuple(tuple(_DETERMINER.sub("", t).lower().split()) for t in things)
    if len(things) < 2 or not all(words):  # noqa: PLR2004 - one is no list
        return None
    sure = (
        all(len(own) <= _MAX_WORDS for own in words)
        and not _COLLECTIVE.search(sentence)
        and not any(_INNER_VERB.search(thing) for thing in things)
        and not any(_is_doing(thing) for thing in things[1:])
    )
    return Coordination(
        sentence[:start],
        things,
        words,
        tuple(one[0] for one in links),
        sentence[end:],
        sure,
    )


def _is_doing(text: str) -> bool:
    """Tell whether a verb opens a text that stands after "and"."""
    return text.split(" ", 1)[0] in _DOING or _DOES.match(text) is not None


def _find_doings(sentence: str) -> Coordination | None:
    """Return two things that the user does ("smokes and drinks"), if it says two."""
    first, link, second = sentence[len(_SUBJECT) :].rstrip(".").rpartition(" and ")
    does = first.split(" ", 1)[0]
    listed = " and " in first or "," in sentence
    if not does.endswith("s") or listed or not _is_doing(second):
        return None
    alike = (" " in first) == (" " in second)
    things = (first, second)
    pairs = [each.lower().split() for each in things]
    words = tuple((own[0], own[-1]) for own in pairs)
    return Coordination(
        _SUBJECT, things, words, (link,), "", is_sure=alike, are_doings=True
    )


def build_english_sentence(found: Coordination, kept: Sequence[int]) -> str | None:
    """Return a sentence with some of its conjuncts, "and" before the last."""
    things = [found.conjuncts[n] for n in kept]
    if kept[0] > 0:
        first = _add_determiner(found.conjuncts[0], things[0])
        if first is None:
            return None
        things[0] = first
    *others, last = things
    joined = ", ".join(others)
    link = found.links[-1] if len(others) > 1 else found.links[-1].removeprefix(",")
    said = f"{joined}{link}{last}" if others else last
    return f"{found.before}{said}{found.after}"


def _add_determiner(first: str, thing: str) -> str | None:
    """Return a thing with the article that stood only before the first one."""
    said = _DETERMINER.match(first)
    if said is None or _DETERMINER.match(thing) or thing[0].isupper():
        return thing
    article = said[0].strip().lower()
    if article in _SHARED:
        return said[0] + thing
    return f"{select_article(thing)} {thing}" if article in ("a", "an") else None
