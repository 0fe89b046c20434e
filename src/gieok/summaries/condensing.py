"""One readable text of several summaries, with or without a model."""

from collections.abc import Sequence
from typing import NamedTuple

from gieok.kernel.errors import ModelRefusedError, ModelUnavailableError
from gieok.kernel.language import Model, SummaryNote
from gieok.kernel.logs import get_logger
from gieok.summaries.aggregation import join_texts
from gieok.summaries.model import FALLBACK, ORIGINAL
from gieok.summaries.session_drafts import LONGEST_SUMMARY, clean_summary_text

log = get_logger("gieok.summaries")


class CondensedText(NamedTuple):
    """A text, and what made it."""

    text: str
    summarizer: str


async def condense_notes(
    model: Model, notes: Sequence[SummaryNote], language: str, *, asks: bool
) -> CondensedText:
    """Return the notes as one text; joined as they are while the model is away.

    So they stay where it refuses them. A single note is its own text. Without `asks`
    the model is known to be away.
    """
    together = join_texts(note.text for note in notes)
    if not asks:
        return CondensedText(together, FALLBACK)
    if len(notes) == 1:
        return CondensedText(together, model.name)
    try:
        text = await model.condense(notes, language)
    except ModelUnavailableError as error:
        log.warning("summary_fell_back", notes=len(notes), reason=str(error))
        final = isinstance(error, ModelRefusedError)
        return CondensedText(together, ORIGINAL if final else FALLBACK)
    return CondensedText(
        clean_summary_text(text, LONGEST_SUMMARY) or together, model.name
    )
