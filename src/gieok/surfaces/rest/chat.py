"""Turns with a chat model that remembers (E02)."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.chat import (
    ChatClosed,
    ChatMessage,
    ChatReply,
    ChatToClose,
)
from gieok.surfaces.rest.schemas.shared import Failure, PairId

router = create_router("/api/v1/chat", "chat", 409, body=Failure)


@router.post("/send", response_model_exclude_none=True)
async def send_chat_message(
    caller: CurrentCaller, asked: ChatMessage, idempotency_key: PairId = None
) -> ChatReply:
    """Return a persona's reply, which knows what was talked about before.

    Once it answers, the turn survives a crash. When no reply comes (503) nothing was
    kept, and the message can be sent again. Sent again with the same `Idempotency-Key`,
    a message that was answered is answered with the reply that was kept.
    """
    answer = await caller.gieok.chat.send(
        caller.scope,
        persona=asked.persona_id,
        message=asked.message,
        recent=[message.to_message() for message in asked.context.recent_messages],
        session=asked.session_id,
        instructions=asked.instructions,
        pair_id=idempotency_key,
    )
    names = await caller.gieok.chat.get_names(caller.scope, [answer.session_id])
    return ChatReply.from_answer(answer, names[answer.session_id])


@router.post("/close")
async def close_chat(caller: CurrentCaller, asked: ChatToClose) -> ChatClosed:
    """End a conversation at once, instead of 30 minutes after its last message."""
    closed = await caller.gieok.chat.close(
        caller.scope, persona=asked.persona_id, session=asked.session_id
    )
    names = await caller.gieok.chat.get_names(caller.scope, [closed] if closed else [])
    return ChatClosed(session_id=closed and names[closed])
