"""Embeds and reads sessions as extraction does, for what is learned of them."""

from collections.abc import Iterator, Sequence

import numpy as np
from corpus import Dialogue
from embeddings import DiskCachedE5
from train_judge import READ

from gieok.models import tuned_e5
from gieok.models.rules.assessment import MeasuredConversation, resolve_references
from gieok.models.rules.extractor import collect_texts, measure_conversation
from gieok.models.rules.reader import list_nearest_pairs, render_pairs
from gieok.models.rules.reference import ItemReferences
from gieok.models.rules.weights import load_judge_weights
from gieok.text.kiwi import get_shared_morphology

ReadSession = tuple[Dialogue, MeasuredConversation, ItemReferences, np.ndarray]


def read_sessions(dialogues: Sequence[Dialogue]) -> Iterator[ReadSession]:
    """Yield every session with what is measured of it and what its clauses are about.

    Last come the reader's vectors, of every clause beside the item that it is nearest
    to by its words: a row a clause.
    """
    weights, morphology = load_judge_weights(), get_shared_morphology()
    embedder, reader = DiskCachedE5(), DiskCachedE5(READ, tuned_e5.load_engine)
    texts = [collect_texts(d.candidates, d.conversation.known) for d in dialogues]
    embedder.embed([text for own in texts for text in own])
    found = [
        measure_conversation(
            d.conversation, d.candidates, embedder.embed(own), morphology, weights.slots
        )
        for d, own in zip(dialogues, texts, strict=True)
    ]
    references = [resolve_references(each, weights) for each in found]
    pairs = [
        render_pairs(m.evidence.candidates, m.known, list_nearest_pairs(r))
        for m, r in zip(found, references, strict=True)
    ]
    reader.embed([text for own in pairs for text in own])
    for d, m, r, own in zip(dialogues, found, references, pairs, strict=True):
        yield d, m, r, reader.embed(own)
