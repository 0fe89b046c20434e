"""What the parts of a day or week have in common, and what stays open: pure rules."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.summaries", "patterns.toml")

MOST: Final = 20
"""Most tasks, preferences or topics of one day or week."""
LONGEST_JOINED: Final = 600
_STEM: Final = 4
"""Letters by which English words are compared."""
_SHARED: Final = 0.5
"""Share of a task's words that a sentence must hold to be about it."""
_WORD: Final = compile_lazily(r"[가-힣]+|[^\W_가-힣]+")
_SENTENCE: Final = compile_lazily(r"(?<=[.!?。\n])\s+")
_HANGUL: Final = compile_lazily(r"[가-힣]")
_STOP_WORDS: Final = _LISTS.get_words("aggregation.stop_words")  # fmt: skip
_STOP_STEMS_KO: Final = frozenset(
    word[:2] for word in _STOP_WORDS if not word.isascii()
)
_DONE_EN: Final = _LISTS.compile_list("aggregation.done_en")
_OPEN_EN: Final = _LISTS.compile_list("aggregation.open_en")
_DONE_KO: Final = _LISTS.compile_list("aggregation.done_ko")
_OPEN_KO: Final = _LISTS.compile_list("aggregation.open_ko")
_SS: Final = 20
"""Place of the final ㅆ, which marks the Korean past, among a syllable's finals."""


def merge_texts(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return what the parts list, the latest last, nothing twice."""
    seen: dict[str, str] = {}
    for text in (text for part in parts for text in part):
        seen.setdefault(_normalize_text(text), text)
    return tuple(seen.values())[-MOST:]


def rank_topics(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return topics, those of the most parts first, ties in order."""
    return tuple(islice(_count_topics(parts), MOST))


def select_repeated(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the topics of two parts or more, the most frequent first."""
    counted = _count_topics(parts)
    return tuple(islice((t for t, n in counted.items() if n > 1), MOST))


def _count_topics(parts: Iterable[Sequence[str]]) -> dict[str, int]:
    spelled: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for part in parts:
        for topic in part:
            spelled.setdefault(_normalize_text(topic), topic)
        counts.update({_normalize_text(topic) for topic in part})
    ranked = sorted(spelled, key=lambda folded: -counts[folded])
    return {spelled[folded]: counts[folded] for folded in ranked}


def select_unresolved(parts: Sequence[tuple[Sequence[str], str]]) -> tuple[str, ...]:
    """Return the tasks of which no later part says that they are done.

    A part is its tasks and its text, in order of time.
    """
    texts = [text for _, text in parts]
    return merge_texts(
        [task for task in tasks if not any(is_done(task, t) for t in texts[at + 1 :])]
        for at, (tasks, _) in enumerate(parts)
    )


def is_done(task: str, text: str) -> bool:
    """Tell whether a sentence of the text says that the task is done."""
    wanted = _extract_terms(task)
    return bool(wanted) and any(
        _is_past(sentence)
        and len(wanted & _extract_terms(sentence)) >= _SHARED * len(wanted)
        for sentence in _SENTENCE.split(text)
    )


def detect_language(texts: Iterable[str], otherwise: str) -> str:
    """Return "ko" or "en", whichever most of the texts are in."""
    korean = [bool(_HANGUL.search(text)) for text in texts]
    if 2 * sum(korean) == len(korean):
        return otherwise
    return "ko" if 2 * sum(korean) > len(korean) else "en"


def join_texts(texts: Iterable[str]) -> str:
    """Return texts one after the other, as many as there is room for."""
    whole = ""
    for text in (" ".join(text.split()) for text in texts):
        longer = f"{whole} {text}".strip()
        if len(longer) > LONGEST_JOINED:
            return whole or longer[:LONGEST_JOINED]
        whole = longer
    return whole


def _is_past(sentence: str) -> bool:
    if _HANGUL.search(sentence):
        past = _DONE_KO.search(sentence) or any(map(_is_past_syllable, sentence))
        return bool(past) and not _OPEN_KO.search(sentence)
    return bool(_DONE_EN.search(sentence)) and not _OPEN_EN.search(sentence)


def _is_past_syllable(syllable: str) -> bool:
    """Tell whether a syllable is one of the past, such as 샀; 있 and 겠 are not."""
    if not "가" <= syllable <= "힣" or syllable in "있겠":
        return False
    return (ord(syllable) - ord("가")) % 28 == _SS


def _extract_terms(text: str) -> frozenset[str]:
    """Return what the words of a text begin with, idle ones left out."""
    words = _WORD.findall(text.casefold())
    return frozenset(
        word[:2] if _HANGUL.match(word) else word[:_STEM]
        for word in words
        if len(word) > 1 and word not in _STOP_WORDS and word[:2] not in _STOP_STEMS_KO
    )


def _normalize_text(text: str) -> str:
    return " ".join(text.casefold().split())
