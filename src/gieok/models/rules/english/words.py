"""Which parts of speech an English word can be.

The table is made by `training/build_english_words.py`: one line a word, its commonest
part of speech first. A word that is not in it is a noun or a name.
"""

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

VERB: Final = "v"
THIRD: Final = "s"
PAST: Final = "d"
PARTICIPLE: Final = "p"
GERUND: Final = "g"
ADJECTIVE: Final = "a"
ADVERB: Final = "r"
NOUN: Final = "n"


SHORTEST: Final = 5
"""Letters of a word that may be the third person of an unknown verb."""


@cache
def load_parts_of_speech() -> Mapping[str, str]:
    """Return the letters of each word's parts of speech, the commonest first."""
    packed = files("gieok.models.rules.english").joinpath("words.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return dict(line.split(" ") for line in lines)


def get_parts(word: str) -> str:
    """Return what a word in lower case can be, the commonest first.

    Of a verb of which the table holds the gerund alone, "snores" is the third person.
    """
    known = load_parts_of_speech()
    if word in known or not word.endswith("s") or len(word) < SHORTEST:
        return known.get(word, NOUN)
    stem = word[:-1].removesuffix("e")
    return THIRD + NOUN if known.get(f"{stem}ing", NOUN)[0] == GERUND else NOUN


def is_known(word: str) -> bool:
    """Tell whether a word in lower case is other than a mere noun or name."""
    return word in load_parts_of_speech()


def can_be(word: str, part: str) -> bool:
    """Tell whether a word in lower case can be of a part of speech."""
    return part in get_parts(word)
