"""Reads in a Korean answer the verb of its question, said again: "안 먹어요"."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.models.rules.korean.answer_sentences import StatementFrame, find_stems
from gieok.models.rules.korean.answer_words import is_reason
from gieok.models.rules.korean.constituents import Constituent, Kind, read_constituents
from gieok.models.rules.korean.endings import STEMS
from gieok.text.kiwi import Morph, Morphology

_OPPOSITES: Final = {"있": "없", "없": "있", "알": "모르", "하": "못하", "잘하": "못하"}
_DENYING: Final = frozenset({"않", "못하", "말"})
_PASTS: Final = frozenset({"었", "았", "였"})
_FORMER: Final = frozenset({"었었", "았었"})
_ENDED: Final = ("EF", "EC", "ETN")


class Echo(NamedTuple):
    """How an answer says the verb of its question again: "안 먹어요", "먹었죠"."""

    is_denied: bool
    is_unable: bool
    is_past: bool
    is_former: bool
    added: tuple[Constituent, ...]
    """What else it says: "가끔", "밖에서만"."""


def read_echo(frame: StatementFrame, said: str, morphology: Morphology) -> Echo | None:
    """Return how words say the verb of a question again, or nothing if others."""
    asked = frame.asked
    if asked.is_copula or is_reason(said, morphology):
        return None
    if said.strip(" ,.!~") == asked.text[asked.morphemes[asked.chain].start :]:
        return Echo(
            is_denied=False,
            is_unable=False,
            is_past=asked.past,
            is_former=False,
            added=(),
        )
    whole = [*morphology.analyze(said)]
    places = find_stems(whole)
    if not places or any(m.form == "겠" or m.tag == "ETM" for m in whole):
        return None
    chain = asked.morphemes[asked.chain :]
    opposites = {_OPPOSITES[m.form] for m in chain if m.form in _OPPOSITES}
    own = {m.form for m in chain if m.tag in STEMS}
    known = own | opposites | _DENYING | {"있"}
    verbs = {whole[n].form for n in places}
    if verbs.isdisjoint(own | opposites) or not verbs <= known:
        return None
    added = _read_added(frame, said, whole, places)
    return None if added is None else _build_echo(frame, whole, verbs, added)


def _build_echo(
    frame: StatementFrame,
    whole: Sequence[Morph],
    verbs: set[str],
    added: Sequence[Constituent],
) -> Echo:
    """Return an echo with what its morphemes say."""
    tenses = {m.form for m in whole if m.tag == "EP"}
    own = {m.form for m in frame.asked.morphemes[frame.asked.chain :]}
    unable = any(one.text == "못" for one in added) or "못하" in verbs - own
    not_there = "없" in verbs or "모르" in verbs - own
    denied = any(one.kind is Kind.NEGATION for one in added) or bool(verbs & _DENYING)
    rest = tuple(one for one in added if one.kind is not Kind.NEGATION)
    past = not tenses.isdisjoint(_PASTS | _FORMER)
    former = not tenses.isdisjoint(_FORMER)
    return Echo(denied or not_there or unable, unable, past, former, rest)


def _read_added(
    frame: StatementFrame, said: str, whole: Sequence[Morph], places: Sequence[int]
) -> list[Constituent] | None:
    """Return what is said beside the verb, or nothing if it is of something else."""
    first = places[0]
    while (
        first
        and whole[first].tag in ("XSV", "XSA")
        and whole[first - 1].tag[:2] == "NN"
    ):
        first -= 1
        if whole[first].form not in {m.form for m in frame.asked.morphemes}:
            return None
        if whole[first].end != whole[first + 1].start:
            break
    ends = next(
        (n for n in range(places[-1], len(whole)) if whole[n].tag in _ENDED), None
    )
    if ends is None:
        return None
    after = [m for m in whole[ends + 1 :] if m.form != "요" and m.tag[0] != "S"]
    found = read_constituents(said[: whole[first].start], whole[:first])
    if after:
        found += read_constituents(said[after[0].start :].rjust(len(said)), after)
    words = {one.noun for one in frame.parts} | {one.text for one in frame.parts}
    rest = [one for one in found if one.noun not in words and one.text not in words]
    foreign = (Kind.SUBJECT, Kind.TOPIC, Kind.OBJECT, Kind.NOUN, Kind.OTHER)
    return None if any(one.kind in foreign for one in rest) else rest
