"""Three days with a person of the demo: said, remembered, corrected, forgotten.

Nothing is shown that the library did not return, and every expectation is checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from rich.panel import Panel
from rich.text import Text

from gieok.context import Block
from gieok.facade import Gieok
from gieok.kernel.language import Role
from gieok.kernel.scope import Scope
from gieok.memories import Memory
from gieok.sessions import Turn
from gieok.surfaces.cli import show
from gieok.surfaces.cli.scenario import Scenario
from gieok.surfaces.cli.terminal import Terminal, render_plain
from gieok.testing import FixedClock

DAY = timedelta(days=1)
WIDEST = 100


@dataclass(slots=True)
class DemoStory:
    """One person's days; `find_broken` names every expectation that did not hold."""

    terminal: Terminal
    gieok: Gieok
    clock: FixedClock
    scenario: Scenario
    scope: Scope
    day: int = 0
    broken: list[str] = field(default_factory=list[str])

    @classmethod
    def from_scenario(
        cls, terminal: Terminal, gieok: Gieok, clock: FixedClock, scenario: Scenario
    ) -> "DemoStory":
        """Return a story told in its person's language."""
        own = replace(terminal, language=scenario.language)
        return cls(own, gieok, clock, scenario, gieok.person(scenario.person))

    async def run(self) -> None:
        """Let the three days pass."""
        self.clock.set(self._compute_morning())
        await self.gieok.accounts.update(
            self.scope, language=self.scenario.language, time_zone=self.scenario.zone
        )
        self.terminal.out.rule(render_plain(self.scenario.person, "bold"))
        await self._run_first_day()
        await self._run_correction()
        await self._run_forgetting()

    async def _run_first_day(self) -> None:
        scenario = self.scenario
        await self._record_session("demo.first", scenario.first)
        found = await self._print_memories()
        self.check_expectation("home", _has_mention(found, scenario.home))
        self.check_expectation("private", _has_mention(found, scenario.private))
        self.begin_next_day("demo.next")
        greeted = await self._print_greeting()
        self.check_expectation("greeted", scenario.event in greeted)
        block = await self._print_block(scenario.question)
        self.check_expectation("injected", _is_remembered(block, scenario.home))

    async def _run_correction(self) -> None:
        scenario = self.scenario
        (old, *_) = [*await self._find_memories(scenario.home), None]
        await self._record_session(
            "demo.correction", [scenario.correction, scenario.second]
        )
        found = await self._print_memories()
        self.check_expectation("new_home", _has_mention(found, scenario.new_home))
        self.check_expectation("hobby", _has_mention(found, scenario.hobby))
        after = old and await self.gieok.memories.get(self.scope, old.memory_id)
        superseded = after is not None and after.superseded_by is not None
        self.check_expectation("superseded", superseded)
        block = await self._print_block(scenario.question)
        self.check_expectation("new_injected", _is_remembered(block, scenario.new_home))
        old_gone = old is not None and scenario.home not in block.text
        self.check_expectation("old_gone", old_gone)

    async def _run_forgetting(self) -> None:
        scenario = self.scenario
        self.begin_next_day("demo.third")
        before = await self._print_block(scenario.private_question)
        self.check_expectation(
            "private_injected", _is_remembered(before, scenario.private)
        )
        known = await self._find_memories(scenario.private)
        sources = {said for memory in known for said in memory.source_message_ids}
        await self._record_session(
            "demo.forgetting", [scenario.forgetting, scenario.third]
        )
        found = await self._print_memories()
        self.check_expectation("drink", _has_mention(found, scenario.drink))
        kept = (scenario.new_home, scenario.hobby)
        self.check_expectation("kept", all(_has_mention(found, word) for word in kept))
        erased = bool(known) and not await self._find_memories(scenario.private)
        self.check_expectation("erased", erased)
        after = await self._print_block(scenario.private_question)
        gone = bool(before.lines) and scenario.private not in after.text
        self.check_expectation("not_injected", gone)
        recalled = await self._search_forgotten(sources)
        self.check_expectation("not_recalled", bool(sources) and not recalled)

    async def _record_session(self, title: str, turns: Sequence[Turn]) -> None:
        """Hold a session, show it, and let everything that follows it happen."""
        sessions = self.gieok.sessions
        session = await sessions.start(self.scope, language=self.scenario.language)
        for turn in turns:
            await sessions.record(self.scope, session.session_id, turn)
            self.clock.advance(timedelta(minutes=1))
        await sessions.close(self.scope, session.session_id)
        await self.gieok.settled(self.scope)
        self.print_panel(title, self.render_turns(turns), "cyan")

    def render_turns(self, turns: Sequence[Turn]) -> Text:
        """Return what was spoken, a line each."""
        person = self.scenario.person
        names = {
            Role.USER: person,
            Role.ASSISTANT: self.terminal.translate_message("demo.assistant"),
        }
        lines = [
            Text.assemble((f"{names[role]}  ", style), render_plain(said))
            for turn in turns
            for role, said, style in (
                (Role.USER, turn.user_text, "bold cyan"),
                (Role.ASSISTANT, turn.assistant_text, "dim"),
            )
        ]
        return Text("\n").join(lines)

    async def _print_memories(self) -> Sequence[Memory]:
        """Show everything remembered, and return what is in use."""
        found, _ = await self.gieok.memories.page(self.scope, include_inactive=True)
        if found:
            table = show.render_memories(self.terminal, found, self.clock())
            table.title = self.terminal.translate_message("demo.remembered")
            table.title_style = "bold"
            self.terminal.out.print(table)
        else:
            self.terminal.print_message("memories.none")
        return [memory for memory in found if memory.is_active]

    async def _find_memories(self, word: str) -> list[Memory]:
        """Return every memory, in use or not, that mentions a word."""
        found, _ = await self.gieok.memories.page(self.scope, include_inactive=True)
        return [memory for memory in found if _has_mention([memory], word)]

    async def _print_greeting(self) -> str:
        """Show the day's first words, and the episode they come from."""
        first = await self.gieok.context.greeting(self.scope, None)
        if first is None:
            return ""
        episode = await self.gieok.episodes.get(self.scope, first.memory_id)
        feeling = self.terminal.translate_message(f"emotion.{episode.emotion}")
        facts = self.terminal.translate_message(
            "demo.episode", feeling=feeling, importance=episode.importance
        )
        body = Text.assemble(
            render_plain(episode.summary),
            (f"  {facts}\n\n", "dim"),
            (f"{self.terminal.translate_message('demo.assistant')}  ", "dim"),
            render_plain(first.text, "green"),
        )
        self.print_panel("demo.greeting", body, "green")
        return first.text

    async def _print_block(self, question: str) -> Block:
        block = await self.gieok.context.build(self.scope, question)
        asked = Text.assemble(
            (f"{self.scenario.person}  ", "bold cyan"),
            render_plain(question),
            "\n\n",
        )
        body = show.render_plain_block(
            block.text or self.terminal.translate_message("context.none")
        )
        body.stylize("green")
        self.print_panel("demo.block", Text.assemble(asked, body), "green")
        return block

    async def _search_forgotten(self, sources: set[UUID]) -> list[str]:
        """Return what recall still finds of the forgotten messages, or like them."""
        hits = await self.gieok.recall.search(
            self.scope, self.scenario.private, limit=200
        )
        word = self.scenario.private
        return [hit.content for hit in hits if hit.id in sources or word in hit.content]

    def _compute_morning(self) -> datetime:
        """Return ten o'clock where the person lives."""
        zone = ZoneInfo(self.scenario.zone)
        return datetime(2026, 3, 2, 10, 0, tzinfo=zone) + self.day * DAY

    def begin_next_day(self, key: str) -> None:
        """Let it be ten o'clock of the next day, under a title."""
        self.day += 1
        self.clock.set(self._compute_morning())
        title = self.terminal.translate_message(key)
        self.terminal.out.rule(title, style="dim", align="left")

    def check_expectation(self, name: str, held: object) -> None:
        """Show whether an expectation held, and remember if it did not."""
        scenario = self.scenario
        claim = self.terminal.translate_message(
            f"expect.{name}",
            home=scenario.home,
            new_home=scenario.new_home,
            private=scenario.private,
            event=scenario.event,
            hobby=scenario.hobby,
            drink=scenario.drink,
        )
        sign, style = ("✓", "green") if held else ("✗", "bold red")
        self.terminal.out.print(Text(f"  {sign} {claim}", style=style))
        if not held:
            self.broken.append(f"{scenario.person}: {claim}")

    def print_panel(self, title: str, body: Text, style: str) -> None:
        """Show something under a title, in a frame."""
        self.terminal.out.print(
            Panel(
                body,
                title=self.terminal.translate_message(title),
                title_align="left",
                border_style=style,
                width=min(WIDEST, self.terminal.out.width),
            )
        )


def _has_mention(memories: Sequence[Memory], word: str) -> bool:
    return any(word.casefold() in memory.content.casefold() for memory in memories)


def _is_remembered(block: Block, word: str) -> bool:
    """Tell whether a memory of the block, not only a quotation, holds a word."""
    return any(word in line.text for line in block.lines)
