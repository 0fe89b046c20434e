"""What the judges say of every clause of a conversation, before anything is found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

from gieok.kernel.language import Category, KnownMemory, Vectors
from gieok.models.rules.answers import weigh_answers
from gieok.models.rules.category import predict_categories
from gieok.models.rules.clause_item_encoder import MIN_CHANCE
from gieok.models.rules.discourse_frame import is_supposed
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.grouping import find_joints
from gieok.models.rules.intent import INTENTS, TELL, Intent, build_clause_features
from gieok.models.rules.item_owners import ItemOwners
from gieok.models.rules.lexicon import is_correcting, is_opening_news, is_warning
from gieok.models.rules.linear import (
    LinearModel,
    Numbers,
    compute_log_odds,
    compute_probability,
)
from gieok.models.rules.plain_statements import (
    is_fleeting,
    is_meant,
    is_plain,
    is_plain_wish,
    is_remember_request,
)
from gieok.models.rules.reference import (
    ItemReferences,
    Nearness,
    create_empty_references,
    predict_references,
)
from gieok.models.rules.session_features import (
    JudgeOpinions,
    build_surrounding_features,
    score_session,
)
from gieok.models.rules.statement_encoder import StatementOdds
from gieok.models.rules.weights import JudgeWeights
from gieok.models.rules.wishes.targets import WishTargets
from gieok.models.rules.wishes.withdrawn import find_withdrawn_wishes
from gieok.models.rules.worth import (
    ClauseOpinions,
    build_worth_features,
)

REPEAT: Final = INTENTS.index(Intent.REPEAT)
FORGET: Final = INTENTS.index(Intent.FORGET)
OUTDATING: Final = [INTENTS.index(Intent.CHANGE), INTENTS.index(Intent.END)]
MIN_CONFIDENCE: Final = 0.45
"""What a probability of nothing would be; .05 below what a prompt asks for."""
MAX_ADDED: Final = 0.5
"""What certainty adds. With D06's decay, what is as likely as not to last leaves the
prompts after six and a half months in which nobody needs or repeats it, what is nearly
certain after a year."""
FLEETING: Final = -4.0
"""Log-odds at most of what is said for once, or taken back."""
REQUESTED: Final = 0.7
"""Log-odds at least of what the user asked to remember: as much as of anything kept."""
SURE: Final = 2.4
"""Log-odds at least of a plain statement: a confidence of .91. In talk written to
mislead one in eight of those that all judges doubt is right, but whoever says no more
than "I'm allergic to bees" means it."""
NEVER: Final = -30.0
"""Log-odds at least with which neighbours are joined."""
REQUEST_SHARE: Final = 0.8
"""How far what was learned of wishes alone counts, beside the judges of intents."""
PLAIN_WISH: Final = 0.7
"""How likely at least what plainly asks to forget is a wish to forget."""


@dataclass(frozen=True, slots=True)
class MeasuredConversation:
    """A conversation with everything that was measured of it."""

    evidence: ClauseEvidence
    known: tuple[KnownMemory, ...]
    near: Nearness | None
    today: date
    owners: ItemOwners = field(default_factory=ItemOwners)
    items: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    """The vectors of what is known, a row each."""
    wishes: WishTargets = field(default_factory=WishTargets)


@dataclass(frozen=True, slots=True)
class EncodedClauses:
    """What the trained encoders read of every clause, a row a clause."""

    touching: list[int]
    """The clauses that were read beside the known item that they are about."""
    about: Numbers
    """What the reader says of it beside that item, as log-odds."""
    stated: StatementOdds
    """What the statement encoder says of it amid its conversation."""


@dataclass(frozen=True, slots=True)
class ClauseAssessment:
    """What the classifiers say; each row is a clause."""

    worth: Numbers
    """Log-odds that the clause says something lasting."""
    intents: Numbers
    """Probability of each intent."""
    references: ItemReferences
    same: dict[int, float]
    """By the first clause's place: that it and the next say the same fact."""
    kinds: tuple[Category, ...]
    wishes: Mapping[int, Numbers] = field(default_factory=dict[int, Numbers])
    """By the clause of a wish to forget: how likely it means each known item."""


def resolve_references(
    material: MeasuredConversation, weights: JudgeWeights
) -> ItemReferences:
    """Return which known item each clause is about."""
    if material.near is None:
        return create_empty_references(len(material.evidence.candidates))
    return predict_references(material.near, weights.reference)


def find_touching_clauses(
    material: MeasuredConversation, references: ItemReferences, weights: JudgeWeights
) -> list[int]:
    """Return the clauses that may do something to what is known, or ask to forget.

    Only they are read beside the known item that they are about: the reader adds
    nothing to what is known of the others without it.
    """
    seen = build_clause_features(material.evidence, references, weights.runs)
    meant = compute_probability(weights.intent.compute_logits(seen))
    touching = np.delete(meant, TELL, axis=1).max(axis=1) >= MIN_CHANCE
    return np.flatnonzero(touching).tolist()


def collect_opinions(
    material: MeasuredConversation,
    references: ItemReferences,
    encoded: EncodedClauses,
    weights: JudgeWeights,
) -> ClauseOpinions:
    """Return what every judge says of the clauses, before they are weighed."""
    evidence, known = material.evidence, len(material.known)
    seen = build_clause_features(evidence, references, weights.runs)
    meant = weights.intent.compute_logits(seen)
    talk = weights.talk.compute_logits(seen)[:, 0]
    opinions = JudgeOpinions(meant[:, TELL], talk, np.delete(meant, TELL, axis=1))
    session = score_session(evidence, known, weights.session)
    around = build_surrounding_features(evidence, opinions, session, known)
    settled = weights.settle.compute_logits(around)
    blended = weights.blend.compute_logits(np.hstack([settled, meant, encoded.about]))
    read = set(encoded.touching)
    unread = [clause for clause in range(len(meant)) if clause not in read]
    doing = [column for column in range(len(INTENTS)) if column != TELL]
    places = np.ix_(unread, doing)
    blended[places] = np.minimum(blended[places], meant[places])
    return ClauseOpinions(
        meant, talk, settled[:, 0], blended, encoded.stated.lasting, session
    )


