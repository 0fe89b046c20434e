"""What acts by itself in a prompt: addresses, markup, calls, hidden characters."""

import re
import unicodedata
from typing import Final

from gieok.guard.obfuscation import has_hidden_text
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.guard", "patterns.toml")

_ACTIVE: Final = _LISTS.compile_list("active_content.active")
_ROLE_TOKEN: Final = compile_lazily(
    r"<\|[a-z_]{2,20}\|>|<</?sys>>|\[/?(?:inst|sys)\]", re.IGNORECASE
)
"""What sets the speaker in the formats that models are trained on."""
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs"})


def has_active_content(text: str) -> bool:
    """Tell whether a text carries something that acts by itself.

    An address that can be followed, an image or link in markup, a tag, a code fence, a
    role's token, a tool call, or characters that nobody sees.
    """
    hidden = any(unicodedata.category(c) in _HIDDEN for c in text if c not in "\n\t")
    return hidden or has_hidden_text(text) or _ACTIVE.search(text) is not None


def has_role_token(text: str) -> bool:
    """Tell whether a text sets who speaks, as only a chat format does."""
    return _ROLE_TOKEN.search(text) is not None
