"""The small encoders that were trained for the rules; each loads when it is needed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gieok.kernel.language import Embedder, Vectors
from gieok.models import tuned_e5
from gieok.models.e5 import E5Embedder


@dataclass(frozen=True, slots=True)
class RuleEncoders:
    """What reads texts beside each other, one encoder for each kind of pair.

    Attributes:
        clause_item_pairs: a clause beside a known item.
        statements: a clause amid its conversation.
        memory_pairs: a known memory beside a wish to forget.
        message_pairs: a known memory beside a message.
        memory_checks: a new memory beside the message it came from.
        forget_checks: a clause that may ask to forget something.
    """

    clause_item_pairs: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_pair_engine)
    )
    statements: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_statement_engine)
    )
    memory_pairs: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_memory_pair_engine)
    )
    message_pairs: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_message_pair_engine)
    )
    memory_checks: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_memory_check_engine)
    )
    forget_checks: Embedder = field(
        default_factory=lambda: E5Embedder(tuned_e5.load_forget_check_engine)
    )


async def embed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Return a row for each text; what stands there twice is embedded once."""
    distinct = list(dict.fromkeys(texts))
    place = {text: number for number, text in enumerate(distinct)}
    rows = await embedder.passages(distinct)
    return rows[[place[text] for text in texts]]
