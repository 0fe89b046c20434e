"""A model that sums up as it is told, and conversations to sum up."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from gieok import Gieok, Scope, Turn
from gieok.database.transaction import assert_no_open_transaction
from gieok.kernel.errors import ModelRefusedError, ModelUnavailableError
from gieok.kernel.language import Conversation, Gist, SummaryNote
from gieok.summaries import Summaries
from gieok.testing import ScriptedModel, plain_gist


class Summarizer(ScriptedModel):
    """Sums up like the scripted model, and does as its `summer` says."""

    summer: "Summer"

    async def summarize(self, conversation: Conversation) -> Gist:
        gist = await super().summarize(conversation)
        summer = self.summer
        summer.conversations.append(conversation)
        while summer.meanwhile:
            await summer.meanwhile.pop()()
        summer.check(*(said.content for said in conversation.messages))
        return gist if summer.gist is None else summer.gist

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        text = await super().condense(notes, language)
        self.summer.condensed.append(language)
        while self.summer.before_condensing:
            await self.summer.before_condensing.pop()()
        self.summer.check(*(note.text for note in notes))
        return text if self.summer.text is None else self.summer.text


@dataclass(slots=True)
class Summer:
    """Summaries with a model of their own, and what that model is to do."""

    summaries: Summaries
    gist: Gist | None = None
    text: str | None = None
    is_away: bool = False
    breaks: bool = False
    refuses: str | None = None
    """What the model reads nothing of in which it stands."""
    meanwhile: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    before_condensing: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    condensed: list[str] = field(default_factory=list)

    @property
    def asked(self) -> int:
        """How often the model was asked for anything."""
        return len(self.conversations) + len(self.condensed)

    def check(self, *read: str) -> None:
        if self.breaks:
            raise ZeroDivisionError
        if self.refuses and any(self.refuses in text for text in read):
            raise ModelRefusedError("scripted", "a filter refused what was sent")
        if self.is_away:
            raise ModelUnavailableError("scripted", "it is away")


def summer_of(memory: Gieok) -> Summer:
    """Return summaries over the same database, with a model that can be told what."""
    model = Summarizer(summarizes=detailed, guard=assert_no_open_transaction)
    summaries = Summaries(
        database=memory.maintenance.database,
        vault=memory.maintenance.vault,
        model=model,
        settings=memory.settings,
    )
    model.summer = Summer(summaries)
    return model.summer


async def talked(
    memory: Gieok, me: Scope, *said: str, session_id: UUID | None = None
) -> UUID:
    """Return a session in which this was said, and the assistant answered 네."""
    if session_id is None:
        session_id = (await memory.sessions.start(me)).session_id
    for text in said:
        await memory.sessions.record(me, session_id, Turn(text, "네"))
    return session_id


def detailed(conversation: Conversation) -> Gist:
    """Sum up by the first words; "topic:", "task:" and "likes:" lines are listed."""
    lines = [line for m in conversation.messages for line in m.content.splitlines()]

    def listed(mark: str) -> tuple[str, ...]:
        return tuple(line[len(mark) :] for line in lines if line.startswith(mark))

    gist = plain_gist(conversation)
    return Gist(
        gist.summary.splitlines()[0] if gist.summary else "",
        listed("topic:"),
        importance=7 if listed("topic:") else 5,
        open_tasks=listed("task:"),
        preferences=listed("likes:"),
        evidence=gist.evidence,
    )
