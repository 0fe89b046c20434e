"""A turn of a graph, found among its messages and kept in a session."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from gieok.chat.conversations import Conversations
from gieok.facade import Gieok
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.kernel.language import Role
from gieok.kernel.scope import Scope
from gieok.pii import TextMasker
from gieok.sessions import Pair, Turn
from gieok.sessions.new_messages import read_new_messages
from gieok.sessions.repeats import UsedTurnIdError

PERSONA: Final = "langgraph"
"""Whom a person talks to in a graph whose session is over or has no name."""


def find_question_message(messages: Sequence[BaseMessage]) -> HumanMessage | None:
    """Return what the user said last, with its id.

    LangChain says by `lc_source` of what it, or the app, put in for the user, such as
    the summary that stands for older messages.
    """
    said = (each for each in reversed(messages) if isinstance(each, HumanMessage))
    return next(
        (each for each in said if "lc_source" not in each.additional_kwargs), None
    )


def find_question(messages: Sequence[BaseMessage]) -> str:
    """Return what the user said last, or an empty text."""
    return _get_text(find_question_message(messages))


def restore_question(
    messages: Sequence[BaseMessage], question: HumanMessage | None
) -> list[BaseMessage]:
    """Return messages with the question they answer, where a summary took its place."""
    if question is None or question.id in {each.id for each in messages}:
        return list(messages)
    return [question, *messages]


def select_since_question(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return what followed the last thing that the user said."""
    question = find_question_message(messages)
    said = [at for at, each in enumerate(messages) if each is question]
    return list(messages[said[-1] + 1 :]) if said else []


def find_last_turn(messages: Sequence[BaseMessage]) -> Turn | None:
    """Return the last question with its answer, and the tokens that it took.

    None when either is missing, as in a run that stopped half-way.
    """
    answers = [m for m in select_since_question(messages) if isinstance(m, AIMessage)]
    asked = find_question(messages)
    answered = next((text for m in reversed(answers) if (text := _get_text(m))), "")
    if not asked or not answered:
        return None
    used = (m.usage_metadata for m in answers)
    return Turn(asked, answered, tokens=sum(u["total_tokens"] for u in used if u))


def derive_pair_id(
    gieok: Gieok, scope: Scope, name: str | None, messages: Sequence[BaseMessage]
) -> UUID | None:
    """Return the id of a thread's last turn: the same where the graph is resumed.

    None of messages without ids, which nothing tells from others with the same words.
    """
    question = find_question_message(messages)
    asked = [] if question is None else [question]
    turn = [*asked, *select_since_question(messages)]
    if not all(each.id for each in turn):
        return None
    words = [part for each in turn for part in (str(each.id), _get_text(each))]
    return gieok.accounts.pair_id(scope, name or "", *words)


async def record_turn(
    gieok: Gieok,
    scope: Scope,
    name: str | None,
    turn: Turn,
    pair_id: UUID | None = None,
) -> Pair:
    """Record a turn in the session that a thread stands for, begun if it must be.

    A thread goes on where its session is over: in another one of the same name. With a
    `pair_id` the turn is kept once.

    Raises:
        InvalidInputError: a name or text that cannot be kept.
        UsedTurnIdError: the turn of this id was erased, or is another one.
        StorageFullError, DatabaseUnavailableError: nothing was recorded.
    """
    thread = None
    if name is not None:
        session_id = thread = gieok.accounts.session_id(scope, name)
        try:
            return await _record_or_begin(gieok, scope, session_id, turn, pair_id)
        except UsedTurnIdError:
            raise
        except ConflictError:  # it is over, or waits for somebody
            pass
    persona_id = await gieok.accounts.persona(scope, PERSONA)
    conversations = Conversations(gieok.accounts, gieok.sessions, thread)
    session_id = await conversations.open(scope, persona_id, name)
    return await gieok.sessions.record(scope, session_id, turn, pair_id=pair_id)


async def is_recorded_since(
    gieok: Gieok, scope: Scope, session_id: UUID, position: int, turn: Turn
) -> bool:
    """Tell whether a turn is among what a session took from a position on."""
    said = (
        await read_new_messages(gieok.sessions, scope, session_id, position - 1)
    ).messages
    kept = TextMasker().mask_texts([turn.user_text, turn.assistant_text])
    wanted = list(zip((Role.USER, Role.ASSISTANT), kept, strict=True))
    return any(
        [(a.role, a.content), (b.role, b.content)] == wanted for a, b in pairwise(said)
    )


async def _record_or_begin(
    gieok: Gieok, scope: Scope, session_id: UUID, turn: Turn, pair_id: UUID | None
) -> Pair:
    with suppress(NotFoundError):
        return await gieok.sessions.record(scope, session_id, turn, pair_id=pair_id)
    with suppress(ConflictError):  # somebody else began it just now
        await gieok.sessions.start(scope, session_id=session_id)
    return await gieok.sessions.record(scope, session_id, turn, pair_id=pair_id)


def _get_text(message: Any) -> str:
    return "" if message is None else str(message.text).strip()
