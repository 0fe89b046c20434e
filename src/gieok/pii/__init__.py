"""Sensitive information (A19): found, named and masked before anything keeps it.

found = find("제 번호는 010-1234-5678이에요")
mask(text, found)   # "제 번호는 010-****-5678이에요"
flags(found)        # {"phone": 1}
"""

from gieok.pii.detect import find, find_all
from gieok.pii.mask import MASKED, Policy, Tokens, mask
from gieok.pii.model import Found, Kind, Level, flags
from gieok.pii.screen import S3_ONLY, Screen, masked

__all__ = [
    "MASKED",
    "S3_ONLY",
    "Found",
    "Kind",
    "Level",
    "Policy",
    "Screen",
    "Tokens",
    "find",
    "find_all",
    "flags",
    "mask",
    "masked",
]
