"""Tells whether a Korean sentence can stand by itself as a memory of somebody.

A memory is read a year later by somebody who knows nothing of the talk: it ends in the
plain declarative, names whom and what it is about, and leaves nothing of speech behind.
Kiwi reads the finished sentence once more; what it cannot read is no Korean to rely on.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.edits import USER
from gieok.models.rules.korean.endings import find_main_verb, find_predicate
from gieok.models.rules.korean.phrases import list_noun_phrases
from gieok.models.rules.korean.readings import correct_readings
from gieok.models.rules.korean.valency import (
    FinishedSentence,
    has_bare_noun,
    has_unnamed_reason,
    has_wrong_subject,
    is_without_object,
    is_without_subject,
)
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "soundness.toml")

_SPEAKERS: Final = _LISTS.get_words("speakers")
_POINTERS: Final = _LISTS.get_words("pointers")
_POINTING: Final = _LISTS.get_words("pointing")
_LEANING: Final = _LISTS.get_words("leaning")
_RUN_ON: Final = _LISTS.get_words("run_on")
_EXCEPTED: Final = _LISTS.compile_list("excepted")
_OPERATED: Final = _LISTS.get_words("operated")
_MOMENTARY: Final = _LISTS.get_words("momentary")
_JOINING: Final = _LISTS.get_words("joining")
_MEANT: Final = _LISTS.get_words("meant")

ODDEST: Final = -7.3
"""Log-probability of a morpheme, on average, below which a sentence is no Korean."""
MAX_FOREIGN: Final = 2  # Latin words
MAX_JOINTS: Final = 2
LONGEST: Final = 18  # words
_PLAIN: Final = ("어", "아", "여")
_FEWEST: Final = 3  # morphemes of a statement
_DECLARES: Final = ("다", "ᆫ다", "는다")
_STEMS: Final = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA", "EP")
_UNREAD: Final = ("IC", "UN", "Z_CODA", "Z_SIOT", "W_EMOJI", "MAJ", "JKV")
_ADVERBS: Final = ("이제",)  # which Kiwi may take for an interjection
_OPENS: Final = ("NN", "NP", "MM", "SN", "NR", "MAG")
_MARKS: Final = ("JKS", "JKO", "JKC")
_OWNED: Final = ("NN", "XPN", "SL", "SN", "MM", "NR", "XR", "SS", "ETM")
_DENIALS: Final = ("않", "못하", "말", "못", "안")
_POLITE: Final = compile_lazily(r"[은는만서고데면까네지어해에]요(?= )")
_OWN: Final = compile_lazily(r"(?:나|저|내|제|난|넌|너|전) ")
_CUT: Final = compile_lazily(rf"{USER}는 (?:말고|같으면|같은|때문에|정도|하시고)(?= )")
"""What says that a word before it was lost."""
_NOTE: Final = compile_lazily(r"\([^()]*\)")


class WordingFault(StrEnum):
    """Why a sentence cannot stand by itself."""

    ENDING = "ending"
    SPEECH = "speech"
    SPEAKER = "speaker"
    LEANS = "leans"
    RUN_ON = "run_on"
    ODD = "odd"
    PARTICLE = "particle"
    NO_SUBJECT = "no_subject"
    WRONG_SUBJECT = "wrong_subject"
    NO_OBJECT = "no_object"
    ASKS = "asks"
    THING = "thing"
    ORDER = "order"
    LONG = "long"


def find_fault(
    sentence: str, morphology: Morphology, *, may_order: bool = True
) -> WordingFault | None:
    """Return the first reason why a sentence cannot stand by itself, if any.

    `may_order` says that the words it was made of may have been an order.
    """
    text = _NOTE.sub("", sentence).rstrip(" .")
    found, probability = morphology.analyze_with_score(text + ".")
    meant = correct_readings(found)
    morphemes = tuple(m for m in meant if m.start < len(text) or not m.length)
    said = find_predicate(text, morphemes)
    if said is None or len(morphemes) < _FEWEST or not _is_declarative(text, morphemes):
        return WordingFault.ENDING
    phrases = tuple(list_noun_phrases(morphemes))
    read = FinishedSentence(text, morphemes, said, phrases, probability)
    found = (fault for fault, holds in _CHECKS if holds(read))
    spared = None if may_order else WordingFault.ORDER
    return next((fault for fault in found if fault is not spared), None)


def is_leaning(text: str, morphology: Morphology) -> bool:
    """Tell whether words point at what was said before them, at no noun of theirs.

    "저" that opens them is mostly the one who speaks.
    """
    morphemes = morphology.analyze(text)
    nouns = (n for n, m in enumerate(morphemes) if m.tag in ("NNG", "NNP"))
    named = next(nouns, len(morphemes))
    return any(
        (m.tag == "NP" and m.form in _POINTERS)
        or (m.tag == "MM" and (m.form == "그" or (m.form == "저" and m.start)))
        for m in morphemes[: named + 1]
    )


def is_momentary(text: str, morphology: Morphology) -> bool:
    """Tell whether a wish is for the moment in which it is said."""
    return any(m.form in _MOMENTARY for m in morphology.analyze(text))


def _is_declarative(text: str, morphemes: Sequence[Morph]) -> bool:
    """Tell whether a text ends in a predicate in the plain declarative."""
    *_, stem, closing = morphemes
    plain = closing.tag == "EF" and closing.form in _DECLARES
    return plain and text.endswith("다") and stem.tag in _STEMS


def _has_speech(read: FinishedSentence) -> bool:
    """Tell whether interjections, calls or endings of speech are left."""
    polite = _POLITE.search(read.text) is not None
    return (
        polite
        or any(m.tag in _UNREAD and m.form not in _ADVERBS for m in read.morphemes)
        or any(
            m.tag == "EF" or (m.tag == "JX" and m.form in ("요", "야"))
            for m in read.morphemes[:-1]
        )
    )


def _has_speaker(read: FinishedSentence) -> bool:
    """Tell whether the first or the second person is left."""
    opens = _OWN.match(read.text) is not None
    return opens or any(m.tag == "NP" and m.form in _SPEAKERS for m in read.morphemes)


def _has_pointer(read: FinishedSentence) -> bool:
    """Tell whether a word points at what stands elsewhere."""
    return (
        has_unnamed_reason(read)
        or _CUT.match(read.text) is not None
        or any(
            (one.tag[0] in "NM" and one.form in _POINTERS and not _is_short(one, other))
            or _is_pointer(one, other)
            or (one.form in _LEANING and one.tag[0] in "VMI")
            for one, other in pairwise(read.morphemes)
        )
    )


def _is_short(one: Morph, other: Morph) -> bool:
    """Tell whether "how long" says that it was not long: "얼마 전", "얼마 안"."""
    return one.form == "얼마" and other.form in ("전", "안", "간", "동안", "뒤", "후")


def _is_pointer(one: Morph, other: Morph) -> bool:
    """Tell whether a word points at the noun behind it; "이 년" counts."""
    counts = one.form == "이" and other.tag in ("NNB", "NR", "SN")
    return one.tag == "MM" and one.form in _POINTING and not counts


def _is_run_on(read: FinishedSentence) -> bool:
    """Tell whether another sentence ends within it, or too many are joined."""
    morphemes = read.morphemes
    ended = any(_has_end_within(morphemes, n) for n in range(len(morphemes) - 2))
    joints = sum(
        one.tag == "EC" and other.tag != "VX" and one.form in _JOINING
        for one, other in pairwise(morphemes)
    )
    doubled = read.text.endswith("이다이다")
    return ended or doubled or joints > MAX_JOINTS


def _has_end_within(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a sentence ends at an ending that is not the last."""
    one, other = morphemes[place : place + 2]
    after = other.tag
    if one.tag in ("VCP", "EP"):
        return not after.startswith(("E", "J") if one.tag == "VCP" else ("E",))
    if other.start < one.end:
        return False
    opens = after.startswith(_OPENS)
    if one.tag == "ETN":
        return one.form != "기" and (opens or after[0] == "V")
    return one.tag == "EC" and _is_closed(morphemes, place, opens=opens)


