"""How the rules write down lists of words."""


def parse_word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def parse_word_list(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())
