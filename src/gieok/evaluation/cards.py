"""`eval profile`: what single sessions make of a person's card (dialogues.jsonl)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gieok.evaluation.dialogues import Dialogue, parse_dialogue, read_lines
from gieok.evaluation.harness import KNOWN_SINCE, Bench
from gieok.evaluation.later_sessions import WordGroups, has_words
from gieok.evaluation.tally import Tally
from gieok.kernel.language import CardField, Category, KnownMemory
from gieok.profile import Card

_NEW = ("add", "update")


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """What a session says of its user; `place` is None where the label names none."""

    sentence: str
    category: Category
    must: WordGroups
    operation: str
    place: CardField | None

    def find_place(self, card: Card) -> CardField | None:
        """Return where a card says this, the labelled place first; None: nowhere."""
        places = sorted(CardField, key=lambda place: place is not self.place)
        return next((place for place in places if self._is_in(card, place)), None)

    def _is_in(self, card: Card, place: CardField) -> bool:
        return any(has_words(self.must, each.value) for each in card.get_values(place))


@dataclass(frozen=True, slots=True)
class CardCase:
    """One session and what its user's card should say afterwards."""

    language: str
    """As the set names it: "ko", "en" or "mixed"."""
    dialogue: Dialogue
    facts: tuple[LabelledFact, ...]


def read_card_cases(path: Path) -> Iterator[CardCase]:
    """Yield the sessions of a dialogues.jsonl with what they are labelled with.

    Raises:
        InvalidInputError: a line is not as the format says.
    """
    return read_lines(path, _parse_case)


def group_by_language(path: Path) -> dict[str, list[CardCase]]:
    """Return the sessions of a file by language; raises as `read_card_cases`."""
    cases = list(read_card_cases(path))
    languages = dict.fromkeys(case.language for case in cases)
    return {each: [c for c in cases if c.language == each] for each in languages}


async def run_card_case(bench: Bench, case: CardCase, tally: Tally) -> None:
    """Hold one session and count what its card says, where, and what it leaves out.

    The labelled sentences are placed as well, as if somebody had remembered them word
    for word: that tells what is put in the wrong place from what is not extracted.
    """
    dialogue = case.dialogue
    scope = await bench.create_person(dialogue.id, dialogue.language, dialogue.talk)
    bench.clock.set(dialogue.talk.at - KNOWN_SINCE)
    known = await bench.store_known(scope, dialogue.known)
    session, _ = await bench.record_session(scope, dialogue.talk)
    await bench.gieok.memories.extract(scope, session)
    await bench.gieok.erasure.erase_forgotten(scope)
    card = await bench.gieok.profile.get(scope)
    for fact in case.facts:
        _score_fact(dialogue.id, fact, card, tally)
    for place in CardField:
        for value in card.get_values(place):
            if not known.keys() & set(value.memory_ids):
                hit = any(has_words(f.must, value.value) for f in case.facts)
                detail = f"{place}: {value.value}"
                tally.record("card_founded", dialogue.id, hit=hit, detail=detail)
    bench.gieok.recall.drop(scope)
    await _score_places(bench, case, tally)


def _score_fact(case: str, fact: LabelledFact, card: Card, tally: Tally) -> None:
    found = fact.find_place(card)
    if fact.operation == "delete":
        tally.record("card_gone", case, hit=found is None, detail=fact.sentence)
    if fact.place is None or fact.operation not in _NEW:
        return
    detail = f"{fact.place}: {fact.sentence} → {found or '-'}"
    tally.record("card_right", case, hit=found is fact.place, detail=detail)
    tally.count("card_wrong", hit=found not in (fact.place, None))
    tally.count("card_missing", hit=found is None)


async def _score_places(bench: Bench, case: CardCase, tally: Tally) -> None:
    """Count the places of the labelled sentences themselves."""
    dialogue = case.dialogue
    facts = [f for f in case.facts if f.place is not None and f.operation != "delete"]
    for number, fact in enumerate(facts):
        name = f"{dialogue.id} {number}"
        scope = await bench.create_person(name, dialogue.language, dialogue.talk)
        await bench.store_known(scope, [KnownMemory("1", fact.sentence, fact.category)])
        card = await bench.gieok.profile.get(scope)
        found = next((place for place in CardField if card.get_values(place)), None)
        detail = f"{fact.place}: {fact.sentence} → {found}"
        tally.record("card_placed", dialogue.id, hit=found is fact.place, detail=detail)


def _parse_case(row: Mapping[str, Any]) -> CardCase:
    facts: Sequence[Mapping[str, Any]] = row["gold"]["facts"]
    return CardCase(
        row["lang"],
        parse_dialogue(row),
        tuple(
            LabelledFact(
                fact["say"],
                Category(fact["category"][0]),
                tuple(tuple(group) for group in fact["must"]),
                fact["op"],
                CardField(fact["slot"]) if fact.get("slot") else None,
            )
            for fact in facts
        ),
    )