def _is_closed(morphemes: Sequence[Morph], place: int, *, opens: bool) -> bool:
    """Tell whether a connecting ending closes a sentence, given what opens behind."""
    one, other = morphemes[place : place + 2]
    denied = any(m.form in _DENIALS for m in morphemes[place + 1 : place + 3])
    if one.form in _PLAIN and opens and other.form not in _DENIALS:
        stem = morphemes[place - 1].tag if place else ""
        return stem in ("EP", "VA", "XSV", "XSA") or other.tag == "NP"
    declared = other.tag == "VCP" or other.form == "하" or opens
    return (
        one.form in _RUN_ON
        or (one.form in _DECLARES and declared)
        or (one.form == "지" and opens and not denied)
    )


def _is_odd(read: FinishedSentence) -> bool:
    """Tell whether Kiwi finds the words improbable: dialect, chat or a bad reading."""
    morphemes = read.morphemes
    foreign = sum(m.tag == "SL" for m in morphemes)
    doubled = any(
        one.tag in _MARKS and other.tag in _MARKS and one.end == other.start
        for one, other in pairwise(morphemes)
    )
    owning = any(
        one.tag == "JKG" and before.form == USER and not other.tag.startswith(_OWNED)
        for before, one, other in zip(
            morphemes, morphemes[1:], morphemes[2:], strict=False
        )
    )
    return doubled or owning or foreign > MAX_FOREIGN or read.probability < ODDEST


