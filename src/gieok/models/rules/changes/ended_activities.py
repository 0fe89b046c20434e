"""What is stated to be over ends everything known of the user that is it.

"I've packed in the organ" ends that they play it, and that they practise it on Sundays;
"heels all better" ends plantar fasciitis. A memory that says more goes on without it,
and one that cannot be cut stays: what is somebody else's, what is only liked, and what
one is allergic to is not done, and does not end.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.activity_words import INTOLERANCE
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.english_activities import is_ended_english
from gieok.models.rules.changes.korean_activities import is_ended_korean
from gieok.models.rules.changes.named_endings import NamedEnding, find_named_endings
from gieok.models.rules.changes.partial_ends import find_partial_end
from gieok.models.rules.changes.relation import (
    PLAINLY_STATED,
    ItemRelation,
    drop_changes,
)
from gieok.models.rules.korean.conjugation import build_declarative, is_verb
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "ended_activities.toml")

_MORE_EN: Final = _LISTS.compile_list("ended_activities.more_en")
_MORE_KO: Final = compile_lazily(r"(?<=[가-힣])(?:고|며|면서),? (?!있)")
_FRAME_EN: Final = _LISTS.compile_list("ended_activities.frame_en")
_FRAME_KO: Final = compile_lazily(r"^사용자(?:는|가|의|:) ")
_OF_SOMEBODY: Final = compile_lazily(
    r"(?:the|an?|he|she|they|his|her|their|it|user)\b|\S+'s\b"
    r"|\S+ (?:is|are|was|has)\b",
    re.IGNORECASE,
)
"""How a memory opens that is not of the user's own: "Bingo on Fridays" is."""
_QUOTED: Final = compile_lazily(r"^(?P<before>[^“]*)“(?P<said>[^”]+)”(?P<after>.*)$")
_SENTENCE: Final = compile_lazily(r"(?<=[.!?])\s+|,\s+")

_NOT_OVER: Final = _LISTS.compile_list("ended_activities.not_over")
_SIGNED_UP: Final = _LISTS.compile_list("ended_activities.signed_up")
_OUTGROWN: Final = _LISTS.compile_list("ended_activities.outgrown")
_LISTED: Final = compile_lazily(r", | and |(?<=[가-힣])(?:이?랑|와|과|하고) ")
_DELETES: Final = FindingOperation.DELETE


class _ContentParts(NamedTuple):
    """A memory taken apart."""

    parts: list[str]
    build: Callable[[Sequence[str]], str]
    """Writes it with some of its parts, given in order."""


