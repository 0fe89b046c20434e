"""How likely a wish to forget means each known item: read, and weighed with its words.

An encoder reads every item beside the wish and what was said just before it
(`memory_pairs`), and so it reads what the user said earlier in the same conversation:
what was only just said may be all that is meant. A linear model weighs that with how
near the items are and which of them the words of the wish name (`wishes.targets`); see
`training/train_wish.py`. Each item is judged by itself: none is meant because the
others are even less likely.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import KnownMemory, Utterance
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.linear import (
    LinearModel,
    Numbers,
    compute_log_odds,
    compute_probability,
)
from gieok.models.rules.memory_pairs import LONGEST_SAID, render_wish_pair
from gieok.models.rules.message_context import find_message_context
from gieok.models.rules.reference import ItemReferences, compute_leads
from gieok.models.rules.wishes.certainty import (
    LIKELY_WISH,
    POSSIBLY_MEANT,
    UNSHARED,
    WORTH_ASKING,
)
from gieok.models.rules.wishes.targets import WishTargets

MAX_NAMED: Final = 40  # items read with a wish: it may name a kind only
MAX_SAID: Final = 6  # of the user's messages before it
MAX_WISHES: Final = 16  # of a conversation, the likeliest; others are only searched
NO_RIVAL: Final = -8.0  # log-odds of a rival where nothing was said before
_FORGET: Final = INTENTS.index(Intent.FORGET)


class WishReading(NamedTuple):
    """What is read of one wish."""

    clause: int
    items: tuple[int, ...]
    """The places of the known items that are read."""
    texts: tuple[str, ...]
    """What the encoder reads of them, and then of what the user said before."""


def render_wishes(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    messages: Sequence[Utterance],
    intents: Numbers,
    references: ItemReferences,
    targets: WishTargets,
) -> list[WishReading]:
    """Return what is read of the clauses that may be a wish to forget.

    These are the items nearest to a wish, and the one that its words name.
    """
    if not known:
        return []
    chances = intents[:, _FORGET]
    likeliest: list[int] = np.argsort(-chances, kind="stable")[:MAX_WISHES].tolist()
    return [
        _render_wish(
            clause,
            candidates[clause],
            _select_items(references.scores[clause], targets.named.get(clause)),
            known,
            messages,
        )
        for clause in sorted(likeliest)
        if chances[clause] >= LIKELY_WISH
    ]


def _select_items(scores: Numbers, named: int | None) -> list[int]:
    nearest: list[int] = np.argsort(-scores, kind="stable")[:MAX_NAMED].tolist()
    return sorted({*nearest, *(() if named is None else (named,))})


def _render_wish(
    clause: int,
    candidate: ClauseCandidate,
    items: Sequence[int],
    known: Sequence[KnownMemory],
    messages: Sequence[Utterance],
) -> WishReading:
    context = find_message_context(messages, candidate.turn.index)
    before, asked = context.previous_message, context.previous_reply
    wish = _clip_around(candidate)
    said = context.earlier_messages[-MAX_SAID:]
    texts = [*(known[item].content for item in items), *said]
    return WishReading(
        clause,
        tuple(items),
        tuple(render_wish_pair(text, wish, before, asked) for text in texts),
    )


def _clip_around(candidate: ClauseCandidate) -> str:
    """Return the message of a clause; of a long one, what stands before it as well."""
    clause, message = candidate.clause, candidate.turn.text
    if len(message) <= LONGEST_SAID:
        return message
    start = min(clause.start, max(0, clause.end - LONGEST_SAID))
    return message[start : start + LONGEST_SAID]


def weigh_wish(
    reading: WishReading,
    odds: Numbers,
    scores: Numbers,
    chance: float,
    targets: WishTargets,
    model: LinearModel,
) -> Numbers:
    """Return how likely a wish means each known item; of those not read, nothing.

    `odds` are the encoder's log-odds of `reading.texts`, `scores` say how likely the
    wish is about each known item if it is about one, and `chance` that it is a wish.
    """
    weighed = np.zeros_like(scores)
    features = build_wish_features(reading, odds, scores, chance, targets)
    weighed[list(reading.items)] = compute_probability(
        model.compute_logits(features)[:, 0]
    )
    return weighed


def apply_targets(meant: Numbers, clause: int, targets: WishTargets) -> Numbers:
    """Return how likely a wish means each known item, where its words decide it."""
    if clause in targets.everything:
        return np.full_like(meant, WORTH_ASKING)
    if clause in targets.pointed:
        return np.eye(len(meant))[targets.pointed[clause]]
    settled = meant.copy()
    shared = targets.shared.get(clause)
    if shared is not None:
        alone = [n for n in range(len(meant)) if n not in shared]
        settled[alone] = np.minimum(settled[alone], UNSHARED)
    settled[[*targets.unnamed.get(clause, ())]] = 0.0  # it is about something just said
    likely = [*targets.likely.get(clause, ())]
    settled[likely] = np.maximum(settled[likely], POSSIBLY_MEANT)
    settled[[*targets.sure.get(clause, ())]] = 1.0
    doubted = [*targets.doubted.get(clause, ())]
    settled[doubted] = np.minimum(settled[doubted], UNSHARED)
    return settled


def build_wish_features(
    reading: WishReading,
    odds: Numbers,
    scores: Numbers,
    chance: float,
    targets: WishTargets,
) -> Numbers:
    """Return what is weighed, one row for each item that was read."""
    items = list(reading.items)
    read, said = odds[: len(items)], odds[len(items) :]
    near = compute_log_odds(scores[items])
    rival = float(said.max(initial=NO_RIVAL))
    named = targets.named.get(reading.clause)
    unnamed = targets.unnamed.get(reading.clause)
    others = targets.others.get(reading.clause, frozenset())
    words = [[item == named, item in (unnamed or ()), item in others] for item in items]
    same = np.array(
        [
            rival,
            said.size > 0,
            named is not None,
            unnamed is not None,
            compute_log_odds(np.array([chance]))[0],
            read.max(),
        ]
    )
    leads = [compute_leads(each[None])[0].clip(-8, 8) for each in (read, near)]
    return np.column_stack(
        [
            read,
            near,
            *leads,
            (read - rival).clip(-8, 8) * (said.size > 0),
            np.array(words, np.float64),
            np.tile(same, (len(items), 1)),
        ]
    )