def _is_permission(read: FinishedSentence) -> bool:
    """Tell whether the user may have asked ("먹어도 돼") what is told as a fact."""
    conceded, allows = (m.form for m in read.morphemes[-3:-1])
    asks = conceded in ("어도", "아도", "여도", "라도") and allows in ("되", "괜찮")
    return asks and read.is_about_user


def _is_mere_thing(read: FinishedSentence) -> bool:
    """Tell whether it ends in "… 것이다" that is no expectation."""
    forms = {(m.form, m.tag) for m in read.morphemes[-4:]}
    future = ("ᆯ", "ETM") in forms or ("을", "ETM") in forms
    return ("것", "NNB") in forms and read.said.tag == "VCP" and not future


def _is_order(read: FinishedSentence) -> bool:
    """Tell whether what may be an order is told as what the user does."""
    said, morphemes = read.said, read.morphemes
    if not read.is_about_user or morphemes[-1].form == "다":
        return False
    rest = morphemes[find_main_verb(morphemes, said) :]
    gives = said.tag == "VX" and said.stem == "주"
    receives = any(m.form in ("에게", "한테", "께") for m in morphemes)
    operates = rest[0].form in _OPERATED and not any(m.form in _MEANT for m in rest)
    return (gives and not receives) or operates


def _is_excepting_user(read: FinishedSentence) -> bool:
    """Tell whether it is told of the user what they said of all but themselves."""
    return _EXCEPTED.search(read.text) is not None


def _is_long(read: FinishedSentence) -> bool:
    """Tell whether it holds more than one reads at a glance."""
    return len(read.text.split()) > LONGEST


_CHECKS: Final[Sequence[tuple[WordingFault, Callable[[FinishedSentence], bool]]]] = (
    (WordingFault.SPEECH, _has_speech),
    (WordingFault.SPEAKER, _has_speaker),
    (WordingFault.LEANS, _has_pointer),
    (WordingFault.RUN_ON, _is_run_on),
    (WordingFault.ODD, _is_odd),
    (WordingFault.PARTICLE, has_bare_noun),
    (WordingFault.NO_SUBJECT, is_without_subject),
    (WordingFault.WRONG_SUBJECT, has_wrong_subject),
    (WordingFault.WRONG_SUBJECT, _is_excepting_user),
    (WordingFault.NO_OBJECT, is_without_object),
    (WordingFault.ASKS, _is_permission),
    (WordingFault.THING, _is_mere_thing),
    (WordingFault.ORDER, _is_order),
    (WordingFault.LONG, _is_long),
)
