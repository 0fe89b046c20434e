"""What goes into a prompt: one fenced, traceable block of memory."""

from typing import TYPE_CHECKING

from gieok.context.model import Block, Excerpt, Line
from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.context.lint import find_foreign_addresses
    from gieok.context.service import Context
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "Context": "gieok.context.service",
            "find_foreign_addresses": "gieok.context.lint",
        },
    )

__all__ = ["Block", "Context", "Excerpt", "Line", "find_foreign_addresses"]
