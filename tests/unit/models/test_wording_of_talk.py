"""Whatever people say, it can be worded: no talk makes the rules fail."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.wording import render_fact
from gieok.text.kiwi import get_shared_morphology

TRAINING = Path(__file__).parents[3] / "training"
MONTHS = sorted((TRAINING / "months").glob("*_a.jsonl"))
TODAY = date(2026, 3, 2)
EVERY = 6
"""Which sessions are worded here."""


def _read_sessions(path: Path) -> list[list[Any]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    people = [json.loads(line) for line in lines if line.strip()]
    return [session["messages"] for each in people for session in each["sessions"]]


@pytest.mark.parametrize("path", MONTHS, ids=lambda path: path.stem)
def test_every_clause_of_a_year_of_talk_is_worded(path: Path) -> None:
    morphology, at = get_shared_morphology(), datetime.fromisoformat("2026-03-02T19Z")
    clauses = worded = 0
    for session in _read_sessions(path)[::EVERY]:
        messages = tuple(
            Utterance(index, Role.USER if who == "u" else Role.ASSISTANT, text)
            for index, (who, text) in enumerate(session)
        )
        said = select_messages(Conversation(messages, (), at))
        found = collect_candidates(said, morphology)
        clauses += len(found)
        for place in range(len(found)):
            for group in (found[place : place + 1], found[place : place + 3]):
                worded += bool(render_fact(group, TODAY).strip())
    assert clauses
    assert worded == 2 * clauses


def test_a_verb_that_ends_a_sentence_of_jeju_is_worded() -> None:
    text = "점심은 저기 이웃밭 고씨네서 고기국수 헌댄 허난 거기 강 먹젠."
    said = (Utterance(0, Role.USER, text),)
    at = datetime.fromisoformat("2026-03-02T19Z")
    turns = select_messages(Conversation(said, (), at))
    found = collect_candidates(turns, get_shared_morphology())
    assert all(render_fact([each], TODAY) for each in found)
