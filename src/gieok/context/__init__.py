"""What goes into a prompt: one fenced, traceable block of memory."""

from gieok.context.lint import find_foreign_addresses
from gieok.context.model import Block, Line
from gieok.context.service import Context

__all__ = ["Block", "Context", "Line", "find_foreign_addresses"]
