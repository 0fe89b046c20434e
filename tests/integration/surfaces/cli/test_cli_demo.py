"""The demo shows what the library did, and admits what it did not do."""

from collections.abc import Iterable
from io import StringIO

import pytest
from rich.console import Console

from gieok import Config, Gieok, Parts
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    Gist,
)
from gieok.surfaces.cli.app import execute
from gieok.surfaces.cli.scenario import ENGLISH, SCENARIOS
from gieok.surfaces.cli.story import DemoStory
from gieok.surfaces.cli.terminal import Terminal
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.scripted_model import Script


def decent(conversation: Conversation) -> Iterable[Finding]:
    """Find what any decent extractor finds in the demo's sentences."""
    known = {item.content: item.id for item in conversation.known}
    for said in conversation.messages:
        for scenario in SCENARIOS:
            place = (said.index,)
            if said.content == scenario.first[0].user_text:
                yield add(said.content, Category.LOCATION, place)
            elif said.content == scenario.first[1].user_text:
                yield add(said.content, Category.CONSTRAINT, place)
            elif said.content in (scenario.second.user_text, scenario.third.user_text):
                yield add(said.content, Category.PREFERENCE, place)
            elif said.content == scenario.correction.user_text:
                target = known[scenario.first[0].user_text]
                yield change(FindingOperation.UPDATE, said.content, place, target)
            elif said.content == scenario.forgetting.user_text:
                named = [known[k] for k in known if k == scenario.first[1].user_text]
                yield from (
                    change(FindingOperation.DELETE, said.content, place, one)
                    for one in named
                )


def fair(conversation: Conversation) -> Gist:
    """Say what any fair summarizer says of the demo's first day."""
    for said in conversation.messages:
        for scenario in SCENARIOS:
            if scenario.event in said.content:
                topics = (scenario.event,)
                return Gist(said.content, topics, evidence=(said.index,))
    return Gist("")


def add(content: str, category: Category, evidence: tuple[int, ...]) -> Finding:
    return Finding(FindingOperation.ADD, content, category, 0.9, Basis.STATED, evidence)


def change(
    operation: FindingOperation, content: str, evidence: tuple[int, ...], target: str
) -> Finding:
    category, basis = Category.LOCATION, Basis.REQUESTED
    return Finding(operation, content, category, 0.9, basis, evidence, target=target)


def test_the_demo_holds_with_a_decent_extractor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parts = Parts(
        model=ScriptedModel(decent, summarizes=fair),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )
    assert execute(["demo"], parts=parts) == 0
    shown = capsys.readouterr()
    assert "✗" not in shown.out
    assert shown.out.count("✓") == 34
    assert "MB" in shown.out


async def test_nothing_holds_when_nothing_is_extracted(
    memory: Gieok, clock: FixedClock, script: Script, config: Config
) -> None:
    script.answers.clear()
    out = StringIO()
    terminal = Terminal(config, "en", Console(file=out), Console(stderr=True))
    story = DemoStory.from_scenario(terminal, memory, clock, ENGLISH)
    await story.run()
    assert len(story.broken) == 15
    assert "✓" not in out.getvalue()
