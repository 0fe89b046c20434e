"""Whether a clause names one of the things that a known item coordinates."""

from collections.abc import Collection, Sequence
from enum import Enum, auto
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.coordination import NamedPart
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.korean.coordination import NAMES
from gieok.text.english import STOPWORDS
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_WORD: Final = compile_lazily(r"[a-z\d]+(?:[-'][a-z\d]+)*|[.,;:!?]")
_CONTRASTED: Final = _LISTS.compile_list("partial_ends.contrasted")
_BEFORE_KO: Final = _LISTS.get_words("partial_ends.before_ko")
_BEFORE_EN: Final = _LISTS.get_words("partial_ends.before_en") | STOPWORDS
_AFTER_EN: Final = _LISTS.get_words("partial_ends.after_en") | STOPWORDS
_MANY: Final = _LISTS.compile_list("partial_ends.many")
_ONE_OF: Final = _LISTS.compile_list("partial_ends.one_of")
_COUNTS: Final = ("MM", "NR", "SN", "NNB")
_DOING: Final = ("XSV", "VV", "MAG")


class Naming(Enum):
    """How a clause names something."""

    NAMED = auto()
    UNSURE = auto()
    ABSENT = auto()


def detect_naming(
    part: NamedPart,
    parts: Sequence[NamedPart],
    item: str,
    candidate: ClauseCandidate,
) -> Naming:
    """Tell whether a clause names a part of an item: all of it, some, or nothing.

    Whose name is said with more before or after it ("hot yoga", "piano stool"), of
    which there are several, or what is named beside what goes on, is not sure.
    """
    others = {word for one in parts if one != part for word in one.words}
    own = [word for word in part.words if word not in others]
    if is_english(candidate.clause.text):
        named = own if part.is_doing else own[-1:]
        found = _find_english(named, item, candidate.clause.text)
    else:
        found = _find_korean(own, candidate)
    if found is not Naming.NAMED:
        return found
    text = candidate.clause.text
    unsure = _CONTRASTED.search(text) or _ONE_OF.search(text)
    several = _MANY.search(part.text) and not _is_plural(part, text)
    return Naming.UNSURE if unsure or several else Naming.NAMED


def _is_plural(part: NamedPart, text: str) -> bool:
    """Tell whether a clause says that all of several things are over."""
    return bool(part.words) and part.words[-1] in _WORD.findall(text.lower())


def _find_english(own: Collection[str], item: str, text: str) -> Naming:
    """Tell how an English clause names a word."""
    forms = {form for word in own for form in _list_forms(word)}
    words = _WORD.findall(text.lower().replace("’", "'"))
    places = [n for n, word in enumerate(words) if word in forms]
    if not places:
        return Naming.ABSENT
    known = {f for word in _WORD.findall(item.lower()) for f in _list_forms(word)}
    alone = all(
        _can_precede(words[n - 1] if n else "", known)
        and _can_follow(words[n + 1] if n + 1 < len(words) else "", known)
        for n in places
    )
    return Naming.NAMED if alone else Naming.UNSURE


def _list_forms(word: str) -> set[str]:
    """Return the forms of an English noun, or of what one does."""
    bare = word.removesuffix("s") if not word.endswith("ss") else word
    stem = bare.removesuffix("e")
    return {word, bare, f"{bare}s", f"{bare}es", f"{stem}ing"}


def _can_precede(word: str, known: Collection[str]) -> bool:
    return (
        not word[:1].isalpha()
        or word in _BEFORE_EN
        or word in known
        or "'" in word
        or word.endswith(("ing", "ed"))
    )


def _can_follow(word: str, known: Collection[str]) -> bool:
    plain = not word[:1].isalpha() or word in _AFTER_EN or word in known
    return plain or word.endswith(("ed", "ly"))


def _find_korean(own: Collection[str], candidate: ClauseCandidate) -> Naming:
    """Tell how a Korean clause names any of the words."""
    clause = candidate.clause
    runs = _list_runs(clause.morphemes)
    places = [n for n, (word, _, _) in enumerate(runs) if word.lower() in own]
    if not places:
        inside = any(len(w) > 1 and w in run for w in own for run, _, _ in runs)
        return Naming.UNSURE if inside else Naming.ABSENT
    alone = all(
        _is_alone(clause.morphemes, runs[n][1], runs[n][2], own) for n in places
    )
    return Naming.NAMED if alone else Naming.UNSURE


def _list_runs(morphemes: Sequence[Morph]) -> list[tuple[str, int, int]]:
    """Return the nouns written in one word, with the places of their morphemes."""
    runs: list[tuple[str, int, int]] = []
    for place, one in enumerate(morphemes):
        if one.tag not in NAMES:
            continue
        if runs and runs[-1][2] == place and morphemes[place - 1].end == one.start:
            word, start, _ = runs.pop()
            runs.append((word + one.form, start, place + 1))
        else:
            runs.append((one.form, place, place + 1))
    return runs


def _is_alone(
    morphemes: Sequence[Morph], start: int, end: int, own: Collection[str]
) -> bool:
    """Tell whether no noun or number beside a noun narrows what it names."""
    beside = start > 0 and _is_narrowing(morphemes[start - 1], own)
    following = morphemes[end : end + 2]
    if beside or not following:
        return not beside
    first = following[0]
    if first.tag in _COUNTS:
        return False
    done = len(following) > 1 and following[1].tag in _DOING
    return first.tag not in NAMES or done or first.form in own


def _is_narrowing(one: Morph, own: Collection[str]) -> bool:
    """Tell whether a morpheme before a noun says which of several is meant."""
    plain = one.form in _BEFORE_KO or one.form in own
    return not plain and one.tag in ("NNG", "NNP", "ETM", "JKG", *_COUNTS)
