"""Embeds and reads sessions as extraction does, for what is learned of them.

What the statement encoder says of a clause comes from one that never saw its person:
`tune_statement.py` leaves that in a file. Run it first.
"""

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from corpus import Dialogue
from embeddings import DiskCachedE5
from train_judge import READ

from gieok.models import tuned_e5
from gieok.models.rules.assessment import (
    EncodedClauses,
    MeasuredConversation,
    find_touching_clauses,
    resolve_references,
)
from gieok.models.rules.clause_item_encoder import compute_pair_odds, render_pairs
from gieok.models.rules.measuring import collect_texts, measure_conversation
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.reference import ItemReferences
from gieok.models.rules.statement_encoder import (
    render_clauses,
    split_odds,
)
from gieok.models.rules.weights import load_judge_weights
from gieok.text.kiwi import get_shared_morphology

STATED = Path(tempfile.gettempdir()) / "gieok-training-stated.npz"

ReadSession = tuple[Dialogue, MeasuredConversation, ItemReferences, EncodedClauses]


def name_text(text: str) -> str:
    """Return the name under which what was read of a text is kept."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def load_unseen_odds() -> dict[str, np.ndarray]:
    """Return what encoders that saw no word of a person said of each clause's text."""
    with np.load(STATED, allow_pickle=False) as kept:
        return dict(zip(kept["keys"].tolist(), kept["odds"], strict=True))


def read_sessions(dialogues: Sequence[Dialogue]) -> Iterator[ReadSession]:
    """Yield every session with what is measured of it and what its clauses are about.

    Last comes what the encoders read: of every clause amid its conversation, and of
    those that may touch what is known beside the item that they are nearest to by
    their words. Sessions of which no encoder has read a clause unseen are left out.
    """
    unseen = load_unseen_odds()
    named = {
        d.id: [
            name_text(text)
            for text in render_clauses(d.candidates, select_messages(d.conversation))
        ]
        for d in dialogues
    }
    dialogues = [d for d in dialogues if all(key in unseen for key in named[d.id])]
    weights, morphology = load_judge_weights(), get_shared_morphology()
    embedder, reader = DiskCachedE5(), DiskCachedE5(READ, tuned_e5.load_pair_engine)
    texts = [collect_texts(d.candidates, d.conversation.known) for d in dialogues]
    embedder.embed([text for own in texts for text in own])
    found = [
        measure_conversation(
            d.conversation,
            d.candidates,
            embedder.embed(own),
            morphology,
            weights.subjects,
        )
        for d, own in zip(dialogues, texts, strict=True)
    ]
    references = [resolve_references(each, weights) for each in found]
    touching = [
        find_touching_clauses(m, r, weights)
        for m, r in zip(found, references, strict=True)
    ]
    pairs = [
        render_pairs(m.evidence.candidates, m.known, [(n, r.nearest[n]) for n in own])
        for m, r, own in zip(found, references, touching, strict=True)
    ]
    reader.embed([text for own in pairs for text in own])
    for number, d in enumerate(dialogues):
        odds = split_odds(np.stack([unseen[key] for key in named[d.id]]))
        own = touching[number]
        about = compute_pair_odds(
            reader.embed(pairs[number]), own, len(d.candidates), weights.reader
        )
        encoded = EncodedClauses(own, about, odds)
        yield d, found[number], references[number], encoded
