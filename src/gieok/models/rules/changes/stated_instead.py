"""What a Korean clause states instead of what it denies.

"강아지 안 키우고 고양이 키워" is one clause; in English each is one of its own.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "stated_instead.toml")
_ENDING: Final = _LISTS.get_words("stated_instead.ending")
_HELD: Final = _LISTS.get_words("stated_instead.held")
_NOUNS: Final = ("NNG", "NNP", "SL", "XR")
_VERBS: Final = ("VV", "VA", "VCP", "XSV")
_JOINTS: Final = ("고", "며", "고서")


def is_other_stated(morphemes: Sequence[Morph], item: str) -> bool:
    """Tell whether a clause denies one thing and states another of the same kind.

    `item` is the memory that it denies: what it names is not new.
    """
    parts = [*_split_parts(morphemes)]
    denied = [_is_denied(part) for part in parts]
    return any(denied) and any(
        _is_new_stated(part, item)
        for part, is_denied in zip(parts, denied, strict=True)
        if not is_denied
    )


def _split_parts(morphemes: Sequence[Morph]) -> Iterator[Sequence[Morph]]:
    """Yield what stands between the joints of a clause."""
    first = 0
    for place, m in enumerate(morphemes, start=1):
        if m.tag == "EC" and m.form in _JOINTS:
            yield morphemes[first:place]
            first = place
    yield morphemes[first:]


def _is_denied(part: Sequence[Morph]) -> bool:
    return any(m.form in _ENDING and m.tag[0] in "VM" for m in part)


def _is_new_stated(part: Sequence[Morph], item: str) -> bool:
    """Tell whether a part says of a new noun what somebody does with it, or is."""
    new = False
    for place, m in enumerate(part):
        following = part[place + 1] if place + 1 < len(part) else None
        acts = following is not None and following.tag == "JKS"
        new |= m.tag in _NOUNS and m.form not in item and not acts
        if new and m.tag in _VERBS and m.form in _HELD:
            return True
    return False
