"""What a clause names as given up, taken off, done with or healed of."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.stated_ends import has_own_subject
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.models.rules.korean.coordination import NAMES
from gieok.models.rules.korean.subjects import CIRCUMSTANCES
from gieok.models.rules.nouns import extract_nouns
from gieok.models.rules.questions import extract_question
from gieok.text.english import STOPWORDS
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.time_expressions import is_time

_LISTS: Final = PatternFile("gieok.models.rules.changes", "ended_activities.toml")

_OPENING: Final = _LISTS.compile_list("ended_activities.opening_en")
_TAIL: Final = _LISTS.compile_list("ended_activities.tail_en")
_ANY_MORE: Final = _LISTS.compile_list("ended_activities.any_more_en")
_DENIED: Final = _LISTS.compile_list("ended_activities.denied_en")
_NOT_EN: Final = _LISTS.compile_list("ended_activities.not_en")
_NOT_KO: Final = _LISTS.compile_list("ended_activities.not_ko")
_HEALED_ALONE: Final = _LISTS.compile_list("ended_activities.healed_alone_en")
_PART: Final = compile_lazily(r"[,.;:!?()]+\s*|\s+(?:and|but|so)\s+")
_SENTENCE_END: Final = compile_lazily(r"[.!?\n]")
_WORD: Final = compile_lazily(r"[a-z]+(?:[-'][a-z]+)*")
_SKIPPED: Final = ("JKO", "JX", "JKS", "JKB", "MAG", "IC")


class EndingKind(Enum):
    """How something came to its end."""

    GIVEN_UP = auto()
    TAKEN_OFF = auto()
    FINISHED = auto()
    HEALED = auto()


class NamedEnding(NamedTuple):
    """Something of the user's that is over."""

    words: tuple[str, ...]
    """Its name, in lower case; the last word is what it is."""
    kind: EndingKind


_KINDS_EN: Final = (
    ("off_en", EndingKind.TAKEN_OFF),
    ("given_up_en", EndingKind.GIVEN_UP),
    ("packed_in_en", EndingKind.GIVEN_UP),
    ("stopped_doing_en", EndingKind.GIVEN_UP),
    ("stopped_en", EndingKind.GIVEN_UP),
    ("finished_en", EndingKind.FINISHED),
    ("over_en", EndingKind.FINISHED),
    ("healed_en", EndingKind.HEALED),
)
_KINDS_KO: Final = (
    ("given_up_ko", EndingKind.GIVEN_UP),
    ("cut_out_ko", EndingKind.TAKEN_OFF),
    ("finished_ko", EndingKind.FINISHED),
    ("healed_ko", EndingKind.HEALED),
)
_STATED_EN: Final = tuple(
    (_LISTS.compile_list(f"ended_activities.{name}"), kind) for name, kind in _KINDS_EN
)
_STATED_KO: Final = tuple(
    (_LISTS.compile_list(f"ended_activities.{name}"), kind) for name, kind in _KINDS_KO
)


def find_named_endings(candidate: ClauseCandidate) -> list[NamedEnding]:
    """Return what a clause says of the user to be over for good."""
    if candidate.has_flag(*NOT_ASSERTED, "kin", "acquaintance"):
        return []
    if is_english(candidate.clause.text):
        return list(_read_english(candidate))
    return list(_read_korean(candidate))


def _read_english(candidate: ClauseCandidate) -> Iterator[NamedEnding]:
    """Yield what each part of an English clause says to be over."""
    text = candidate.clause.text.lower().replace("’", "'")
    if _NOT_EN.search(text):
        return
    for part in _PART.split(text):
        bare = _OPENING.sub("", f"{part.strip()} ").strip()
        is_own = len(bare) < len(part.strip()) or " me " in bare
        if candidate.flags["opens_with_others"] and not is_own:
            continue
        core = _TAIL.sub("", bare)
        denied = _ANY_MORE.sub("", core)
        if _DENIED.search(core) and denied == core:
            continue
        if _HEALED_ALONE.search(core) or _HEALED_ALONE.search(bare):
            yield from _read_question(candidate)
            continue
        for pattern, kind in _STATED_EN:
            found = pattern.search(denied) or pattern.search(bare)
            if found is not None:
                words = _WORD.findall(found["what"])
                yield NamedEnding(
                    tuple(word for word in words if word not in STOPWORDS), kind
                )


def _read_question(candidate: ClauseCandidate) -> Iterator[NamedEnding]:
    """Yield what the assistant asked about, of which a clause says it is healed."""
    question = extract_question(candidate.turn.asked)
    nouns = extract_nouns(question, get_shared_morphology().analyze(question))
    for noun, _ in nouns:
        yield NamedEnding((noun.lower(),), EndingKind.HEALED)


def _read_korean(candidate: ClauseCandidate) -> Iterator[NamedEnding]:
    """Yield what a Korean clause says to be over."""
    clause = candidate.clause
    if _NOT_KO.search(clause.text) or _NOT_KO.search(_find_joined_rest(candidate)):
        return
    for pattern, kind in _STATED_KO:
        found = pattern.search(clause.text)
        if found is None:
            continue
        before = [one for one in clause.morphemes if one.end <= found.start()]
        words = _read_last_noun(before)
        if words and has_own_subject(candidate, words):
            yield NamedEnding(words, kind)
        elif not words and kind is EndingKind.HEALED:
            yield from _read_question(candidate)


def _find_joined_rest(candidate: ClauseCandidate) -> str:
    """Return what a sentence goes on with behind "요가 그만두고"."""
    said = candidate.clause.text
    if not said.endswith("고"):
        return ""
    _, _, rest = candidate.turn.text.partition(said)
    return _SENTENCE_END.split(rest, maxsplit=1)[0]


def _read_last_noun(before: Sequence[Morph]) -> tuple[str, ...]:
    """Return the name that stands last, of at most two words; nothing without one."""
    rest = list(before)
    while rest and (rest[-1].tag in _SKIPPED or _is_circumstance(rest[-1])):
        rest.pop()
    found: list[str] = []
    while rest and rest[-1].tag in NAMES and not _is_circumstance(rest[-1]):
        one = rest.pop()
        word, start = one.form, one.start
        while rest and rest[-1].tag in NAMES and rest[-1].end == start:
            one = rest.pop()
            word, start = one.form + word, one.start
        found.insert(0, word.lower())
        if len(found) == 2:  # noqa: PLR2004 - "영어 학원"
            break
    return tuple(found)


def _is_circumstance(one: Morph) -> bool:
    """Tell whether a morpheme only says when."""
    return one.tag in ("NNG", "NNB", "NP", "SN") and (
        one.form in CIRCUMSTANCES or one.tag == "NP" or is_time(one.form)
    )
