"""The tutor's one endpoint over the people of this server (C01, C03, C05, C06)."""

from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Body

from gieok.facade import Gieok
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.language import is_chat_model
from gieok.memories.permission import is_extraction_allowed
from gieok.profile.postgres_documents import PostgresProfileDocuments
from gieok.surfaces.rest.caller import CurrentCaller, CurrentClaims
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.tutor.findings import FindingsExtractor
from gieok.surfaces.tutor.service import Tutor

router = create_router("/api/v1/tutor", "tutor", 403)


@router.post("")
async def answer_tutor(
    caller: CurrentCaller,
    claims: CurrentClaims,
    body: Annotated[
        dict[str, Any],
        Body(
            description="`action` is chat, extract_user_info, save_user_memory or "
            "get_user_memory; the rest is as the tutor's document has it."
        ),
    ],
) -> dict[str, Any]:
    """Chat, extract a card, save or get it: as `action` says, for the token's person.

    A `user_id` that names somebody else is refused.
    """
    zone: tzinfo = UTC
    if body.get("action") == "extract_user_info":
        settings = await caller.gieok.settings.get(caller.scope)
        if not is_extraction_allowed(settings):
            reason = "memory is switched off in the person's settings"
            raise NotPermittedError(reason)
        zone = ZoneInfo(await caller.gieok.accounts.time_zone(caller.scope))
    gieok = caller.gieok
    tutor = build_tutor(gieok, claims, zone)
    if is_chat_model(gieok.memories.model):  # rules read as long as it takes
        tutor = tutor.limit_time(gieok.chat.reply_patience)
    return await tutor.answer(body, claims.person)


def build_tutor(gieok: Gieok, claims: CurrentClaims, zone: tzinfo) -> Tutor:
    """Return the tutor over cards of memories, or of a table if one is configured.

    `zone` is the person's, for what they say of today and tomorrow.
    """
    memories = gieok.memories
    cards = gieok.tutor_cards
    return Tutor(
        PostgresProfileDocuments(gieok.accounts, gieok.profile, claims.actor)
        if cards is None
        else replace(cards, actor=claims.actor),
        memories.model,
        FindingsExtractor(
            memories.model,
            memories.embedder,
            gieok.profile.judge,
            gieok.clock,
            zone,
        ),
    )