def find_ended_activities(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return which known items are over, or go on in part, as clauses state it.

    The first that is wholly over, and is named, is told as what the clause says
    instead, unless it was judged of the clause that it only ends something.
    """
    ends = {one.clause for one in related if one.operation is _DELETES}
    endings = {
        place: stated
        for place, candidate in enumerate(candidates)
        if (stated := find_named_endings(candidate))
    }
    found: list[ItemRelation] = []
    replaced = set(ends)
    for item, memory in enumerate(known if endings else ()):
        place, rest = _find_rest(memory.content, candidates, endings)
        if place is None:
            continue
        named = _is_named(memory.content, endings[place])
        updates = bool(rest) or (named and place not in replaced)
        found.append(
            ItemRelation(
                place,
                item,
                FindingOperation.UPDATE if updates else _DELETES,
                PLAINLY_STATED,
                remaining=rest,
                stands=bool(rest) or (not updates and place not in ends),
            )
        )
        if updates and not rest:
            replaced.add(place)
    return found


def _is_named(content: str, endings: Sequence[NamedEnding]) -> bool:
    """Tell whether a memory has a word for what is over, and is near to what says so.

    "heels all better" ends plantar fasciitis, and shares no word with it.
    """
    text = content.lower()
    return any(one.words and one.words[-1][:-1] in text for one in endings)


def _find_rest(
    content: str,
    candidates: Sequence[ClauseCandidate],
    endings: Mapping[int, Sequence[NamedEnding]],
) -> tuple[int | None, str]:
    """Return the last clause that ends some of a memory, and what then goes on."""
    places = [
        place
        for place, stated in endings.items()
        if remove_ended(content, stated, candidates[place]) is not None
    ]
    if not places:
        return None, ""
    stated = [one for place in places for one in endings[place]]
    return places[-1], remove_ended(content, stated, candidates[places[-1]]) or ""


def drop_unended(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what clauses do, but what ends something that they do not end.

    A session that is over, a little progress and a pass for three months end nothing,
    and who gave up cucumbers is as allergic to them as before. Nor does a message end
    an allergy that does not say so.
    """
    return drop_changes(
        related,
        known,
        lambda place, content: _is_unended(candidates[place], content),
    )


def _is_unended(candidate: ClauseCandidate, content: str) -> bool:
    """Tell whether a clause that sounds like an end of a memory is none."""
    if _NOT_OVER.search(candidate.clause.text) or _SIGNED_UP.search(
        candidate.turn.text
    ):
        return True
    if is_lasting_intolerance(content, candidate.turn.text):
        return True
    others = candidate.has_flag("kin", "acquaintance")
    of_user = _FRAME_EN.match(content) or _FRAME_KO.match(content)
    return bool(INTOLERANCE.search(content) and others and of_user)


def is_lasting_intolerance(content: str, said: str) -> bool:
    """Tell whether a memory is of what one cannot take, whatever a message may end.

    Only what says so ends an allergy; "tested, it's only prawns" ends none.
    """
    return bool(INTOLERANCE.search(content)) and not _OUTGROWN.search(said)


def remove_ended(
    content: str, endings: Sequence[NamedEnding], candidate: ClauseCandidate
) -> str | None:
    """Return what goes on of a memory: nothing if all is over, None if nothing is.

    None comes back as well for one of which something is over that cannot be cut out.
    """
    korean = has_hangul(content)
    content_parts = (
        _take_korean_apart(content) if korean else _take_english_apart(content)
    )
    if content_parts is None:
        return None
    is_over = is_ended_korean if korean else is_ended_english
    kept = [
        n
        for n, part in enumerate(content_parts.parts)
        if not any(is_over(part, ending) for ending in endings)
    ]
    if len(kept) == len(content_parts.parts):
        return None
    listed = find_partial_end(content, candidate)
    if listed is not None and len(content_parts.parts) == 1:
        return listed.remaining
    gone = (part for n, part in enumerate(content_parts.parts) if n not in kept)
    if len(content_parts.parts) > 1 and any(map(_LISTED.search, gone)):
        return None
    return content_parts.build([content_parts.parts[n] for n in kept]) if kept else ""


def _join_parts(before: str, joint: str, kept: Sequence[str]) -> str:
    """Return what is kept of a memory, with what stands before and between."""
    return before + joint.join(kept)


def _take_english_apart(content: str) -> _ContentParts | None:
    """Return the things that an English memory of the user says."""
    quoted = _QUOTED.search(content)
    if quoted is not None:
        frame = quoted["before"].rstrip(": ")
        return _ContentParts(
            _SENTENCE.split(quoted["said"]), partial(_join_parts, f"{frame}: ", ", ")
        )
    frame = _FRAME_EN.match(content)
    if frame is None and _OF_SOMEBODY.match(content):
        return None
    opening = "" if frame is None else frame[0]
    said = content.removeprefix(opening).rstrip(".")
    return _ContentParts(_MORE_EN.split(said), partial(_join_parts, opening, " and "))


def _take_korean_apart(content: str) -> _ContentParts | None:
    """Return the things that a Korean memory of the user says."""
    quoted = _QUOTED.search(content)
    if quoted is not None:
        return _ContentParts(
            _SENTENCE.split(quoted["said"]), partial(_join_parts, "사용자: ", ", ")
        )
    frame = _FRAME_KO.match(content)
    if frame is None:
        return None
    parts = _MORE_KO.split(content[frame.end() :].rstrip("."))
    last = parts[-1]

    def build(kept: Sequence[str]) -> str:
        *linked, final = kept
        said = [f"{part}고" for part in linked]
        closed = final if final == last else _build_declarative(final)
        return frame[0] + " ".join([*said, closed])

    return _ContentParts(parts, build)


def _build_declarative(stem: str) -> str:
    """Return a part that stood before "고" as the end of a sentence."""
    read = get_shared_morphology().analyze(f"{stem}고")
    place = max(0, len(read) - 2)
    return build_declarative(stem, verb=is_verb(read, place))
