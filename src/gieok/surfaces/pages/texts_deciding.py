"""Texts about switches, consent and leaving: (Korean, English)."""

from typing import Final

DECIDING: Final[dict[str, tuple[str, str]]] = {}
