"""A value that is stated to have taken another's place stands for it in a memory.

"칠곡에서 침산동으로 이사했어" says nothing of the name that "사용자는 칠곡에 사는
경미이다" has besides. So the memory is told with the new value in the
place of the old one. It has to name the old value and what the clause is about: who
moved their choir from Monday keeps Monday's yoga.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.activity_words import NOT_ONGOING
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.coordination import list_conjuncts
from gieok.models.rules.changes.relation import (
    PLAINLY_STATED,
    ItemRelation,
    drop_changes,
)
from gieok.models.rules.changes.stated_ends import has_own_subject
from gieok.models.rules.flags import ABOUT_OTHERS, NOT_ASSERTED
from gieok.models.rules.korean.corrections import select_ending
from gieok.models.rules.nouns import extract_nouns
from gieok.text.english import STOPWORDS, stem_word
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.time_expressions import is_time

_LISTS: Final = PatternFile("gieok.models.rules.changes", "replaced_values.toml")

_STATED: Final = tuple(
    _LISTS.compile_list(f"replaced_values.{name}")
    for name in ("from_to_en", "switched_en", "instead_en", "now_not_en", "from_to_ko")
)
_BEGUN: Final = tuple(
    _LISTS.compile_list(f"replaced_values.{name}")
    for name in ("moved_first_ko", "denied_ko")
)
_HOME_MOVED: Final = _LISTS.compile_list("replaced_values.home_moved")
_UNSURE: Final = _LISTS.compile_list("replaced_values.unsure")
_LIVES_AFTER: Final = _LISTS.compile_list("replaced_values.lives_after")
_LIVES_BEFORE: Final = _LISTS.compile_list("replaced_values.lives_before")
_ANSWERED: Final = _LISTS.compile_list("replaced_values.answered")
_BROAD: Final = _LISTS.get_words("replaced_values.broad")
_EMPTY: Final = _LISTS.get_words("replaced_values.empty") | STOPWORDS
_WORD: Final = compile_lazily(r"[A-Za-z][A-Za-z'-]+")
_DAY: Final = _LISTS.compile_list("replaced_values.day")
_PAIR: Final = compile_lazily(r"([\w'-]+) and ([\w'-]+)")
_QUOTED: Final = compile_lazily(r"^(?P<before>[^“]*?):? ?“(?P<said>[^”]+)”")

_OPENING: Final = 5  # letters by which two words are kindred


class StatedReplacement(NamedTuple):
    """That one value stands now for another."""

    old: str
    new: str
    about: frozenset[str]
    """Stems and nouns of what it is said of."""
    is_home: bool
    """Whether it is where somebody lives."""
    is_own: bool = True
    """Whether it is said of the user, or of nobody else by name."""


def find_replaced_values(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return the known items in which clauses say that a value is another now."""
    found: list[ItemRelation] = []
    for place, candidate in enumerate(candidates):
        said = find_replaced_value(candidate)
        if said is None:
            continue
        judged = {one.known for one in related if one.clause == place}
        for item, memory in enumerate(known):
            told = replace_value(memory.content, said)
            if told is None or _is_of_several(said, memory.content):
                continue
            if not _is_about(said, memory.content, is_judged=item in judged):
                continue
            found.append(
                ItemRelation(
                    place,
                    item,
                    FindingOperation.UPDATE,
                    PLAINLY_STATED,
                    remaining=told,
                    stands=any(not _is_named(w, told) for w in said.about),
                )
            )
    return found


