"""What a person is told when an episode was kept (E15, E16)."""

from collections.abc import Collection
from typing import Final

from gieok.episodes.model import ArchivedReason

_FULL: Final = {
    "ko": "메모리가 가득 찼습니다. 중요도가 낮은 이전 대화는 아카이브됩니다.",
    "en": "Memory is full. Earlier conversations of lower importance are archived.",
}
_UPGRADE: Final = {
    "ko": "더 많은 메모리를 원하시면 Knock Plus를 이용하세요",
    "en": "For more memory, use Knock Plus",
}
_REPEATED: Final = {
    "ko": "같은 일에 대한 이전 대화는 아카이브되었습니다. 다시 꺼낼 수 있습니다.",
    "en": "An earlier conversation about the same matter was archived. It can be put "
    "back.",
}
_FALLBACK: Final = {
    "ko": "대화를 요약하지 못해 원문의 일부를 저장했습니다.",
    "en": "The conversation could not be summed up; a part of it was kept as it is.",
}


def format_notice(
    language: str,
    *,
    reasons: Collection[ArchivedReason],
    is_fallback: bool,
    upgrade_line: str | None = None,
) -> str | None:
    """Return what to tell in "ko" or, for anything else, English; None for nothing.

    `reasons` are those for which something was archived.
    """
    spoken = "ko" if language == "ko" else "en"
    told: list[str] = []
    if is_fallback:
        told.append(_FALLBACK[spoken])
    if ArchivedReason.PLAN in reasons:
        told += [_FULL[spoken], upgrade_line or _UPGRADE[spoken]]
    if ArchivedReason.TOPIC in reasons:
        told.append(_REPEATED[spoken])
    return "\n".join(told) or None
