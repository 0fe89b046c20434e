"""Writes a fact: the user's own words, cleaned, dated and attributed.

The words stay the user's: a paraphrase by rules would sooner or later say what was
never said. An answer that means nothing alone is joined to the question it answers.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from gieok.models.rules.candidates import Candidate, question_of
from gieok.models.rules.dates import resolve

LONGEST: Final = 400
ELLIPTIC: Final = 24  # characters; shorter answers lean on their question

_NOISE: Final = re.compile(
    r"[ㅋㅎㅠㅜㄷㄱ]{2,}|[ㅠㅜ]|\b(?:lol|lmao|haha+h?|hehe+)\b|[~^]+|\.{2,}|…|[!?]{2,}",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^(?:(?:아 ?맞다|응|ㅇㅇ|네|넵|넹|예|아|어|음|그래|근데|"
    r"그리고|글구|그럼|맞아|오|와|야|"
    r"yes|yeah|yep|oh|well|and|but|so|also|ok|okay|"
    r"right|um|uh|hmm|haha)(?=[\s,.!~])[\s,.!~]*)+",
    re.IGNORECASE,
)
_KOREAN: Final = re.compile(r"[가-힣]")


def _symbols(text: str) -> str:
    """Drop emoji and other pictures."""
    return "".join(" " if ord(c) >= 0x2190 and not c.isalnum() else c for c in text)  # noqa: PLR2004  (arrows and everything pictorial after them)


def clean(text: str) -> str:
    """Return the words without laughter, pictures and interjections."""
    plain = " ".join(_NOISE.sub(" ", _symbols(text)).split())
    return _OPENING.sub("", plain).strip(" ,;-—") or plain


def word(group: Sequence[Candidate], today: date) -> str:
    """Return the fact's text in the third person ("사용자: …", "User: …")."""
    raw = " ".join(candidate.clause.text for candidate in group)
    said = resolve(clean(raw), today)
    who = "사용자" if _KOREAN.search(said) else "User"
    question = question_of(group[0].turn.asked)
    if question and len(raw) <= ELLIPTIC:
        return f"{who}: ({clean(question)}) {said}"[:LONGEST]
    return f"{who}: {said}"[:LONGEST]
