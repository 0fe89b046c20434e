"""Sensitive information (A19): found, named and masked before anything keeps it.

found = find("제 번호는 010-1234-5678이에요")
mask(text, found)   # "제 번호는 010-****-5678이에요"
flags(found)        # {"phone": 1}
"""

from gieok.pii.detect import MOST_BEFORE, find, find_all
from gieok.pii.force import Personal, in_force
from gieok.pii.mask import MASKED, S3_ONLY, Policy, Tokens, mask
from gieok.pii.model import Found, Kind, Level, flags
from gieok.pii.screen import Clean, Screen, is_special, masked

__all__ = [
    "MASKED",
    "MOST_BEFORE",
    "S3_ONLY",
    "Clean",
    "Found",
    "Kind",
    "Level",
    "Personal",
    "Policy",
    "Screen",
    "Tokens",
    "find",
    "find_all",
    "flags",
    "in_force",
    "is_special",
    "mask",
    "masked",
]
