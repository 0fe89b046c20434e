"""What a person agrees to or not, versioned by `consent.NOTICE`: (Korean, English)."""

from typing import Final

CONSENT: Final[dict[str, tuple[str, str]]] = {
    "welcome.title": ("먼저 정해 주세요", "First, your decision"),
    "welcome.text": (
        (
            "이 서비스는 대화에서 알게 된 것을 기억할 수 있습니다. 무엇을 해도 되는지 "
            "하나씩 정해 주세요. 언제든 바꿀 수 있습니다."
        ),
        (
            "This service can remember what it learns from your conversations. Say for "
            "each thing whether it may. You can change your mind at any time."
        ),
    ),
    "welcome.refuse": (
        "모두 거절해도 됩니다. 그러면 아무것도 보관하지 않고 이야기만 나눕니다.",
        "You may refuse all of it. Then nothing is kept, and you just talk.",
    ),
    "consent.title": ("동의", "Consent"),
    "consent.intro": (
        "결정마다 언제 했는지 남습니다. 거절하면 바로 적용됩니다.",
        "Each decision is recorded with its time. A refusal holds at once.",
    ),
    "consent.yes": ("동의합니다", "I agree"),
    "consent.refuse": ("거절합니다", "I refuse"),
    "consent.button": ("결정 저장", "Save my decisions"),
    "consent.decided": ("결정 {version}번째,", "Decision {version},"),
    "consent.notice": ("안내문 버전", "Version of this text:"),
    "consent.storage": ("대화 보관", "Keep what I say"),
    "consent.storage.why": (
        "나눈 말을 암호화해서 보관합니다.",
        "What is said is kept, encrypted.",
    ),
    "consent.storage.no": (
        "거절하면 지금까지 보관한 모든 것을 지웁니다.",
        "If you refuse, everything kept so far is erased.",
    ),
    "consent.profile": ("대화에서 배우기", "Learn from it"),
    "consent.profile.why": (
        "기억과 요약을 만들어 다음 대화에 씁니다.",
        "Memories and summaries are made and used in later conversations.",
    ),
    "consent.profile.no": (
        "거절하면 기억과 요약을 모두 지웁니다.",
        "If you refuse, all memories and summaries are erased.",
    ),
    "consent.sensitive": ("민감한 것도 배우기", "Learn sensitive things too"),
    "consent.sensitive.why": (
        "건강, 종교, 정치처럼 민감한 것도 기억합니다.",
        "Health, religion, politics and the like may be remembered.",
    ),
    "consent.sensitive.no": (
        "거절하면 그런 기억을 지웁니다.",
        "If you refuse, such memories are erased.",
    ),
    "consent.sync": ("내 기기에도 두기", "Keep it on my devices"),
    "consent.sync.why": (
        "내 기기에서 네트워크 없이도 쓸 수 있게 사본을 둡니다.",
        "Your devices hold a copy that works without a network.",
    ),
    "consent.sync.no": (
        "거절하면 기기의 사본을 다음 연결 때 지웁니다.",
        "If you refuse, the copies are erased when the devices connect next.",
    ),
    "consent.words": ("한 말을 더 오래 두기", "Keep my words for longer"),
    "consent.words.why": (
        "한 말을 그대로, 설정에서 정한 날수만큼 둡니다.",
        "Your words are kept as you said them, for the days set in the settings.",
    ),
    "consent.words.no": (
        "거절하면 보통 기간이 지난 말을 지웁니다.",
        "If you refuse, words older than usual are erased.",
    ),
}
"""Changing what is said here needs another version, so that people are asked anew."""
