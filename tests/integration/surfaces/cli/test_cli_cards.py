"""`eval profile` counts what a card says, where, and what it leaves out (C01)."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gieok import Parts
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)
from gieok.surfaces.cli.app import execute
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer


def reads(conversation: Conversation) -> Iterable[Finding]:
    """Understand tea as a preference and a lake as a fact, and dream up a boat."""
    for place, said in enumerate(conversation.messages):
        for word, category in {
            "tea": Category.PREFERENCE,
            "lake": Category.CONTEXT,
            "boat": Category.CONTEXT,
        }.items():
            if word in said.content:
                yield Finding(
                    FindingOperation.ADD,
                    f"User {word}",
                    category,
                    0.9,
                    Basis.STATED,
                    evidence=(place,),
                )


def fact(word: str, slot: str | None, op: str = "add") -> dict[str, Any]:
    return {
        "say": f"User {word}",
        "category": ["preference" if word == "tea" else "context"],
        "must": [[word]],
        "op": op,
        "slot": slot,
    }


def dialogue(name: str, lang: str, *facts: dict[str, Any], **more: Any) -> str:
    said = ["I drink tea", "I live by a lake", "I saw a boat", "I have a dog"]
    messages = [{"role": "user", "content": content} for content in said]
    return json.dumps(
        {
            "id": name,
            "lang": lang,
            "at": "2026-03-02T19:10:00+09:00",
            "known": more.get("known", []),
            "messages": messages,
            "gold": {"facts": list(facts)},
        }
    )


def run(source: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    parts = Parts(
        model=ScriptedModel(reads), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    arguments = ["eval", "profile", "--in", str(source), "--json"]
    assert execute(arguments, parts=parts) == 0
    return json.loads(capsys.readouterr().out)


def test_what_a_card_has_right_wrong_and_not_is_counted_by_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "dialogues.jsonl"
    facts = [
        fact("tea", "preferences"),
        fact("lake", "interests"),
        fact("dog", "mentioned_facts"),
        fact("cat", None, "delete"),
    ]
    source.write_text(
        dialogue("en-1", "en", *facts) + "\n" + dialogue("ko-1", "ko"), "utf-8"
    )
    counts = run(source, capsys)
    assert counts["dialogues · en"] == {
        "card_right": [1, 3],
        "card_wrong": [1, 3],
        "card_missing": [1, 3],
        "card_gone": [1, 1],
        "card_founded": [2, 3],
        "card_placed": [2, 3],
    }, "the lake stands with the facts, the dog nowhere, and nobody has a boat"
    assert counts["dialogues · ko"] == {"card_founded": [0, 3]}


def test_what_was_known_before_is_no_work_of_the_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [{"id": "k1", "content": "User has a cat", "category": "context"}]
    source = tmp_path / "dialogues.jsonl"
    facts = [fact("cat", None, "delete"), fact("tea", "preferences")]
    source.write_text(dialogue("en-1", "en", *facts, known=known), "utf-8")
    (counts,) = run(source, capsys).values()
    assert counts["card_gone"] == [0, 1], "the cat is still on the card"
    assert counts["card_founded"] == [1, 3], "and is none of its new values"
