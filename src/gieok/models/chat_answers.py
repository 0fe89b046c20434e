"""Reads what a chat vendor answered; without a text it is no answer."""

from typing import Any, Final, cast

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply

ODD_ANSWER: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What reading a body raises that is no JSON, or of another shape."""


def build_reply(vendor: str, text: object, usage: object, total: str) -> ModelReply:
    """Return the reply of an answer's parts, whatever stands in their places.

    `total` names the tokens in `usage`; where that holds no number they count as 0.

    Raises:
        ModelUnavailableError: there is no text; the message names `vendor`.
    """
    # Half a surrogate pair can be neither stored nor sent on.
    said = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
    if not said.strip():
        raise ModelUnavailableError(vendor, "its answer holds no text")
    counts = cast("dict[str, Any]", usage) if isinstance(usage, dict) else {}
    tokens = counts.get(total)
    return ModelReply(said.strip(), tokens if isinstance(tokens, int) else 0)
