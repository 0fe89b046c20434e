"""Puts what is right in the place of what was wrong, in a Korean sentence.

"우리 마케팅팀이야" and "아 아니 재무팀" are "우리 재무팀이야". A counted thing stands
for one that is counted alike, a day for a day, a relative for a relative, and a noun
for a noun; what has a particle for what has the same. Particles and endings follow the
sound of the new noun.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum, auto
from itertools import product
from typing import Final, NamedTuple
from unicodedata import normalize

from gieok.models.rules.correction_parts import (
    ADDED,
    PartChange,
    SentenceCorrection,
    apply_changes,
    is_apart,
)
from gieok.models.rules.korean.endings import has_final
from gieok.models.rules.korean.subjects import CIRCUMSTANCES, ME
from gieok.models.rules.korean.vocabulary import KIN
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "corrections.toml")

MAX_OPTIONS: Final = 8
ALIKE: Final = 0.7
"""How alike the letters of two words are of which one is the other misspelt."""

_IDLE: Final = _LISTS.get_words("idle_ko")
_PARTS_OF_DAY: Final = _LISTS.get_words("parts_of_day_ko")
_OPENED: Final = _LISTS.get_spellings("endings_ko")
_CLOSED: Final = {opened: closed for closed, opened in _OPENED.items()}
_STEADY: Final = _LISTS.get_words("steady_ko")
_NOUNS: Final = ("NNG", "NNP", "XSN", "XPN", "SL", "SH", "XR")
_COUNTED: Final = ("SN", "NR")
_NUMERAL: Final = ("SN", "NR", "MM")
_COPULA: Final = ("VCP",)
_ENDINGS: Final = ("EF", "EC", "EP", "ETN")
_SIGNS: Final = ("SF", "SP", "SE", "SS", "SO", "SW")
_PAST: Final = ("었", "았", "였")
_PREDICATES: Final = ("VV", "VA", "XSV", "XSA")
_PLACED: Final = ("JKB",)
_RIEUL: Final = 8  # of the 28 finals of a syllable


class NounKind(Enum):
    """What kind of thing a Korean noun names."""

    NUMBER = auto()
    DAY = auto()
    PART_OF_DAY = auto()
    PERSON = auto()
    NOUN = auto()


class _Noun(NamedTuple):
    """A noun as it is written in one word, or a number with what it counts."""

    start: int
    end: int
    text: str
    kind: NounKind
    counter: str
    head: str
    """Its last morpheme."""
    particle: str
    tag: str
    """Of the particle; VCP where "to be" follows."""
    after: int
    """Where its particle ends."""
    is_proper: bool


def list_korean_corrections(
    sentence: str, said: str, denied: str, morphology: Morphology
) -> list[SentenceCorrection]:
    """Return what a sentence may become by what is right, the likeliest first."""
    if ADDED.search(said):
        return []
    former = list_nouns(sentence, morphology.analyze(sentence))
    new = read_new_nouns(said, morphology)
    if denied:
        return [*_replace_denied(sentence, former, new or [], denied, morphology)]
    if new is None:
        new = _read_same_frame(sentence, former, said, morphology)
    return _replace_nouns(sentence, former, new) if new else []


def correct_inside_korean(
    before: str, after: str, morphology: Morphology
) -> SentenceCorrection | None:
    """Return a sentence that goes on with what is right, without what was wrong.

    "동생이 부산," and "대구에 살아" are "동생이 대구에 살아".
    """
    nouns, morphemes = (
        list_nouns(after, morphology.analyze(after)),
        morphology.analyze(before),
    )
    wrong = list_nouns(before, morphemes)
    end = len(before.rstrip(" ,.…"))
    if not nouns or not wrong or nouns[0].start or wrong[-1].after != end:
        return None
    old, new = wrong[-1], nouns[0]
    if old.particle and new.particle and old.particle != new.particle:
        return None
    if not _is_match(old, new) or old.text == new.text:
        return None
    return SentenceCorrection(
        before[: old.start] + after,
        old.text,
        new.text,
        _is_typed(old, new),
        old.kind is NounKind.PERSON,
        end,
    )


def list_nouns(text: str, morphemes: Sequence[Morph]) -> list[_Noun]:
    """Return the nouns of a text, each as it is written in one word."""
    found: list[_Noun] = []
    place = 0
    while place < len(morphemes):
        last = _find_last(morphemes, place)
        if last is None:
            place += 1
            continue
        if morphemes[last].form not in ME:
            found.append(_build_noun(text, morphemes, place, last))
        place = last + 1
    return found


def _find_last(morphemes: Sequence[Morph], place: int) -> int | None:
    """Return the last morpheme of the noun that begins at a place, if one does."""
    one = morphemes[place]
    after = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if one.tag in _NUMERAL and after is not None:
        joined = after.tag == "NNG" and after.start == one.end
        if joined or after.tag == "NNB":
            return place + 1
    if one.tag in _COUNTED:
        return place
    if one.tag not in _NOUNS:
        return None
    while (
        place + 1 < len(morphemes)
        and morphemes[place + 1].tag in _NOUNS
        and morphemes[place + 1].start == morphemes[place].end
    ):
        place += 1
    verbal = place + 1 < len(morphemes) and morphemes[place + 1].tag in ("XSV", "XSA")
    return None if verbal else place


def _build_noun(text: str, morphemes: Sequence[Morph], first: int, last: int) -> _Noun:
    start, end = morphemes[first].start, morphemes[last].end
    after = last + 1
    while (
        after < len(morphemes)
        and morphemes[after].tag[0] == "J"
        and morphemes[after].start <= morphemes[after - 1].end
        and not (
            morphemes[after].tag == "JX" and morphemes[after].form in ("요", "이요")
        )
    ):
        after += 1
    particles = morphemes[last + 1 : after]
    following = morphemes[after] if after < len(morphemes) else None
    is_copula = not particles and following is not None and following.tag in _COPULA
    tag = "VCP" if is_copula else "".join(p.tag for p in particles[-1:])
    stop = max([end, *(p.end for p in particles)])
    return _Noun(
        start,
        end,
        text[start:end],
        _classify_noun(text[start:end], morphemes, first, last),
        morphemes[last].form
        if morphemes[first].tag in _NUMERAL and last > first
        else "",
        morphemes[last].form,
        text[end:stop],
        tag,
        stop,
        any(m.tag in ("NNP", "SL") for m in morphemes[first : last + 1]),
    )


def _classify_noun(
    written: str, morphemes: Sequence[Morph], first: int, last: int
) -> NounKind:
    if morphemes[first].tag in _NUMERAL:
        return NounKind.NUMBER
    if written.endswith("요일"):
        return NounKind.DAY
    if written in _PARTS_OF_DAY:
        return NounKind.PART_OF_DAY
    named = written in KIN or morphemes[last].form in KIN_KO
    return NounKind.PERSON if named else NounKind.NOUN


def read_new_nouns(said: str, morphology: Morphology) -> list[_Noun] | None:
    """Return what is right as the nouns it names; None if it says anything else."""
    morphemes = morphology.analyze(said)
    nouns = list_nouns(said, morphemes)
    if not nouns:
        return _read_unknown(said, morphemes)
    last = nouns[-1]
    for one in morphemes:
        inside = any(n.start <= one.start < n.after for n in nouns)
        mine = one.form in ME or (one.tag == "JX" and one.start < nouns[0].start)
        closing = one.start >= last.end and (
            one.tag in (*_COPULA, *_ENDINGS, *_SIGNS)
            or one.form in ("요", "이요")
            or (one.form == "야" and one.tag == "JKV")
        )
        if not (inside or mine or closing):
            return _read_unknown(said, morphemes)
    return nouns


def _read_unknown(said: str, morphemes: Sequence[Morph]) -> list[_Noun] | None:
    """Return one short word that Kiwi takes apart otherwise ("자두") as a noun."""
    word = said.strip(" .,!~")
    whole = all(m.tag in ("IC", "MM", "NP", "NNB") for m in morphemes)
    if not whole or " " in word or len(word) != 2 or not word.isalpha():  # noqa: PLR2004
        return None
    start = said.index(word)
    end = start + len(word)
    return [
        _Noun(start, end, word, NounKind.NOUN, "", word, "", "", end, is_proper=False)
    ]


def _read_same_frame(
    sentence: str, former: Sequence[_Noun], said: str, morphology: Morphology
) -> list[_Noun]:
    """Return of a clause the nouns that another with the same verb has not.

    "대구에서 태어났어요" says "대구에서" otherwise than "저는 대전에서 태어났어요".
    Where somebody once lived is not where they live.
    """
    own, other = morphology.analyze(said), morphology.analyze(sentence)
    verb, verb_before = _find_predicate(own), _find_predicate(other)
    if verb is None or verb_before is None or verb.form != verb_before.form:
        return []
    if _is_past(own, verb) != _is_past(other, verb_before):
        return []
    if any(
        m.tag in ("MAG", "MAJ", "IC", "EC", "ETM") for m in own if m.start < verb.start
    ):
        return []
    if any(m.form in ("안", "못", "않") for m in (*own, *other)):
        return []
    known = {noun.text for noun in former}
    nouns = list_nouns(said, own)
    new = [noun for noun in nouns if noun.text not in known]
    about = [n for n in new if n.tag in ("JKS", "JX") or n.kind is NounKind.PERSON]
    return new if len(new) == 1 or not about else []


def _is_past(morphemes: Sequence[Morph], verb: Morph) -> bool:
    """Tell whether a clause says of its verb that it was: "살았어"."""
    return any(m.form in _PAST for m in morphemes if m.start >= verb.start)


def _find_predicate(morphemes: Sequence[Morph]) -> Morph | None:
    return next((m for m in reversed(morphemes) if m.tag in _PREDICATES), None)


def _replace_denied(
    sentence: str,
    former: Sequence[_Noun],
    new: Sequence[_Noun],
    denied: str,
    morphology: Morphology,
) -> Iterator[SentenceCorrection]:
    """Yield a sentence without what is said to be wrong, which it holds."""
    wrong = {noun.text for noun in list_nouns(denied, morphology.analyze(denied))}
    wrong = wrong or {denied}
    read = [old for old in reversed(former) if old.text in wrong]
    for old in read or [n for text in wrong for n in _find_written(sentence, text)]:
        if len(new) != 1 or old.kind is not new[0].kind:
            continue
        change = _build_change(sentence, old, new[0])
        if change is not None:
            yield apply_changes(sentence, [change._replace(is_typed=True)])


def _find_written(sentence: str, word: str) -> Iterator[_Noun]:
    """Yield a noun that Kiwi reads as another: "약사이다" may be read with a cider."""
    start = f" {sentence}".rfind(f" {word}")
    if start < 0:
        return
    end = start + len(word)
    written = sentence[end:].split(" ", 1)[0].rstrip(".,!~")
    if not written or select_ending(word, written) is not None:
        yield _Noun(
            start, end, word, NounKind.NOUN, "", word, "", "", end, is_proper=False
        )


def _replace_nouns(
    sentence: str, former: Sequence[_Noun], new: Sequence[_Noun]
) -> list[SentenceCorrection]:
    """Return a sentence with each noun in the place of one of its kind."""
    options: list[list[PartChange]] = []
    for right in new:
        if len(new) > 1 and any(right.text == old.text for old in former):
            continue
        found = [old for old in reversed(former) if _is_match(old, right)]
        found.sort(key=lambda old: old.tag in ("JKS", "JX"))
        if right.kind in (NounKind.NUMBER, NounKind.DAY, NounKind.PART_OF_DAY):
            found = found[:1]
        changes = (_build_change(sentence, old, right) for old in found)
        options.append([change for change in changes if change is not None])
    if not options or not all(options):
        return []
    chosen = [each for each in product(*options) if is_apart(each)][:MAX_OPTIONS]
    told = [apply_changes(sentence, each) for each in chosen]
    if len(options) > 1:
        told = [one for one in told if one.is_typed]
    return [one for one in told if one.old != one.new]


def _is_match(old: _Noun, new: _Noun) -> bool:
    """Tell whether one noun may stand in the place of another."""
    if old.kind is not new.kind or old.counter != new.counter:
        return old.kind is new.kind is NounKind.NUMBER and not new.counter
    idle = CIRCUMSTANCES | _IDLE
    if old.kind is NounKind.NOUN and not idle.isdisjoint((old.text, new.text)):
        return False
    placed = new.tag in (*_PLACED, "JKO")
    return not placed or old.particle in ("", new.particle)


def _build_change(sentence: str, old: _Noun, new: _Noun) -> PartChange | None:
    """Return the change that puts a noun in the place of another, if it can be made."""
    text, end = new.text, old.end
    written = sentence[end:].split(" ", 1)[0].rstrip(".,!~")
    if old.kind is NounKind.NUMBER and old.counter and not new.counter:
        end -= len(old.counter)
        text += " " if sentence[end - 1 : end] == " " else ""
    elif new.tag == "JKB" and not old.particle and sentence[end : end + 1] in (" ", ""):
        text += new.particle
    elif written:
        ending = select_ending(new.text, written)
        if ending is None:
            return None
        text, end = text + ending, end + len(written)
    is_named = old.kind is NounKind.PERSON or (old.is_proper and new.is_proper)
    typed = _is_typed(old, new)
    return PartChange(old.start, end, text, old.text, new.text, typed, is_named)


def select_ending(noun: str, written: str) -> str | None:
    """Return what follows a noun in its word as the sound of the noun wants it."""
    if written in _STEADY:
        return written
    closed = written if written in _OPENED else _CLOSED.get(written)
    if closed is None:
        return None
    ends = has_final(noun)
    if closed == "으로" and "가" <= noun[-1] <= "힣":
        ends = ends and (ord(noun[-1]) - ord("가")) % 28 != _RIEUL
    return closed if ends else _OPENED[closed]


def _is_typed(old: _Noun, new: _Noun) -> bool:
    """Tell whether it is plain that one stands for the other."""
    if old.kind is not NounKind.NOUN:
        return True
    same = new.tag in (*_PLACED, "JKO") and old.particle == new.particle
    parts = old.head == new.head and old.head not in (old.text, new.text)
    letters, right = normalize("NFD", old.text), normalize("NFD", new.text)
    alike = SequenceMatcher(None, letters, right).ratio() >= ALIKE
    return same or parts or alike or (old.is_proper and new.is_proper)
