"""Sensitive information (A19): found, named and masked before anything keeps it.

found = find("제 번호는 010-1234-5678이에요")
mask(text, found)   # "제 번호는 010-****-5678이에요"
flags(found)        # {"phone": 1}
"""

from gieok.pii.detect import MAX_BEFORE, find, find_all
from gieok.pii.mask import MASKED, S3_ONLY, MaskingPolicy, MaskTokens, mask
from gieok.pii.masking_policy import PersonalMasking, use_policy
from gieok.pii.model import PiiFinding, PiiKind, SensitivityLevel, count_kinds
from gieok.pii.screen import CleanDigests, TextMasker, is_special, mask_text

__all__ = [
    "MASKED",
    "MAX_BEFORE",
    "S3_ONLY",
    "CleanDigests",
    "MaskTokens",
    "MaskingPolicy",
    "PersonalMasking",
    "PiiFinding",
    "PiiKind",
    "SensitivityLevel",
    "TextMasker",
    "count_kinds",
    "find",
    "find_all",
    "is_special",
    "mask",
    "mask_text",
    "use_policy",
]
