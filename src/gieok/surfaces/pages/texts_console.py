"""Texts of the operators' pages: (Korean, English)."""

from typing import Final

CONSOLE: Final[dict[str, tuple[str, str]]] = {
    "console.site": ("기억 운영", "gieok console"),
    "console.health": ("상태", "Health"),
    "console.queue": ("작업", "Queue"),
    "console.traffic": ("요청", "Traffic"),
    "console.keys": ("키", "Keys"),
    "console.people": ("사용자", "Person"),
    "console.sync": ("동기화", "Sync"),
    "console.seals": ("감사 봉인", "Audit seals"),
    "console.home": ("상태로 돌아가기", "Back to health"),
    "console.footer": (
        "운영자를 위한 페이지입니다. 사용자가 말한 내용은 나오지 않습니다.",
        "These pages are for operators. Nothing that people said is on them.",
    ),
    "console.signed_in": ("로그인한 키:", "Signed in with the key"),
    "console.signed_in.link": (
        "이 서버에서 만든 링크로 로그인했습니다.",
        "Signed in by a link made on the machine.",
    ),
    "console.everywhere": ("모든 운영자 로그아웃", "Sign every operator out"),
    "console.signed_out": ("운영자 로그인", "Sign in to operate"),
    "console.key": ("admin 권한이 있는 키", "A key with the right admin"),
    "console.key.note": (
        "키는 저장되지 않고 주소에도 남지 않습니다. 키를 만드는 명령:",
        "It is not kept, and stands in no address. This command makes one:",
    ),
    "console.sign_in": ("로그인", "Sign in"),
    "console.open": ("운영 페이지 열기", "Open the console"),
    "console.open.text": (
        (
            "이 링크는 한 번만 쓸 수 있습니다. 열면 이 브라우저에서 12시간 동안 "
            "서버를 운영할 수 있습니다."
        ),
        "This link works once. It lets this browser operate for twelve hours.",
    ),
    "version.gieok": ("gieok", "gieok"),
    "version.python": ("Python", "Python"),
    "version.embedder": ("임베딩 모델", "Embedder"),
    "version.model": ("추출 모델", "Model for extraction"),
}
