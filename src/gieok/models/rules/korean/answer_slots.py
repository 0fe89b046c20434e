"""Puts the words of a Korean answer in the place of what a question asks of their kind.

"혼자 사세요?" – "딸이랑요": with whom stands where "alone" stood. What finds no place
of its own kind is not put anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gieok.models.rules.korean.answer_sentences import StatementFrame
from gieok.models.rules.korean.constituents import Constituent, Kind
from gieok.models.rules.korean.endings import ADJECTIVES, append_particle
from gieok.models.rules.korean.questions import EXISTING
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_LESSENING: Final = _LISTS.get_words("korean.lessening")
_PAST: Final = _LISTS.compile_list("korean.past_times")
_FUTURE: Final = _LISTS.compile_list("korean.future_times")
_WHEN: Final = _LISTS.compile_list("korean.dated")
_NOT_COUNTED: Final = _LISTS.compile_list("korean.measured")
_OF_THINGS: Final = _LISTS.compile_list("korean.counters")
ADJUNCTS: Final = frozenset(
    {
        Kind.TIME, Kind.FREQUENCY, Kind.COUNT, Kind.DEGREE, Kind.MANNER,
        Kind.COMPANION, Kind.PLACE, Kind.MEANS,
    }
)  # fmt: skip
_TOGETHER: Final = ("같이", "함께", "혼자", "혼자서")
_LIMITING: Final = ("만", "나", "마다", "에나", "에만", "마다는", "에는")


def is_past_time(one: Constituent) -> bool:
    """Tell whether a time is over: "예전에", "작년까지", but not "예전부터"."""
    since = "부터" in one.particle
    return not since and _PAST.search(one.text) is not None


def is_future_time(one: Constituent) -> bool:
    """Tell whether a time is still to come."""
    return _FUTURE.search(one.text) is not None


def is_lessening(one: Constituent) -> bool:
    """Tell whether a word takes back what is said: "그닥", "전혀"."""
    return one.noun in _LESSENING or one.text in _LESSENING


def put_words(
    frame: StatementFrame, words: Sequence[Constituent], *, added: bool
) -> StatementFrame | None:
    """Return a frame with the words in their places; nothing if one finds none.

    `added` says that they are said besides what was asked ("네, 가끔요") and so take
    nothing's place that they do not speak of.
    """
    if frame.asked.is_copula or not words:
        return None
    if any(one.last == "적" for one in frame.parts):
        return None
    placed: StatementFrame | None = frame
    often = frame.find(Kind.FREQUENCY) is not None
    if often and not added and not any(_is_frequency(one) for one in words):
        return None
    for one in words:
        placed = None if placed is None else _put_word(placed, one)
    return placed


def _is_frequency(one: Constituent) -> bool:
    timed = one.kind is Kind.TIME and one.particle.endswith(_LIMITING)
    return one.kind is Kind.FREQUENCY or timed


def _put_word(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """Return a frame with one constituent in its place."""
    place = _PLACINGS.get(one.kind)
    described = one.is_clause and one.kind is not Kind.TIME
    if place is None or is_lessening(one) or described:
        return None
    return place(frame, one)


def _put_time(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """When: "예전에는", "화요일"."""
    if is_future_time(one) and "부터" not in one.particle and frame.past:
        return None
    if is_past_time(one):
        frame = frame.as_past()
    elif is_future_time(one) and not frame.past:
        return None
    dated = _mark_time(one)
    often = frame.find(Kind.FREQUENCY)
    if often is not None and _is_frequency(one):
        return frame.replace_part(often, dated)
    when = frame.find(Kind.TIME)
    if when is not None and not frame.parts[when].text.endswith("때"):
        return frame.replace_part(when, dated)
    return frame.insert_part(dated, first=True)


def _mark_time(one: Constituent) -> Constituent:
    """Return a time with its particle: "화요일" → "화요일에"."""
    bare = not one.particle and _WHEN.search(one.noun) and not one.noun.endswith("매일")
    today = one.noun in ("오늘", "어제", "내일")
    return one._replace(text=one.noun + "에") if bare and not today else one


def _put_frequency(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """How often: "가끔", "일주일에 세 번"."""
    if frame.asked.main.form in EXISTING and frame.asked.main.tag != "VX":
        return None
    often = frame.find(Kind.FREQUENCY)
    if often is not None:
        return frame.replace_part(often, one)
    return frame.insert_part(one, first=False)


def _put_count(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """How many or how long: "두 마리", "세 잔"."""
    having = frame.asked.main.form in EXISTING and frame.asked.main.tag != "VX"
    if _NOT_COUNTED.search(one.noun) or (
        frame.asked.stem.tag in ADJECTIVES and not having
    ):
        return None
    well = any(part.text == "잘" for part in frame.parts)
    if well or (having and not _OF_THINGS.search(one.noun)):
        return None
    count = frame.find(Kind.COUNT)
    if count is not None:
        return frame.replace_part(count, one)
    return frame.drop_words("오래").insert_part(one, first=False)


def _put_degree(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """How much: "조금", "엄청"."""
    full = frame.find(Kind.DEGREE, Kind.FREQUENCY) is not None
    having = frame.asked.main.form in EXISTING and frame.asked.main.tag != "VX"
    if full or ((frame.past or having) and one.text in ("다", "잘")):
        return None
    return frame.insert_part(one, first=False)


def _put_manner(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """How, or with whom: "혼자", "둘이"."""
    if frame.subject is not None and frame.find(Kind.MANNER) is not None:
        return None
    beside = frame.find(Kind.COMPANION)
    if beside is not None and one.text != "같이":
        return frame.drop_words(*_TOGETHER).replace_part(beside, one)
    manner = frame.find(Kind.MANNER)
    if manner is not None:
        return frame.replace_part(manner, one)
    return frame.insert_part(one, first=False)


def _put_companion(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """With whom."""
    beside = frame.find(Kind.COMPANION)
    if beside is not None:
        return frame.replace_part(beside, one)
    alone = [n for n, p in enumerate(frame.parts) if p.text in ("혼자", "혼자서")]
    if alone:
        return frame.replace_part(alone[-1], one)
    return frame.insert_part(one, first=True)


def _put_place(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """Where."""
    asked = frame.find(Kind.PLACE)
    argument = frame.argument
    if asked is not None:
        particle = frame.parts[asked].particle
        limit = one.particle if one.particle.endswith(_LIMITING) else particle
        return frame.replace_part(asked, one._replace(text=one.noun + limit))
    living = frame.asked.main.form.endswith(("살", "다니", "가"))
    if argument is not None and living and frame.parts[argument].kind is Kind.NOUN:
        said = one._replace(text=one.noun + "에")
        return frame.replace_part(argument, said)
    return frame.insert_part(one, first=True) if "에서" in one.particle else None


def _put_means(frame: StatementFrame, one: Constituent) -> StatementFrame | None:
    """By what."""
    asked = frame.find(Kind.MEANS)
    if asked is not None:
        return frame.replace_part(asked, one)
    return frame.insert_part(one, first=True)


_PLACINGS: Final[
    Mapping[Kind, Callable[[StatementFrame, Constituent], StatementFrame | None]]
] = {
    Kind.TIME: _put_time,
    Kind.FREQUENCY: _put_frequency,
    Kind.COUNT: _put_count,
    Kind.DEGREE: _put_degree,
    Kind.MANNER: _put_manner,
    Kind.COMPANION: _put_companion,
    Kind.PLACE: _put_place,
    Kind.MEANS: _put_means,
}


def append_same_particle(words: str, particle: str, morphology: Morphology) -> str:
    """Return the answer with the question's particle, unless it has its own."""
    last = [m for m in morphology.analyze(words) if m.tag[0] not in "SW"][-1:]
    if last and last[0].tag in ("JKB", "JX", "JC"):
        return words
    pairs = (("이", "가"), ("을", "를"), ("은", "는"), ("이랑", "랑"), ("과", "와"))
    for pair in pairs:
        if particle in pair:
            return append_particle(words, *pair)
    if particle in ("로", "으로"):
        open_ended = (ord(words[-1]) - 0xAC00) % 28 in (0, 8) if words else False
        return words + ("로" if open_ended else "으로")
    return words + ("에서" if particle == "서" else particle)


def put_noun(
    frame: StatementFrame, place: int, noun: str, morphology: Morphology
) -> StatementFrame:
    """Return a frame with a noun instead of one that it has, marked the same way."""
    one = frame.parts[place]
    text = (
        append_same_particle(noun, one.particle, morphology) if one.particle else noun
    )
    parts = (
        *frame.parts[:place],
        one._replace(text=text, noun=noun),
        *frame.parts[place + 1 :],
    )
    return replace(frame, parts=parts)
