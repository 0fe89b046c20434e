"""What a person is told when an episode was kept (E15, E16)."""

from typing import Final

_FULL: Final = {
    "ko": (
        "메모리가 가득 찼습니다. 중요도가 낮은 이전 대화는 아카이브됩니다.\n"
        "더 많은 메모리를 원하시면 유료 플랜을 이용하세요."
    ),
    "en": (
        "Memory is full. Earlier conversations of lower importance are archived.\n"
        "For more memory, use the paid plan."
    ),
}
_FALLBACK: Final = {
    "ko": "대화를 요약하지 못해 원문의 일부를 저장했습니다.",
    "en": "The conversation could not be summed up; a part of it was kept as it is.",
}


def notice(language: str, *, is_full: bool, is_fallback: bool) -> str | None:
    """Return what to tell in "ko" or, for anything else, English; None for nothing."""
    spoken = "ko" if language == "ko" else "en"
    told = [_FALLBACK[spoken]] * is_fallback + [_FULL[spoken]] * is_full
    return "\n".join(told) or None
