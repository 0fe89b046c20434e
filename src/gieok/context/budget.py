"""How many tokens a text takes at most, without asking a vendor's tokenizer."""

import math

LATIN_CHARACTERS_PER_TOKEN = 3.2
"""English prose has four characters a token in current tokenizers; names and numbers
have fewer, so this errs on the safe side."""
OTHER_TOKENS_PER_CHARACTER = 1.0
"""Hangul takes 0.6 to 0.9 tokens a syllable in current tokenizers."""


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of a text's tokens."""
    latin = sum(character.isascii() for character in text)
    other = len(text) - latin
    return math.ceil(
        latin / LATIN_CHARACTERS_PER_TOKEN + other * OTHER_TOKENS_PER_CHARACTER
    )