def classify_clauses(
    material: MeasuredConversation,
    references: ItemReferences,
    encoded: EncodedClauses,
    asks: Numbers,
    weights: JudgeWeights,
) -> ClauseAssessment:
    """Apply every classifier; thresholds come later.

    `asks` says how likely each clause by itself asks to forget something.
    """
    evidence = material.evidence
    opinions = collect_opinions(material, references, encoded, weights)
    rows = build_worth_features(evidence, opinions, len(material.known))
    worth = weights.worth.compute_logits(rows)[:, 0]
    plain = [is_plain(candidate) for candidate in evidence.candidates]
    worth[plain] = np.maximum(worth[plain], SURE)
    requested = [is_remember_request(candidate) for candidate in evidence.candidates]
    worth[requested] = np.maximum(worth[requested], REQUESTED)
    fleeting = [is_fleeting(candidate) for candidate in evidence.candidates]
    worth[fleeting] = np.minimum(worth[fleeting], FLEETING)
    worth = weigh_answers(evidence, worth, weights.answer)
    unmeant = [
        each.turn.frame.is_played
        or each.turn.frame.is_copied
        or is_supposed(each.turn.text, each.clause.start)
        for each in evidence.candidates
    ]
    worth[unmeant] = -np.inf
    same = _predict_joins(evidence, np.maximum(worth, NEVER), weights.joint)
    return ClauseAssessment(
        worth=worth,
        intents=_weigh_wishes(
            evidence,
            _correct_answers(evidence, compute_probability(opinions.blended), worth),
            asks,
        ),
        references=references,
        same={n: 0.0 if plain[n] and plain[n + 1] else v for n, v in same.items()},
        kinds=predict_categories(evidence, encoded.stated.categories, weights.category),
    )


def _correct_answers(
    evidence: ClauseEvidence, intents: Numbers, worth: Numbers
) -> Numbers:
    """Return the intents, those of answers by what a question and an answer can do.

    One in a quiz, to an offer or of the moment does nothing to what is known, unless it
    says that something has changed ("이제는 괜찮아요"); "still" changes nothing.
    """
    intents = intents.copy()
    for number, candidate in enumerate(evidence.candidates):
        if not candidate.is_answer:
            continue
        flags, frame = candidate.flags, candidate.turn.frame
        framed = frame.roleplay or frame.drill
        if np.isneginf(worth[number]) and (framed or not flags["change"]):
            intents[number] = 0.0
        elif flags["same"] and not flags["negation"]:
            lasting = intents[number, [REPEAT, *OUTDATING]].max()
            intents[number, OUTDATING] = 0.0
            intents[number, REPEAT] = lasting
    return intents


def _weigh_wishes(
    evidence: ClauseEvidence, intents: Numbers, chances: Numbers
) -> Numbers:
    """Return the intents, with how likely each clause asks to forget something.

    `chances` say that of each clause by itself; the judges' log-odds count beside it.
    What is played, practised or told of somebody else is no wish if the judges, who
    see that, say so; a wish to remember, a warning against forgetting, and what is
    taken back never is.
    """
    weighed = intents.copy()
    odds = compute_log_odds(np.column_stack([chances, intents[:, FORGET]]))
    joined = compute_probability(odds @ [REQUEST_SHARE, 1 - REQUEST_SHARE])
    for number, candidate in enumerate(evidence.candidates):
        chance = float(joined[number])
        if is_plain_wish(candidate):
            chance = max(chance, PLAIN_WISH)
        elif not is_meant(candidate):
            chance = min(chance, float(intents[number, FORGET]))
        flags = candidate.flags
        keeps = flags["remember"] and not (flags["forget"] or flags["negation"])
        told = candidate.turn.is_restated and not flags["forget"]
        text = candidate.clause.text
        keeps = keeps or told or _is_no_wish(text)
        weighed[number, FORGET] = 0.0 if keeps else chance
    withdrawn = find_withdrawn_wishes(evidence.candidates, weighed[:, FORGET])
    weighed[[*withdrawn], FORGET] = 0.0
    return weighed


def _is_no_wish(text: str) -> bool:
    """Tell whether a clause surely asks nothing, whatever words of a wish it has."""
    return is_warning(text) or is_opening_news(text) or is_correcting(text)


def _predict_joins(
    evidence: ClauseEvidence, worth: Numbers, model: LinearModel
) -> dict[int, float]:
    """Return for each joint the probability that it lies inside one fact."""
    found = find_joints(evidence, worth)
    if not found.firsts:
        return {}
    values = compute_probability(model.compute_logits(found.features))[:, 0]
    return {first: float(v) for first, v in zip(found.firsts, values, strict=True)}


def compute_confidence(share: float) -> float:
    """Return the confidence of something said, from how likely it is to last."""
    return round(MIN_CONFIDENCE + MAX_ADDED * share, 3)


def compute_share(confidence: float) -> float:
    """Return how likely something lasts of which this is the confidence."""
    return (confidence - MIN_CONFIDENCE) / MAX_ADDED
