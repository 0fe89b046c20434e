"""What goes into a prompt: one fenced, traceable block of memory."""

from typing import TYPE_CHECKING

from gieok.context.model import Block, Excerpt, Line
from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.context.explanation import BlockOutcome, ConsideredHit, Explanation
    from gieok.context.lint import find_foreign_addresses
    from gieok.context.service import Context
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "ConsideredHit": "gieok.context.explanation",
            "Context": "gieok.context.service",
            "Explanation": "gieok.context.explanation",
            "BlockOutcome": "gieok.context.explanation",
            "find_foreign_addresses": "gieok.context.lint",
        },
    )

__all__ = [
    "Block",
    "BlockOutcome",
    "ConsideredHit",
    "Context",
    "Excerpt",
    "Explanation",
    "Line",
    "find_foreign_addresses",
]