def drop_unnamed_replacements(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what clauses do, but what replaces a value of something else.

    Who moved their choir from Monday did not move what else is on Mondays.
    """
    said = [find_replaced_value(one) for one in candidates]
    return drop_changes(
        related, known, lambda place, content: _is_of_another(said[place], content)
    )


def _is_of_another(said: StatedReplacement | None, content: str) -> bool:
    """Tell whether a memory has the value of something that a clause does not name."""
    if said is not None and _is_of_several(said, content):
        return _find_value(content, said.old) is not None
    return (
        said is not None
        and bool(said.about)
        and not said.is_home
        and _find_value(content, said.old) is not None
        and _ANSWERED.search(content) is None
        and not any(_is_named(word, content) for word in said.about)
    )


def find_replaced_value(candidate: ClauseCandidate) -> StatedReplacement | None:
    """Return which value a clause says stands now for which other, if it does.

    What is right may follow in the next clause: "포수 아니고" and "이제 3루수다".
    """
    if candidate.has_flag(*NOT_ASSERTED):
        return None
    clause = candidate.clause
    rest = candidate.turn.text[clause.start :].replace("’", "'")
    found = next((m for p in _STATED if (m := p.search(clause.text))), None)
    if found is None:
        begun = (m for p in _BEGUN if (m := p.search(rest)))
        found = next((m for m in begun if m.start() < len(clause.text)), None)
    if found is None:
        return None
    old, new = found["old"], found["new"]
    is_home = bool(_HOME_MOVED.search(clause.text)) and not _DAY.fullmatch(old)
    if _UNSURE.search(rest) or old == new:
        return None
    if is_home and not has_own_subject(candidate):
        return None
    about = _collect_about(candidate, old, new)
    others = candidate.has_flag(*ABOUT_OTHERS, "opens_with_others")
    return StatedReplacement(old, new, about, is_home, not others)


def _collect_about(candidate: ClauseCandidate, old: str, new: str) -> frozenset[str]:
    """Return what a clause names besides the two values."""
    clause = candidate.clause
    text = clause.text.replace("’", "'")
    if has_hangul(text):
        nouns = (noun for noun, _ in extract_nouns(text, clause.morphemes))
        return frozenset(
            noun.lower()
            for noun in nouns
            if not is_time(noun) and noun not in (old, new) and noun not in _BROAD
        )
    words = (word.lower().removesuffix("'s") for word in _WORD.findall(text))
    values = {*old.lower().split(), *new.lower().split()}
    return frozenset(
        stem_word(word)
        for word in words
        if word not in _EMPTY | _BROAD | values and not is_time(word)
    ) - {""}


def _is_of_several(said: StatedReplacement, content: str) -> bool:
    """Tell whether a memory says of several things what a clause says of some."""
    parts = () if said.is_home else list_conjuncts(content)
    texts = [part.text for part in parts]
    pair = None if said.is_home else _PAIR.search(content)
    for group in (texts, pair.groups() if pair else ()):
        named = [any(_is_named(w, text) for w in said.about) for text in group]
        if any(named) and not all(named):
            return True
    return False


def _is_about(said: StatedReplacement, content: str, *, is_judged: bool) -> bool:
    """Tell whether a memory is of what a value is said of."""
    if said.is_home:
        return True
    if not said.about:
        return is_judged or _is_of_user(said, content)
    return any(_is_named(word, content) for word in said.about)


def _is_of_user(said: StatedReplacement, content: str) -> bool:
    """Tell whether a memory is of what the user takes or does, and no time of it."""
    ongoing = content.startswith("The user ") and not NOT_ONGOING.search(content)
    timed = _DAY.fullmatch(said.old) or is_time(said.old)
    return said.is_own and ongoing and not timed


def _is_named(word: str, content: str) -> bool:
    if not word.isascii():
        return word in content
    stems = (
        stem_word(one.lower().removesuffix("'s")) for one in _WORD.findall(content)
    )
    return any(one == word or _is_kindred(one, word) for one in stems)


def _is_kindred(one: str, other: str) -> bool:
    """Tell whether two stems open alike: "therapi" and "therapist"."""
    return min(len(one), len(other)) >= _OPENING and one[:_OPENING] == other[:_OPENING]


def replace_value(content: str, said: StatedReplacement) -> str | None:
    """Return a memory with the new value for the old one; None if it is not told so.

    Where somebody lives is told as that: who moves goes on working where they did.
    """
    if _find_value(content, said.new) is not None:
        return None
    found = _find_value(content, said.old)
    if found is None:
        return None
    before, after = content[: found.start()], content[found.end() :]
    if said.is_home and not (
        _LIVES_AFTER.search(after) or _LIVES_BEFORE.search(before)
    ):
        return None
    new = _match_number(found[0], said.new)
    if has_hangul(said.new) and has_hangul(after[:1]):
        particle = re.match("[가-힣]+", after)
        written = particle[0] if particle else ""
        ending = select_ending(new, written)
        if ending is None:
            return None
        after = ending + after[len(written) :]
    return remove_quotation(f"{before}{new}{after}")


def _find_value(content: str, value: str) -> re.Match[str] | None:
    """Return where a value stands alone in a memory, a day in either number."""
    if not value.isascii():
        return re.search(rf"(?<![가-힣]){re.escape(value)}", content)
    bare = value.removesuffix("s") if _DAY.fullmatch(value) else value
    more = "s?" if _DAY.fullmatch(value) else ""
    return re.search(
        rf"(?<![\w-]){re.escape(bare)}{more}(?![\w-])", content, re.IGNORECASE
    )


def _match_number(old: str, new: str) -> str:
    """Return a new value in the number and with the capital of the old one."""
    if not (_DAY.fullmatch(old) and _DAY.fullmatch(new)):
        return new
    shaped = new.removesuffix("s") + ("s" if old.endswith("s") else "")
    return shaped.capitalize() if old[0].isupper() else shaped.lower()


def remove_quotation(content: str) -> str:
    """Return a memory that quotes nothing: so nobody said it."""
    quoted = _QUOTED.search(content)
    if quoted is None:
        return content
    before = "사용자" if has_hangul(content) else quoted["before"].rstrip(": ")
    return f"{before}: {quoted['said'].strip()}"
