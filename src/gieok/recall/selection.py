"""Selects the rows of an index that a search may find, and the best of them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from gieok.memories.permission import ignore_default_categories
from gieok.recall.hits import RankedRow
from gieok.recall.model import Filters, HitKind
from gieok.recall.recall_index import ID_BYTES, RecallIndex, derive_session_code
from gieok.search.rank import RowScores, SearchQuery, measure_relevance, select_top
from gieok.search.rows import RowKind, RowMask
from gieok.settings import Settings


def rank_rows(
    held: RecallIndex,
    asked: SearchQuery,
    scores: RowScores,
    allowed: RowMask,
    limit: int,
) -> list[RankedRow]:
    """Return the best of the marked rows, best first."""
    sentences = sum(len(each.entries) for each in held.summaries.values())
    chosen: list[int] = select_top(scores.total, limit + sentences, allowed).tolist()
    best: dict[bytes, int] = {}
    for row in chosen:
        best.setdefault(held.ids[row][:ID_BYTES], row)
    return _build_rows(held, asked, scores, allowed, list(best.values())[:limit])


def rank_newer(
    held: RecallIndex,
    asked: SearchQuery,
    scores: RowScores,
    allowed: RowMask,
    found: Sequence[RankedRow],
) -> list[RankedRow]:
    """Return the marked memories that say otherwise than what was found, and later.

    Without what was found already, and with what says otherwise than they.
    """
    known = {each.id for each in found}
    facts = [each.fact for each in found if each.fact is not None]
    rows: list[int] = []
    for fact in facts:  # grows
        by = fact.memory.contradicted_by
        newer = held.facts.get(by.bytes) if by else None
        if newer is None or (key := newer.memory.memory_id.bytes) in known:
            continue
        known.add(key)
        if allowed[held.places[key]]:
            rows.append(held.places[key])
            facts.append(newer)
    return _build_rows(held, asked, scores, allowed, rows) if rows else []


def _build_rows(
    held: RecallIndex,
    asked: SearchQuery,
    scores: RowScores,
    allowed: RowMask,
    rows: Sequence[int],
) -> list[RankedRow]:
    """Return rows as they bear on the question among the marked ones."""
    bearing = measure_relevance(held.index, asked, allowed)
    return [
        RankedRow(
            held.ids[row],
            held.facts.get(held.ids[row]),
            held.find_summary(held.ids[row]) if len(held.ids[row]) > ID_BYTES else None,
            float(scores.total[row]),
            float(bearing[row]),
            {name: float(part[row]) for name, part in scores.signals.items()},
        )
        for row in rows
    ]


def select_sessions(held: RecallIndex, sessions: Sequence[UUID] | None) -> RowMask:
    """Return which rows are of these sessions, or summaries; all if none are named."""
    if sessions is None:
        return np.ones(len(held.index), bool)
    codes = [derive_session_code(session_id) for session_id in sessions]
    items = held.index.items
    return np.isin(items.sessions, codes) | (items.kinds == RowKind.SUMMARY)


def select_allowed(
    held: RecallIndex,
    filters: Filters,
    settings: Settings,
    defaults: Settings,
    now: datetime,
) -> RowMask:
    """Return which rows may be found, sessions aside."""
    items = held.index.items
    allowed = np.zeros(len(items), np.bool_)
    if filters.categories is None:
        said = items.kinds == RowKind.MESSAGE
        allowed |= (said & filters.has_kind(HitKind.MESSAGE)) | held.mark_summaries(
            filters
        )
    if filters.has_kind(HitKind.MEMORY):
        own = ignore_default_categories(settings, defaults)
        allowed[held.list_fact_places()] = held.fact_columns.mark_findable(
            filters, settings.allowed_categories, own.allowed_categories, now
        )
    if filters.since is not None:
        allowed &= items.at >= filters.since.timestamp()
    if filters.until is not None:
        allowed &= items.at < filters.until.timestamp()
    return allowed
