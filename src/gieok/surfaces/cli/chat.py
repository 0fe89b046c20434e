"""`chat`: talk, and see what is remembered."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Annotated, Protocol
from uuid import UUID

import typer
from rich.panel import Panel

from gieok.context import Block
from gieok.facade import Gieok
from gieok.kernel.errors import GieokError, UnavailableError
from gieok.kernel.language import Operation, Role
from gieok.kernel.scope import Scope
from gieok.memories import Outcome
from gieok.sessions import Turn
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import memory_called
from gieok.surfaces.cli.lines import Lines
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of


class Answerer(Protocol):
    """Answers one line, knowing what the block says."""

    async def __call__(self, said: str, block: Block) -> str:
        """Return the answer.

        Raises:
            ModelUnavailableError: there is none.
        """
        ...


def chat(
    context: typer.Context,
    user: Annotated[str, typer.Argument(help="arg.person", metavar="[USER]")] = "me",
) -> None:
    """Talk; every line is recorded, and what it says is remembered."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            session = await gieok.sessions.start(scope)
            talk = _Talk(
                terminal,
                gieok,
                scope,
                session.session_id,
                _answerer(terminal),
                Lines(sys.stdin),
            )
            terminal.tell("chat.hello", user=user)
            try:
                await talk.go_on()
            finally:
                await gieok.sessions.close(scope, session.session_id)
            terminal.tell("chat.bye")

    run(work)


def _answerer(terminal: Terminal) -> Answerer | None:
    if terminal.config.model == "rules":
        return None
    from gieok.surfaces.cli.answering import ModelAnswers  # noqa: PLC0415 - an extra

    return ModelAnswers(terminal.config)


@dataclass(frozen=True, slots=True)
class _Talk:
    terminal: Terminal
    gieok: Gieok
    scope: Scope
    session_id: UUID
    answer: Answerer | None
    lines: Lines

    async def go_on(self) -> None:
        """Read lines until /quit, the end of the input or Ctrl-C."""
        while (line := await self._line()) is not None:
            word, _, rest = line.partition(" ")
            try:
                match word:
                    case "":
                        continue
                    case "/quit":
                        return
                    case "/memories":
                        await self._memories()
                    case "/forget":
                        await self._forget(rest.strip())
                    case _ if word.startswith("/"):
                        self.terminal.tell("chat.commands")
                    case _:
                        await self._said(line)
            except GieokError as error:
                show.problem(self.terminal, error)

    async def _line(self) -> str | None:
        """Return the next line, or None at the end of the input and at Ctrl-C."""
        self.terminal.out.print(f"{self.terminal.say('chat.you')} › ", end="")
        try:
            line = await self.lines.next()
        except asyncio.CancelledError:
            line = None
        if line is None:
            self.terminal.out.print()
        return line

    async def _said(self, line: str) -> None:
        block = await self.gieok.context.build(self.scope, line)
        if self.answer is None:
            await self._record(line)
            self._show(block)
        else:
            await self._answered(line, block, self.answer)
        await self._remember()

    async def _record(self, line: str) -> None:
        await self.gieok.sessions.append(
            self.scope, self.session_id, role=Role.USER, content=line
        )

    async def _answered(self, line: str, block: Block, answer: Answerer) -> None:
        try:
            with self.terminal.err.status("…"):
                answered = await answer(line, block)
        except UnavailableError:
            await self._record(line)
            raise
        turn = Turn(line, answered)
        await self.gieok.sessions.record(self.scope, self.session_id, turn)
        self.terminal.out.print(show.plain_block(answered))

    async def _remember(self) -> None:
        """Extract what was just said and say what came of it."""
        outcomes = await self.gieok.memories.extract(self.scope, self.session_id)
        await self.gieok.erasure.forget_said(self.scope)
        await self.gieok.recall.index(self.scope)
        for outcome in outcomes:
            if outcome.content and not _is_open_wish(outcome):
                shown = show.plain(outcome.content).plain
                self.terminal.note(_noted(outcome), content=shown)

    def _show(self, block: Block) -> None:
        self.terminal.note("chat.no_model")
        if block:
            title = self.terminal.say("demo.block")
            self.terminal.out.print(Panel(show.plain_block(block.text), title=title))
        else:
            self.terminal.note("context.none")

    async def _memories(self) -> None:
        found, _ = await self.gieok.memories.page(self.scope)
        if found:
            self.terminal.out.print(show.memory_table(self.terminal, found))
        else:
            self.terminal.tell("memories.none")

    async def _forget(self, name: str) -> None:
        memory = await memory_called(self.gieok, self.scope, name)
        await self.gieok.erasure.memory(self.scope, memory.memory_id)
        self.terminal.tell("forgotten", count=1)


def _is_open_wish(outcome: Outcome) -> bool:
    return outcome.operation is Operation.DELETE and outcome.target_id is None


def _noted(outcome: Outcome) -> str:
    """Return the message that tells what became of a claim."""
    if outcome.confirmed:
        return f"chat.{outcome.operation.value}"
    asks = outcome.operation is Operation.DELETE
    return "chat.ask" if asks else "chat.pending"
