"""Builds the block of memory that goes into the next prompt."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from gieok.accounts import Accounts
from gieok.context.budget import estimated_tokens
from gieok.context.fence import fenced
from gieok.context.forms import fact_line, facts
from gieok.context.model import EMPTY, Block, Line
from gieok.database import Database
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.memories import Memories
from gieok.recall import Filters, Hit, HitKind, Recall
from gieok.settings import SettingsService

MARK_CHARACTERS = 8
"""Characters of a memory's id shown on its line: the last ones, which are random."""
MOST_LINES = 10
"""D07's limit."""
TOKEN_BUDGET = 800


def random_token() -> str:
    """Return a delimiter nobody can guess."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Context:
    """Blocks of memory for prompts."""

    database: Database
    accounts: Accounts
    settings: SettingsService
    memories: Memories
    recall: Recall
    token: Callable[[], str] = random_token

    async def build(
        self,
        scope: Scope,
        question: str,
        *,
        language: str | None = None,
        token_budget: int = TOKEN_BUDGET,
        limit: int = MOST_LINES,
    ) -> Block:
        """Return what is known that bears on a question, as one fenced block (D08).

        Memories with a faded confidence under 0.5 stay out, and so does everything
        when the person switched memory off. What is shown counts as used (D09).
        `language` is "ko" or "en"; by default the person's.

        Raises:
            InvalidInputError: an empty question, or a budget that is not positive.
        """
        if token_budget < 1:
            field = "token_budget"
            raise InvalidInputError(field, "it must be a positive number")
        person = await self.accounts.get(scope)
        settings = await self.settings.get(scope)
        if not settings.is_enabled:
            return EMPTY
        filters = Filters(
            kinds=[HitKind.MEMORY], categories=settings.allowed_categories
        )
        hits = await self.recall.search(scope, question, limit=limit, filters=filters)
        zone = ZoneInfo(person.time_zone)
        lines = [_line(hit, hit.at.astimezone(zone).date()) for hit in hits]
        block = _within(lines, language or person.language, token_budget, self.token())
        if block:
            async with self.database.begin(scope) as tx:
                await self.memories.used(tx, [line.memory_id for line in block.lines])
        return block


def _line(hit: Hit, said: date) -> Line:
    mark = hit.id.hex[-MARK_CHARACTERS:]
    return Line(fact_line(hit.content, said, mark), hit.id, hit.at)


def _within(lines: list[Line], language: str, budget: int, token: str) -> Block:
    """Return the block with as many of the first lines as the budget takes."""
    kept: list[Line] = []
    block = EMPTY
    for line in lines:
        body = facts([shown.text for shown in [*kept, line]], language)
        text = fenced(body, token, language)
        tokens = estimated_tokens(text)
        if tokens > budget:
            continue
        kept.append(line)
        block = Block(text, tuple(kept), tokens)
    return block
