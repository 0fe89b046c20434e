"""What is known about a person: seen, searched, explained, corrected and forgotten."""

from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category
from gieok.memories import Memory
from gieok.recall.model import Filters, Hit, HitKind
from gieok.recall.service import SearchPart
from gieok.surfaces.pages.consent import should_ask_consent
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

PAGE: Final = 50
FOUND: Final = 20
MAX_OFFSET: Final = 1_000_000
TOLD: Final = (HitKind.MESSAGE, HitKind.EPISODE, HitKind.SESSION_SUMMARY)
"""What was said, or what is told of it where the words are gone."""

MemoryChange = Literal["set-aside", "use", "pin", "unpin"]
TOLD_OF_CHANGE: Final[dict[MemoryChange, str]] = {
    "set-aside": "set_aside",
    "use": "in_use",
    "pin": "pinned",
    "unpin": "unpinned",
}

Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]

router = APIRouter()


@router.get("/")
async def show_known(
    visitor: CurrentVisitor,
    category: Category | Literal[""] = "",
    order: Literal["new", "used"] = "new",
    offset: Offset = 0,
    *,
    aside: bool = False,
) -> Response:
    """Show what is known, newest or most used first; at first, the consent screen."""
    if await should_ask_consent(visitor):
        return visitor.send_to("welcome")
    memories, total = await visitor.gieok.memories.page(
        visitor.scope,
        include_inactive=aside,
        category=category or None,
        by_use=order == "used",
        limit=PAGE,
        offset=offset,
    )
    return visitor.render(
        "known.html",
        memories=memories,
        total=total,
        offset=offset,
        page_size=PAGE,
        category=category,
        order=order,
        aside=aside,
        categories=list(Category),
        problem="",
    )


@router.post("/search")
async def search_known(visitor: CurrentVisitor, fields: VisitorForm) -> HTMLResponse:
    """Search what is known and what was said, with whomever, as recall finds it.

    The words stand in the body, never in an address that logs or histories keep.
    """
    question = fields.get("question")
    known: tuple[Hit, ...] = ()
    told: tuple[Hit, ...] = ()
    if question.strip():
        found = await visitor.gieok.recall.search_each(
            visitor.scope,
            question,
            [
                SearchPart(
                    FOUND, Filters(kinds=kinds, min_confidence=0.0, any_persona=True)
                )
                for kinds in ([HitKind.MEMORY], TOLD)
            ],
        )
        known, told = found.parts
    return visitor.render("found.html", question=question, known=known, told=told)


@router.post("/remember")
async def remember_fact(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Keep a fact that the person writes."""
    kept = await visitor.gieok.memories.remember(
        visitor.scope, fields.get("content"), category=_parse_category(fields)
    )
    return visitor.send_to(f"memories/{kept.memory_id}", "remembered")


@router.get("/memories/{memory_id}")
async def show_memory(visitor: CurrentVisitor, memory_id: UUID) -> HTMLResponse:
    """Show why something is known: the sentence, the conversation, the history."""
    origins = await visitor.gieok.memories.why(visitor.scope, memory_id)
    memory = origins.memory
    return visitor.render(
        "memory.html",
        origins=origins,
        memory=memory,
        sentences=await _list_sentences(visitor, memory),
    )


@router.post("/memories/{memory_id}/correct")
async def correct_memory(
    visitor: CurrentVisitor, fields: VisitorForm, memory_id: UUID
) -> Response:
    """Say what is true instead; what stood there before stays in the history."""
    kept = await visitor.gieok.memories.correct(
        visitor.scope, memory_id, fields.get_text("content")
    )
    return visitor.send_to(f"memories/{kept.memory_id}", "corrected")


@router.get("/memories/{memory_id}/forget")
async def show_forgetting(visitor: CurrentVisitor, memory_id: UUID) -> HTMLResponse:
    """Say what goes when a memory is forgotten, before it does."""
    preview = await visitor.gieok.memories.forgetting(visitor.scope, memory_id)
    return visitor.render("forget.html", preview=preview, memory=preview.memory)


@router.post("/memories/{memory_id}/forget")
async def forget_memory(
    visitor: CurrentVisitor, _: VisitorForm, memory_id: UUID
) -> Response:
    """Erase a memory for good, and lead to the receipt."""
    receipt = await visitor.gieok.memories.forget(visitor.scope, memory_id)
    return visitor.send_to(f"receipts/{receipt.receipt_id}", "forgotten")


@router.post("/memories/{memory_id}/{change}")
async def change_memory(
    visitor: CurrentVisitor, _: VisitorForm, memory_id: UUID, change: MemoryChange
) -> Response:
    """Take a memory out of use or put it back, pin it or let go of it."""
    memories, told = visitor.gieok.memories, TOLD_OF_CHANGE[change]
    match change:
        case "set-aside":
            await memories.deactivate(visitor.scope, memory_id)
        case "use":
            await memories.reactivate(visitor.scope, memory_id)
        case "pin":
            await memories.pin(visitor.scope, memory_id)
        case "unpin":
            await memories.unpin(visitor.scope, memory_id)
    return visitor.send_to(f"memories/{memory_id}", told)


@router.get("/receipts")
async def list_receipts(visitor: CurrentVisitor) -> HTMLResponse:
    """Show every receipt, newest first."""
    receipts = await visitor.gieok.erasure.receipts(visitor.scope)
    return visitor.render("receipts.html", receipts=receipts)


@router.get("/receipts/{receipt_id}")
async def show_receipt(visitor: CurrentVisitor, receipt_id: UUID) -> HTMLResponse:
    """Show the proof of an erasure."""
    receipt = await visitor.gieok.erasure.receipt(visitor.scope, receipt_id)
    return visitor.render(
        "receipt.html",
        receipt=receipt,
        is_signed=visitor.gieok.erasure.verify(receipt),
    )


async def _list_sentences(visitor: Visitor, memory: Memory) -> list[str]:
    """Return what was said, word for word, where it is still kept and may be shown."""
    if memory.source_session_id is None or not memory.source_message_ids:
        return []
    found = await visitor.gieok.sessions.find_messages(
        visitor.scope, memory.source_session_id, memory.source_message_ids
    )
    return [each.content for each in found]


def _parse_category(fields: VisitorForm) -> Category:
    """Return the category that a form chose.

    Raises:
        InvalidInputError: there is no such category.
    """
    try:
        return Category(fields.get("category", Category.CONTEXT))
    except ValueError:
        known = ", ".join(Category)
        field = "category"
        raise InvalidInputError(field, f"it must be one of {known}") from None
