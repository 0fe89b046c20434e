"""One readable text of several sums, with or without a model."""

from collections.abc import Sequence
from typing import NamedTuple

import structlog

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import Model, SummaryNote
from gieok.summaries.gathering import joined
from gieok.summaries.gists import LONGEST_SUMMARY, plain
from gieok.summaries.model import FALLBACK

log = structlog.get_logger("gieok.summaries")


class Condensed(NamedTuple):
    """A text, and what made it."""

    text: str
    summarizer: str


async def condense(
    model: Model, notes: Sequence[SummaryNote], language: str, *, asks: bool
) -> Condensed:
    """Return the notes as one text; joined as they are while the model is away.

    A single note is its own text. Without `asks` the model is known to be away.
    """
    together = joined(note.text for note in notes)
    if not asks:
        return Condensed(together, FALLBACK)
    if len(notes) == 1:
        return Condensed(together, model.name)
    try:
        text = await model.condense(notes, language)
    except ModelUnavailableError as error:
        log.warning("summary_fell_back", notes=len(notes), reason=str(error))
        return Condensed(together, FALLBACK)
    return Condensed(plain(text, LONGEST_SUMMARY) or together, model.name)
