"""Finds the words with which people correct what they have just said.

"No wait, 4", "*Hull", "아 아니 재무팀", "finance, not accounting". What is found may
correct; whether it does depends on what was said before.
"""

from collections.abc import Iterator
from typing import Final

from gieok.models.rules.correction_parts import CorrectionText
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "corrections.toml")

LONGEST: Final = 80
"""Characters of a sentence that corrects another one."""

_PLAIN_EN: Final = _LISTS.compile_list("plain_en")
_WEAK_EN: Final = _LISTS.compile_list("weak_en")
_BARE_EN: Final = _LISTS.compile_list("bare_en")
_PLAIN_KO: Final = _LISTS.compile_list("plain_ko")
_WEAK_KO: Final = _LISTS.compile_list("weak_ko")
_BARE_KO: Final = _LISTS.compile_list("bare_ko")
_SLIPS: Final = (_LISTS.compile_list("slip_en"),)
_SIGHS: Final = (_LISTS.compile_list("sigh_en"), _LISTS.compile_list("sigh_ko"))
_EXCLAIMING: Final = _LISTS.compile_list("exclaiming")
_PLAIN: Final = (_PLAIN_EN, _PLAIN_KO)
_WEAK: Final = (_WEAK_EN, _WEAK_KO)
_BARE: Final = (_BARE_EN, _BARE_KO)
_STRENGTHS: Final = (
    ("plain", _PLAIN),
    ("weak", _WEAK),
    ("slip", _SLIPS),
    ("bare", _BARE),
    ("sigh", _SIGHS),
)
_CLOSING: Final = (_LISTS.compile_list("closing_en"), _LISTS.compile_list("closing_ko"))
_IDLE: Final = _LISTS.compile_list("idle_closing")
_SPELLING: Final = _LISTS.compile_list("spelling_en")
_LEAD: Final = _LISTS.compile_list("lead_en")
_DENYING: Final = tuple(
    _LISTS.compile_list(name)
    for name in (
        *("reported_en", "denied_first_en", "denied_last_en"),
        *("reported_ko", "denied_first_ko", "denied_last_ko"),
    )
)
_INSIDE_EN: Final = _LISTS.compile_list("inside_en")
_INSIDE_KO: Final = _LISTS.compile_list("inside_ko")
_STATED: Final = _LISTS.compile_list("stated")
_SIGNS: Final = " \t,.!:;~…-–—"
_CLAUSE: Final = compile_lazily(r"[,;–—]\s+|\s-\s")


def read_correction(sentence: str) -> Iterator[CorrectionText]:
    """Yield what a sentence may say instead of something said before.

    First as a whole, then up to its first comma. A question corrects nothing.
    """
    text = sentence.strip()
    if len(text) > LONGEST or "?" in text or "？" in text:
        return
    words, strengths, topic = _trim_opening(text)
    words, closed = _trim_closing(words)
    strengths |= closed
    if not words:
        return
    opened = words[0] != text[0] or bool(strengths - closed)
    for said, rest in _split_rest(words):
        found = _read_denied(said)
        moved = strengths <= {"sigh", "slip"} and _EXCLAIMING.search(said)
        if found is None and (not strengths or moved):
            continue
        new, denied = found or (said, "")
        stated = strengths or said != _trim_lead(said) or _STATED.search(said)
        yield CorrectionText(
            _trim_lead(new),
            denied,
            topic,
            is_plain="plain" in strengths,
            is_bare=strengths <= {"bare", "sigh"},
            is_sigh=strengths <= {"sigh"} and found is None,
            rest=rest,
            is_opened=opened or bool(denied),
            is_stated=bool(stated),
        )


def _split_rest(words: str) -> Iterator[tuple[str, str]]:
    """Yield words as a whole, then up to their first comma, each with what is left."""
    yield words, ""
    comma = _CLAUSE.search(words)
    if comma is not None:
        yield words[: comma.start()], words[comma.end() :]


def _trim_opening(text: str) -> tuple[str, set[str], str]:
    """Return what follows the words that open a correction, and how strong they are.

    The last is what they say was told wrongly, if they name it.
    """
    strengths: set[str] = set()
    topic = ""
    while text:
        for name, patterns in _STRENGTHS:
            found = next((m for p in patterns if (m := p.match(text))), None)
            if found is not None:
                strengths.add(name)
                topic = topic or found.groupdict().get("topic") or ""
                text = text[found.end() :].lstrip(_SIGNS)
                break
        else:
            break
    return text, strengths, topic


def _trim_closing(text: str) -> tuple[str, set[str]]:
    """Return a text without what may close a correction, and how strong that is."""
    strengths: set[str] = set()
    while text:
        found = next((m for p in _CLOSING if (m := p.search(text))), None)
        if found is not None and found.start():
            strengths.add("weak")
        else:
            found = _SPELLING.search(text) or _IDLE.search(text)
            if found is None:
                break
        text = text[: found.start()]
    return text.strip(_SIGNS), strengths


def _read_denied(words: str) -> tuple[str, str] | None:
    """Return what is right and what is wrong, where both are named."""
    for pattern in _DENYING:
        found = pattern.search(_LEAD.sub("", words))
        if found is not None:
            new, denied = found["new"].strip(_SIGNS), found["denied"].strip(_SIGNS)
            return (new, denied) if new and denied else None
    return None


def _trim_lead(words: str) -> str:
    """Return words without "it's" and the like before them."""
    return _LEAD.sub("", words, count=1) or words


def find_inner_corrections(sentence: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what stands before and after each word that corrects inside a sentence.

    The last says whether the word surely corrects.
    """
    pattern = _INSIDE_KO if has_hangul(sentence) else _INSIDE_EN
    for found in pattern.finditer(sentence):
        before = sentence[: found.start()]
        after, _ = _trim_closing(sentence[found.end() :])
        if before.strip() and after.strip():
            marker = found[0].strip(_SIGNS)
            plain = any(p.match(marker) for p in _PLAIN)
            yield before, after, plain
