"""Finds keys and tokens of programs, by the shapes their vendors give them."""

from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

_START: Final = r"(?<![A-Za-z0-9])"
_PEM: Final = (
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?!-----)[\s\S]){0,10000}"
    r"(?:-----END[A-Z ]{0,30}-----)?"
)
_SECRETS: Final = tuple(
    compile_lazily(_START + form)
    for form in (
        r"sk-[A-Za-z0-9_\-]{16,200}",
        r"[srp]k_(?:live|test)_[A-Za-z0-9]{10,200}",
        r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])",
        r"gh[pousr]_[A-Za-z0-9]{20,255}",
        r"github_pat_[A-Za-z0-9_]{20,255}",
        r"glpat-[A-Za-z0-9_\-]{16,64}",
        r"xox[abeoprs]-[A-Za-z0-9\-]{10,255}",
        r"hf_[A-Za-z0-9]{20,64}",
        r"npm_[A-Za-z0-9]{30,64}",
        r"AIza[0-9A-Za-z_\-]{35}",
        r"eyJ[A-Za-z0-9_\-]{8,2000}\.[A-Za-z0-9_\-]{8,4000}\.[A-Za-z0-9_\-]{0,1000}",
        _PEM,
        (
            r"(?i:(?:api[ _\-]?key|access[ _\-]?key|secret[ _\-]?key"
            r"|client[ _\-]?secret|access[ _\-]?token|auth[ _\-]?token|bearer"
            r"|api\s?키|시크릿\s?키|토큰)[\"']?\s?(?:is|는|은|[:=])?"
            r"|(?:secret|token|credentials?|(?:private|signing|encryption)[ _\-]?key)"
            r"[\"']?\s?(?:is|는|은|[:=]))"
            r"\s{0,2}[\"']?(?=[!-~]{0,63}\d)[A-Za-z0-9_\-./+=]{12,512}"
        ),
        r"(?<=-u )[^\s:]{1,64}:[^\s:]{3,64}",
        r"(?<=://)[^\s:/@]{0,64}:[^\s:/@]{3,64}(?=@)",
    )
)
WORDS: Final = (
    "sk-*, sk_live*, sk_test*, rk_live*, rk_test*, pk_live*, pk_test*, akia*, asia*,"
    "ghp_*, gho_*, ghu_*, ghs_*, ghr_*, github_pat*, glpat-*, xox*, hf_*, npm_*, aiza*,"
    "eyj*, -----begin*, ://*, api_key, access_key, secret*, access_token, auth_token,"
    "bearer, curl, token*, credential*, private_key, signing_key, encryption_key,"
    "api키, api 키, 시크릿, 토큰"
)
"""Only with one of these can there be a key."""
_HINT: Final = build_vocabulary(WORDS)


def find_secrets(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every key, token and credential."""
    if _HINT.search(said.low):
        for form in _SECRETS:
            for match in form.finditer(said.text):
                yield PiiFinding(*match.span(), PiiKind.SECRET, 0.95)
