"""Parts for the programs here: a model that takes everything said for a fact."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

from gieok import ALL_CATEGORIES, Category, Config, Parts, Settings
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation, Role
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from gieok.worker import NORMAL, Pace


def say(*words: object) -> None:
    """Print a line at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


class Everything(ScriptedModel):
    """Finds every user message a fact, after a while."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(_findings, name="everything/1")
        self._seconds = seconds

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Say that it works, take its time and answer."""
        say("working")
        await asyncio.sleep(self._seconds)
        return await super().extract(conversation)


def _findings(conversation: Conversation) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            FindingOperation.ADD,
            f"사용자: {said.content}",
            Category.CONTEXT,
            0.9,
            Basis.STATED,
            (said.index,),
        )
        for said in conversation.messages
        if said.role is Role.USER
    )


def config(data: str) -> Config:
    """Return the configuration of a data directory: nobody waits for a pause."""
    defaults = Settings(allowed_categories=ALL_CATEGORIES)
    return Config(data=Path(data), pause=timedelta(0), defaults=defaults)


def parts(seconds: float = 0, pace: Pace = NORMAL) -> Parts:
    """Return parts that load nothing."""
    return Parts(
        model=Everything(seconds),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
        pace=pace,
    )
