"""Everything the pages say, in both languages: (Korean, English)."""

from typing import Final

from gieok.surfaces.health_texts import HEALTH
from gieok.surfaces.pages.texts_consent import CONSENT
from gieok.surfaces.pages.texts_console import CONSOLE
from gieok.surfaces.pages.texts_deciding import DECIDING
from gieok.surfaces.pages.texts_docs import DOCS
from gieok.surfaces.pages.texts_knowing import KNOWING
from gieok.surfaces.pages.texts_receipts import RECEIPTS

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "site": ("나에 대한 기억", "My memory"),
    "skip": ("본문으로 건너뛰기", "Skip to the content"),
    "nav": ("페이지", "Pages"),
    "page.known": ("알고 있는 것", "What is known"),
    "page.waiting": ("확인 기다림", "Waiting"),
    "page.conversations": ("대화", "Conversations"),
    "page.profile": ("프로필", "Profile"),
    "page.switches": ("설정과 동의", "Settings and consent"),
    "page.statistics": ("통계", "Statistics"),
    "page.devices": ("기기", "Devices"),
    "page.looks": ("누가 보았나", "Who looked"),
    "page.leave": ("가져가기와 지우기", "Take or erase"),
    "language.ko": ("한국어로 보기", "한국어로 보기"),
    "language.en": ("View in English", "View in English"),
    "sign_out": ("로그아웃", "Sign out"),
    "footer": (
        "이 페이지는 본인만 볼 수 있으며 열어 본 기록이 남습니다.",
        "Only you can see these pages, and looking at them is recorded.",
    ),
    "clipped": ("… 글자 {count}자가 더 있습니다", "… and {count} more characters"),
    "pager": ("쪽 이동", "Other pages of the list"),
    "pager.newer": ("더 새로운 것", "Newer"),
    "pager.older": ("더 오래된 것", "Older"),
    "open.title": ("내 기억 열기", "Open my memory"),
    "open.text": (
        (
            "이 링크는 한 번만 쓸 수 있습니다. 열면 이 브라우저에서 12시간 동안 "
            "내 기억을 볼 수 있습니다. 여럿이 쓰는 컴퓨터라면 끝나고 로그아웃하세요."
        ),
        (
            "This link works once. It lets this browser see your memory for twelve "
            "hours. On a computer that others use, sign out when you are done."
        ),
    ),
    "open.button": ("열기", "Open"),
    "signed_out.title": ("로그인되어 있지 않습니다", "You are not signed in"),
    "signed_out.text": (
        (
            "쓰고 있는 앱에서 새 링크를 받아 주세요. 링크는 10분 동안 한 번만 쓸 수 "
            "있습니다."
        ),
        "Ask the app you use for a new link. A link works once, within ten minutes.",
    ),
    "signed_out.command": (
        "직접 서버를 쓰고 있다면 다음 명령으로 만듭니다:",
        "If the server is your own, this command makes one:",
    ),
    "failure.title": ("보여 드릴 수 없습니다", "This cannot be shown"),
    "failure.home": ("알고 있는 것으로 돌아가기", "Back to what is known"),
    # what was just done
    "done.language": ("언어를 바꾸었습니다.", "The language was changed."),
    "done.remembered": ("기억했습니다.", "Remembered."),
    "done.corrected": (
        "고쳤습니다. 이전 내용은 이력에 남아 있습니다.",
        "Corrected. What stood there before is in the history.",
    ),
    "done.set_aside": (
        "더는 쓰지 않습니다. 언제든 다시 쓸 수 있습니다.",
        "No longer used. You can put it back at any time.",
    ),
    "done.in_use": ("다시 씁니다.", "In use again."),
    "done.forgotten": (
        "완전히 지웠습니다. 아래가 그 증명서입니다.",
        "Erased for good. This is the receipt.",
    ),
    "done.accepted": ("기억으로 남겼습니다.", "Kept as a memory."),
    "done.carried_out": ("말한 대로 지웠습니다.", "Forgotten as you asked."),
    "done.rejected": (
        "거절했습니다. 같은 내용을 다시 제안하지 않습니다.",
        "Refused. Exactly this is never proposed again.",
    ),
    "done.saved": ("저장했습니다.", "Saved."),
    "done.consented": (
        "결정을 기록했습니다. 언제든 바꿀 수 있습니다.",
        "Your decisions are recorded. You can change them at any time.",
    ),
    "done.signed_out_everywhere": (
        "모든 곳에서 로그아웃했습니다.",
        "Signed out everywhere.",
    ),
    **KNOWING,
    **CONSENT,
    **CONSOLE,
    **DECIDING,
    **DOCS,
    **HEALTH,
    **RECEIPTS,
}


def format_text(key: str, language: str, **details: object) -> str:
    """Return a sentence in a language; a key that is missing is an error of ours."""
    korean, english = TEXTS[key]
    return (korean if language == "ko" else english).format_map(details)


def has_text(key: str) -> bool:
    """Tell whether there is a sentence of this key."""
    return key in TEXTS
