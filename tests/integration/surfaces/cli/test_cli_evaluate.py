"""Evaluation sets become predictions and ranks in the formats that score.py reads."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

import pytest

from gieok import Config, Gieok, Parts
from gieok.evaluation.dialogues import (
    find_zone,
    parse_locomo_time,
    read_conversations,
    read_dialogues,
)
from gieok.evaluation.harness import Bench, open_bench
from gieok.evaluation.predictions import (
    ExtractedSession,
    collect_predictions,
    encode_episode,
)
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Emotion,
    Finding,
    FindingOperation,
    Gist,
    KnownMemory,
    Role,
)
from gieok.memories import Candidate, CandidateStatus, Outcome
from gieok.surfaces.cli.app import execute
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.scripted_model import Script

SPACE = UUID(int=0)
NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def an_id(name: str) -> UUID:
    return uuid5(SPACE, name)


def a_candidate(name: str, *messages: str, basis: Basis = Basis.STATED) -> Candidate:
    return Candidate(
        an_id(name),
        Category.HABIT,
        f"claim {name}",
        0.8,
        basis,
        FindingOperation.ADD,
        None,
        (),
        tuple(an_id(message) for message in messages),
        "scripted/1",
        CandidateStatus.CONFIRMED,
        None,
        NOW,
        None,
    )


def an_outcome(
    operation: FindingOperation,
    candidate: str,
    *,
    memory: str | None = None,
    target: str | None = None,
    confirmed: bool = True,
) -> Outcome:
    return Outcome(
        operation,
        an_id(candidate),
        an_id(memory) if memory else None,
        an_id(target) if target else None,
        confirmed,
    )


def told(outcomes: list[Outcome], *candidates: Candidate) -> list[dict[str, Any]]:
    known = {an_id("old"): KnownMemory("k1", "lives in Mapo", Category.LOCATION)}
    places = {an_id("m0"): 0, an_id("m2"): 2}
    by_id = {candidate.candidate_id: candidate for candidate in candidates}
    return collect_predictions(ExtractedSession(outcomes, by_id, known, places))


def test_an_addition_carries_its_evidence() -> None:
    (row,) = told(
        [an_outcome(FindingOperation.ADD, "c", memory="m")], a_candidate("c", "m2")
    )
    assert row == {
        "content": "claim c",
        "category": "habit",
        "op": "add",
        "target": None,
        "source": "explicit",
        "confidence": 0.8,
        "evidence": [2],
    }


def test_what_waits_is_not_told_and_what_was_observed_is_inferred() -> None:
    pending = an_outcome(FindingOperation.ADD, "c", confirmed=False)
    observed = an_outcome(FindingOperation.ADD, "d", memory="m")
    rows = told(
        [pending, observed],
        a_candidate("c", "m0"),
        a_candidate("d", "m0", basis=Basis.OBSERVED),
    )
    assert [(row["content"], row["source"]) for row in rows] == [
        ("claim d", "inferred")
    ]


def test_an_erased_candidate_still_names_its_target() -> None:
    (row,) = told([an_outcome(FindingOperation.DELETE, "c", target="old")])
    assert (row["op"], row["target"], row["content"]) == (
        "delete",
        "k1",
        "lives in Mapo",
    )


def test_a_repeat_within_the_session_adds_its_evidence_only() -> None:
    (row,) = told(
        [
            an_outcome(FindingOperation.ADD, "c", memory="m"),
            an_outcome(FindingOperation.REINFORCE, "d", memory="m", target="m"),
        ],
        a_candidate("c", "m0"),
        a_candidate("d", "m2"),
    )
    assert row["op"] == "add"
    assert row["evidence"] == [0, 2]


def test_a_correction_within_the_session_keeps_what_it_did_to_the_known() -> None:
    (row,) = told(
        [
            an_outcome(FindingOperation.UPDATE, "c", memory="m", target="old"),
            an_outcome(FindingOperation.UPDATE, "d", memory="n", target="m"),
        ],
        a_candidate("c", "m0"),
        a_candidate("d", "m2"),
    )
    assert (row["content"], row["op"], row["target"]) == ("claim d", "update", "k1")


@pytest.mark.req("E04")
def test_an_episode_is_what_the_gist_says() -> None:
    gist = Gist("User moved", ("move",), Emotion.EXCITEMENT, 7)
    assert encode_episode(gist) == {
        "summary": "User moved",
        "topics": ["move"],
        "emotion": "excitement",
        "importance": 7,
    }


@pytest.mark.req("E04")
def test_an_empty_gist_is_no_episode() -> None:
    assert encode_episode(Gist("")) is None


def test_what_is_withdrawn_within_the_session_is_not_told() -> None:
    outcomes = [
        an_outcome(FindingOperation.ADD, "c", memory="m"),
        an_outcome(FindingOperation.DELETE, "d", target="m"),
    ]
    assert told(outcomes, a_candidate("c", "m0"), a_candidate("d", "m2")) == []


def test_what_was_erased_with_what_it_rests_on_is_not_told() -> None:
    assert told([an_outcome(FindingOperation.ADD, "c", memory="m")]) == []


@pytest.mark.parametrize(
    ("hours", "zone"),
    [(9, "Asia/Seoul"), (0, "Etc/UTC"), (-5, "Etc/GMT+5"), (1, "Etc/GMT-1")],
)
def test_a_zone_has_the_offset_of_the_time(hours: float, zone: str) -> None:
    at = datetime(2026, 1, 5, tzinfo=timezone(timedelta(hours=hours)))
    assert find_zone(at) == zone


@pytest.mark.parametrize("hours", [3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, -3.5, -9.5])
def test_an_offset_need_not_be_whole_hours(hours: float) -> None:
    at = datetime(2026, 1, 5, 10, tzinfo=timezone(timedelta(hours=hours)))
    assert at.astimezone(ZoneInfo(find_zone(at))).utcoffset() == at.utcoffset()


def test_a_zone_that_keeps_its_offset_goes_first() -> None:
    half_past = timezone(timedelta(hours=10, minutes=30))
    assert find_zone(datetime(2026, 7, 5, tzinfo=half_past)) == "Australia/LHI"
    india = timezone(timedelta(hours=5, minutes=30))
    assert find_zone(datetime(2026, 7, 5, tzinfo=india)) == "Asia/Kolkata"
    adelaide = timezone(timedelta(hours=9, minutes=30))
    assert find_zone(datetime(2026, 7, 5, tzinfo=adelaide)) == "Australia/Darwin"


def test_an_offset_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        find_zone(datetime(2026, 1, 5, tzinfo=timezone(timedelta(minutes=20))))


def test_locomo_times_and_turns_are_read(tmp_path: Path) -> None:
    assert parse_locomo_time("12:09 am on 13 September, 2023") == datetime(
        2023, 9, 13, 0, 9, tzinfo=UTC
    )
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hi"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Look", "blip_caption": "a dog"},
    ]
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": turns,
            "session_2_date_time": "1:56 pm on 9 May, 2023",
        },
        "qa": [{"question": "Who?"}, {"question": "Who?"}],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]), "utf-8")
    (person,) = read_conversations(path)
    (talk,) = person.talks
    assert person.questions == ("Who?",)
    assert [said.role for said in talk.messages] == [Role.USER, Role.ASSISTANT]
    assert talk.messages[1].content == "Look [shares a photo: a dog]"
    assert talk.messages[1].speaker == "Bo"


def cat_and_move(conversation: Conversation) -> list[Finding]:
    """Find one fact, and correct what is known."""
    assert conversation.at.utcoffset() == timedelta(hours=9)
    added = Finding(
        FindingOperation.ADD, "has a cat", Category.CONTEXT, 0.9, Basis.STATED, (0,)
    )
    moved = Finding(
        FindingOperation.UPDATE,
        "lives in Gangnam",
        Category.LOCATION,
        0.9,
        Basis.STATED,
        (2,),
        target=conversation.known[0].id,
    )
    return [added, moved]


SESSION = {
    "id": "ko-1",
    "lang": "ko",
    "at": "2026-03-02T19:10:00+09:00",
    "known": [{"id": "k1", "content": "lives in Mapo", "category": "location"}],
    "messages": [
        {"role": "user", "content": "I have a cat"},
        {"role": "assistant", "content": "Nice"},
        {"role": "user", "content": "I moved to Gangnam"},
    ],
}


async def test_a_session_is_predicted_against_what_was_known(
    tmp_path: Path, memory: Gieok, clock: FixedClock, script: Script
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(SESSION), "utf-8")
    (dialogue,) = read_dialogues(source)
    script.answers.clear()
    script.computes(cat_and_move)
    row = await Bench(memory, clock).extract_facts(dialogue)
    assert (row["id"], row["pii"]) == ("ko-1", [])
    assert row["episode"]["summary"] == "User said: I have a cat"
    assert [(fact["op"], fact["target"]) for fact in row["facts"]] == [
        ("add", None),
        ("update", "k1"),
    ]
    assert [fact["evidence"] for fact in row["facts"]] == [[0], [2]]


def test_messages_are_ranked_under_the_ids_of_the_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user = {
        "id": "u",
        "lang": "en",
        "sessions": [
            {
                "id": "s1",
                "at": "2026-03-02T19:10:00-04:00",
                "messages": [
                    {"id": "s1m0", "role": "user", "content": "my cat is called Dubu"},
                    {"id": "s1m1", "role": "assistant", "content": "lovely name"},
                ],
            }
        ],
        "queries": [{"q": "what is my cat called?", "relevant": ["s1m0"]}],
    }
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(user), "utf-8")
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    arguments = ["eval", "recall", "--in", str(source), "--out", str(target)]
    assert execute([*arguments, "--json"], parts=parts) == 0
    assert json.loads(capsys.readouterr().out)["out"] == str(target)
    row = json.loads(target.read_text("utf-8"))
    assert row == {
        "id": "u",
        "q": "what is my cat called?",
        "ranked": ["s1m0", "s1m1"],
    }


def test_a_broken_line_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.json", tmp_path / "out.jsonl"
    source.write_text('[{"sample_id": 1}]', "utf-8")
    arguments = ["eval", "locomo", "--in", str(source), "--out", str(target)]
    assert execute(arguments) == 2
    shown = capsys.readouterr().err.strip().splitlines()
    assert len(shown) == 1
    assert "in.json" in shown[0]


def test_a_set_is_not_written_over_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "u"}\n', "utf-8")
    arguments = ["eval", "recall", "--in", str(source), "--out", str(source)]
    assert execute(arguments) == 2
    assert "--out" in capsys.readouterr().err
    assert source.read_text("utf-8") == '{"id": "u"}\n'


@pytest.mark.parametrize("encoding", ["cp949", "utf-16"])
def test_a_file_that_is_no_utf_8_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "민지"}\n', encoding)
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    arguments = ["eval", "recall", "--in", str(source), "--out", str(target)]
    assert execute(arguments, parts=parts) == 2
    assert "in.jsonl:1" in capsys.readouterr().err


async def test_nobody_has_to_agree_where_something_is_measured(tmp_path: Path) -> None:
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    config = Config(data=tmp_path, consent="explicit", tutor_table="cards")
    async with open_bench(config, parts) as bench:
        invented = bench.gieok.person("invented")
        assert (await bench.gieok.sessions.start(invented)).session_id
