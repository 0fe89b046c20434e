"""What a wish to forget leaves out: "everything but my allergy", "햄스터는 놔두고".

Read with the rest, what is to stay is the thing that the wish names best, and just that
would be erased. So it is taken out of what is read, and no known item that speaks of it
is forgotten.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation, Role
from gieok.models.rules.lexicon import find_wish
from gieok.models.rules.wishes.subjects import (
    WishSubject,
    has_same_subject,
    read_subject,
)
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.sentences import SENTENCE_END

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")

LONGEST_WISH: Final = 500
"""Characters of a message in which what a wish leaves out is looked for."""
_EXCEPTIONS: Final = _LISTS.compile_list("wishes.exceptions")
_KEPT: Final = _LISTS.compile_list("wishes.kept")
_PARTS: Final = compile_lazily(
    r"([.,;!?\n]+\s*|\s+(?:but|and)\s+|(?<=데)\s+|(?<=고)\s+)"
)
_NOTHING_MORE: Final = compile_lazily(
    r"(?:요|여|욤|용)?[\s~,^ㅋㅎㅠㅜ]*(?:부탁[가-힣]*|제발|플리즈)?[\s~,^ㅋㅎㅠㅜ]*$"
)
_SPACES: Final = compile_lazily(r"[^\S\n]+")
_STATED: Final = compile_lazily(
    r"\bi(?:['’]m|['’]ve| am| have| had| was| like| live| love| hate| eat| work)\b"
)


class ExceptedTalk(NamedTuple):
    """A conversation without what its wishes leave out, and what that names."""

    conversation: Conversation
    kept: tuple[WishSubject, ...]


def remove_exceptions(
    conversation: Conversation, morphology: Morphology
) -> ExceptedTalk:
    """Return a conversation whose wishes to forget say only what is to go."""
    kept: list[WishSubject] = []
    messages = list(conversation.messages)
    for place, message in enumerate(messages):
        if message.role is not Role.USER:
            continue
        rest, phrases = split_exceptions(message.content)
        subjects = [read_subject(phrase, morphology) for phrase in phrases]
        named = [each for each in subjects if not each.is_empty]
        if named:
            messages[place] = replace(message, content=rest)
            kept += named
    if not kept:
        return ExceptedTalk(conversation, ())
    return ExceptedTalk(replace(conversation, messages=tuple(messages)), tuple(kept))


def split_exceptions(text: str) -> tuple[str, list[str]]:
    """Return a wish to forget without what it leaves out, and that by itself.

    Any other text comes back as it is, and so does a long one: who tells something in
    so many words is not only wishing.
    """
    if len(text) > LONGEST_WISH or find_wish(text) is None:
        return text, []
    spaced = _SPACES.sub(" ", text)
    for read in (_split_excepted, _split_spared):
        rest, kept = read(spaced)
        if kept:
            return rest, kept
    return text, []


def _split_excepted(text: str) -> tuple[str, list[str]]:
    """'Everything but my allergy', '알레르기 빼고 다'."""
    found = _EXCEPTIONS.search(text)
    if found is None or _STATED.search(text[: found.start()].lower()):
        return text, []
    start = found.start()
    if (wished := find_wish(text[start : found.end()])) is not None:
        start = text.find(" ", start + wished.end(), found.end()) + 1
    if not start and found.start():
        return text, []
    kept = _EXCEPTIONS.search(text, start)
    if kept is None or not _is_of_wish(text, kept):
        return text, []
    rest = f"{text[: kept.start()]} {text[kept.end() :]}"
    return " ".join(rest.split()), [_get_spared(kept)]


def _is_of_wish(text: str, kept: re.Match[str]) -> bool:
    """Tell whether a wish leaves out what is kept.

    A Korean wish stands behind it in the same sentence, or all of it before: "다 잊어줘
    알레르기만 빼고", "다 잊어줘. 알레르기만 빼고요 ㅋㅋ".
    """
    if not has_hangul(kept[0]):
        return True
    behind = SENTENCE_END.split(text[kept.end() :], maxsplit=1)[0]
    *earlier, before = [
        each for each in SENTENCE_END.split(text[: kept.end()]) if each.strip()
    ]
    if earlier and before.strip() == kept[0].strip():
        before = earlier[-1]
    is_last = _NOTHING_MORE.match(behind) and find_wish(before) is not None
    return is_last or find_wish(behind) is not None


def _split_spared(text: str) -> tuple[str, list[str]]:
    """'Keep the hamster, forget the job', '햄스터는 괜찮은데 이직 얘기는 지워'."""
    parts = _PARTS.split(text)
    if len(parts) == 1:
        return text, []
    kept: list[str] = []
    rest: list[str] = []
    for said, mark in zip(parts[::2], [*parts[1::2], ""], strict=True):
        asked = "?" in mark or find_wish(said)
        found = None if asked else _KEPT.search(said.strip())
        if found is None:
            rest.append(said + mark)
        else:
            kept.append(_get_spared(found))
    return "".join(rest).strip(), kept


def _get_spared(found: re.Match[str]) -> str:
    """Return what stays: the one group that was found."""
    return next(group for group in found.groups() if group).strip()


def keep_excepted(
    findings: Sequence[Finding],
    conversation: Conversation,
    kept: Sequence[WishSubject],
    morphology: Morphology,
) -> tuple[Finding, ...]:
    """Return findings without the wishes that would take what is to stay."""
    spared = {
        item.id
        for item in conversation.known
        for subject in (read_subject(item.content, morphology),)
        if any(has_same_subject(each, subject) for each in kept)
    }
    return tuple(each for each in findings if not _is_wish_about(each, spared))


def _is_wish_about(finding: Finding, items: Collection[str]) -> bool:
    wished = finding.basis is Basis.REQUESTED
    deletes = finding.operation is FindingOperation.DELETE
    return wished and deletes and finding.target in items
