"""A conversation as it is read, what of it is embedded, and what is measured of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gieok.kernel.language import Conversation, KnownMemory, Role, Vectors
from gieok.models.rules.assessment import MeasuredConversation
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.english.apostrophes import collect_names, restore_apostrophes
from gieok.models.rules.english.names import GIVEN_NAMES, restore_capitals
from gieok.models.rules.english.quotation import remove_question
from gieok.models.rules.english.shouting import restore_small_letters
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.item_owners import find_item_owners
from gieok.models.rules.korean.spoken import render_insistence
from gieok.models.rules.linear import Numbers
from gieok.models.rules.message_context import LONGEST_MESSAGE
from gieok.models.rules.reference import measure_nearness, remove_subject
from gieok.models.rules.weights import SubjectModels
from gieok.models.rules.wishes.pointing import PointingChances
from gieok.models.rules.wishes.targets import WishTargets, find_wish_targets
from gieok.text.kiwi import Morphology

MAX_KNOWN: Final = 200  # items a conversation is compared with, the newest


def restore_spelling(conversation: Conversation) -> Conversation:
    """Return a conversation with the apostrophes and capitals that its user left out.

    Everything reads it so; a memory that quotes the user has them, too, and is read
    without the question where that will do. No more of a message is read than
    `select_messages` leaves of it.
    """
    told = (m.content for m in (*conversation.messages, *conversation.known))
    names = collect_names(told) | GIVEN_NAMES
    messages = tuple(
        replace(each, content=_restore_text(each.content[:LONGEST_MESSAGE], names))
        if each.role is Role.USER
        else each
        for each in conversation.messages
    )
    known = tuple(
        replace(each, content=remove_question(each.content))
        for each in conversation.known
    )
    return replace(conversation, messages=messages, known=known)


def _restore_text(text: str, names: frozenset[str]) -> str:
    written = restore_apostrophes(restore_small_letters(text), names)
    return render_insistence(restore_capitals(written))


def collect_texts(
    found: Sequence[ClauseCandidate], known: Sequence[KnownMemory]
) -> list[str]:
    """Return what has to be embedded, in the order `measure_conversation` expects."""
    clauses = [candidate.clause.text for candidate in found]
    contexts = [candidate.context for candidate in found]
    return clauses + contexts + [remove_subject(item.content) for item in known]


def measure_conversation(
    conversation: Conversation,
    found: tuple[ClauseCandidate, ...],
    vectors: Vectors,
    morphology: Morphology,
    models: SubjectModels,
) -> MeasuredConversation:
    """Return everything that is measured of a conversation."""
    count = len(found)
    evidence = ClauseEvidence(found, vectors[:count], vectors[count : 2 * count])
    known = conversation.known[-MAX_KNOWN:]
    if not known:
        return MeasuredConversation(evidence, known, None, conversation.at.date())
    items = vectors[2 * count :]
    return MeasuredConversation(
        evidence,
        known,
        measure_nearness(evidence, known, items, morphology, models.slots),
        conversation.at.date(),
        find_item_owners(found, known, morphology),
        items,
    )


def find_wishes(
    material: MeasuredConversation,
    asks: Numbers,
    morphology: Morphology,
    models: SubjectModels,
) -> WishTargets:
    """Return which known items the wishes to forget name.

    `asks` says how likely each clause is one.
    """
    if not material.known:
        return WishTargets()
    evidence = material.evidence
    return find_wish_targets(
        evidence.candidates,
        material.known,
        models.slots.find_all_slots(material.items),
        PointingChances(
            models.pointing.compute_chances(evidence),
            models.pointing.compute_clause_chances(evidence),
        ),
        asks,
        morphology,
    )
