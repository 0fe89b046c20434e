"""Finds of whom or what it is so, where a Korean answer names somebody or something.

"아들 있으세요?" – "아뇨 딸이에요", "땅콩 알레르기 있죠?" – "아뇨 호두요",
"고기 드세요?" – "생선만요". What has no place of its own kind is not stated.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.korean.answer_sentences import (
    Polarity,
    StatementFrame,
    mark_argument,
    name_state,
    render_predicate,
    render_statement,
)
from gieok.models.rules.korean.answer_slots import put_noun
from gieok.models.rules.korean.answer_words import (
    RELATIVES,
    is_description,
    is_person,
    is_relative,
)
from gieok.models.rules.korean.constituents import Constituent, Kind
from gieok.models.rules.korean.endings import ADJECTIVES, append_particle
from gieok.models.rules.korean.questions import EXISTING
from gieok.models.rules.korean.subjects import BEING
from gieok.models.rules.korean.vocabulary import HEADS
from gieok.models.rules.lexicon import PETS
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_DOINGS: Final = _LISTS.get_words("korean.doings")
_AILING: Final = compile_lazily(r"[가-힣](?:염|증)$")
_RAISING: Final = frozenset({"키우", "기르"})
_ME: Final = ("저", "나", "제", "내")
_ARGUMENTS: Final = (Kind.NOUN, Kind.OBJECT, Kind.TOPIC)


def name_other(frame: StatementFrame, one: Constituent) -> str | None:
    """Return of whom or what else a yes says it: "네 자매예요", "네 아들도요"."""
    argument = frame.argument
    if one.kind is Kind.SUBJECT:
        part = frame.subject is not None and frame.asked.stem.tag in ADJECTIVES
        if part and argument is None and not is_person(one.noun):
            return render_statement(
                frame.insert_part(one, first=False), Polarity.AFFIRMED
            )
        return None
    if one.kind is not Kind.NOUN:
        return None
    if one.particle == "도":
        return _render_also(frame, one)
    if is_other_relative(frame, one.noun) and argument is not None:
        other = frame.replace_part(argument, one)
        return render_statement(other, Polarity.AFFIRMED)
    return None


def _render_also(frame: StatementFrame, one: Constituent) -> str | None:
    """'네 당뇨약도요', '네 저도요'."""
    argument, subject = frame.argument, frame.subject
    linked = render_statement(frame, Polarity.AFFIRMED, link=True)
    alike = argument is not None and is_person(one.noun) == is_person(
        frame.parts[argument].noun
    )
    if alike and not frame.parts[argument or 0].is_clause:
        return f"{linked} {one.text} {render_predicate(frame, Polarity.AFFIRMED)}"
    if subject is not None and (is_person(one.noun) or one.noun in _ME):
        other = frame.replace_part(subject, one)
        also = render_statement(other, Polarity.AFFIRMED)
        return f"{linked} {also}"
    return None


def render_counted(frame: StatementFrame, words: Sequence[Constituent]) -> str | None:
    """'형제 있어?' – '누나 둘': whom else somebody has, and how many."""
    argument = frame.argument
    if len(words) != 2 or words[1].kind is not Kind.COUNT or argument is None:  # noqa: PLR2004  (whom, and how many)
        return None
    if words[0].particle not in ("", "만") or not is_other_relative(
        frame, words[0].noun
    ):
        return None
    other = frame.replace_part(argument, words[0]).insert_part(words[1], first=False)
    return render_statement(other, Polarity.AFFIRMED)


def is_other_relative(frame: StatementFrame, noun: str) -> bool:
    """Tell whether it is answered whom else somebody has: "딸", not "아들"."""
    argument = frame.argument
    verbs = {frame.asked.main.form, frame.verb}
    if argument is None or verbs.isdisjoint(EXISTING | _RAISING):
        return False
    asked = frame.parts[argument].noun
    both = _is_kin(asked) and _is_kin(noun) and (noun not in BEING or len(noun) == 1)
    return both and (asked in PETS) == (noun in PETS)


def _is_kin(noun: str) -> bool:
    """Tell whether a noun is of somebody, or of several: "자녀", "자매"."""
    return is_relative(noun) or noun in RELATIVES


def is_state(noun: str, frame: StatementFrame, morphology: Morphology) -> bool:
    """Tell whether a noun says what somebody is, not what they do or have instead."""
    if frame.asked.main.form.endswith("살"):
        return False
    if is_description(noun, morphology):
        return True
    return frame.asked.main.form not in EXISTING and _AILING.search(noun) is not None


def render_denied_noun(
    frame: StatementFrame, one: Constituent, morphology: Morphology
) -> str | None:
    """Return what a no names instead, told without its opening; nothing if unclear."""
    if one.is_clause or one.noun in _DOINGS or one.kind is Kind.OTHER:
        return None
    if one.noun in _ME:
        return _render_only_me(frame, one)
    if is_relative(one.noun) and not (frame.asked.is_copula and frame.subject is None):
        return _render_other_person(frame, one, morphology)
    if frame.asked.is_copula:
        return name_state(one.noun, frame) if not one.particle else None
    return _render_other_noun(frame, one, morphology)


def _render_other_noun(
    frame: StatementFrame, one: Constituent, morphology: Morphology
) -> str | None:
    """'아뇨 주부예요', '아뇨 호두요': what somebody is, or what it is of."""
    if one.kind not in (Kind.NOUN, Kind.SUBJECT, Kind.TOPIC):
        return None
    bare = one.kind is Kind.NOUN and not one.particle
    if bare and is_state(one.noun, frame, morphology):
        return name_state(one.noun, frame)
    return _render_other_thing(frame, one, morphology)


def _render_only_me(frame: StatementFrame, one: Constituent) -> str | None:
    """'아내분 일하세요?' – '아뇨 저만요'."""
    if one.particle != "만" or frame.subject is None:
        return None
    return f"저만 {_render_rest(frame)}"


def _render_rest(frame: StatementFrame) -> str:
    """Return what follows the subject of a frame."""
    own = [p for n, p in enumerate(frame.parts) if n != frame.subject]
    bare = StatementFrame(frame.asked, tuple(own), frame.past, frame.morphology)
    return render_statement(bare, Polarity.AFFIRMED).removeprefix("저는 ")


def _render_other_person(
    frame: StatementFrame, one: Constituent, morphology: Morphology
) -> str | None:
    """'아뇨 딸이에요', '아뇨 동생이요': whom one has, or who does it."""
    argument, subject = frame.argument, frame.subject
    beside = frame.find(Kind.COMPANION)
    if beside is not None:
        other = put_noun(frame, beside, one.noun, morphology)
        return render_statement(other, Polarity.AFFIRMED).removeprefix("저는 ")
    if subject is not None:
        shown = append_particle(one.noun, "이", "가")
        part = one._replace(text=shown, kind=Kind.SUBJECT)
        return render_statement(frame.replace_part(subject, part), Polarity.AFFIRMED)
    pet = argument is not None and frame.parts[argument].noun in PETS
    another = pet and one.noun not in PETS
    if argument is not None and is_person(frame.parts[argument].noun) and not another:
        if one.noun in PETS or _is_kin(one.noun):
            text = one.text if one.particle else mark_argument(one.noun, frame)
            return f"{text} {render_predicate(frame, Polarity.AFFIRMED)}"
        return None
    shown = one.text if one.particle == "만" else append_particle(one.noun, "은", "는")
    return f"제 {shown} {_render_rest(frame)}"


def _render_other_thing(
    frame: StatementFrame, one: Constituent, morphology: Morphology
) -> str | None:
    """'아뇨 호두요', '아뇨 화요일이요', '아뇨 지하철이요'."""
    place = frame.find(Kind.MEANS, Kind.PLACE, Kind.TIME, *_ARGUMENTS, Kind.SUBJECT)
    if place is None or place == frame.subject:
        return None
    asked = frame.parts[place]
    if asked.is_clause or asked.kind is Kind.TIME or asked.noun in _ME:
        return None
    if is_person(asked.noun) and asked.noun not in PETS:
        return None
    noun = _append_head(asked.noun, one.noun)
    if asked.kind in (Kind.MEANS, Kind.PLACE):
        other = put_noun(frame, place, noun, morphology)
        return render_statement(other, Polarity.AFFIRMED).removeprefix("저는 ")
    limited = one.particle in ("만", "도")
    text = noun + one.particle if limited else mark_argument(noun, frame)
    return f"{text} {render_predicate(frame, Polarity.AFFIRMED)}"


def _append_head(asked: str, noun: str) -> str:
    """Return a noun with the head of what was asked: "호두" → "호두 알레르기"."""
    head = asked.rpartition(" ")[2]
    compound = head in HEADS and not noun.endswith(head)
    return f"{noun} {head}" if compound else noun


def render_limited(frame: StatementFrame, one: Constituent) -> str | None:
    """'고기 드세요?' – '생선만요', '소주도요': it stands for what was asked."""
    limited = one.particle in ("만", "도", "은", "는") and not one.is_clause
    if not limited or frame.asked.is_copula:
        return None
    if is_person(one.noun) or one.noun in _ME:
        return _render_limited_person(frame, one)
    if one.kind not in (Kind.NOUN, Kind.TOPIC) or frame.argument != 0:
        return None
    if len(frame.parts) != 1 and frame.parts[-1].text != "잘":
        return None
    asked = frame.parts[0]
    placed = frame.asked.main.form.endswith("살") or is_person(asked.noun)
    existing = frame.asked.main.form in EXISTING
    described = frame.asked.stem.tag in ADJECTIVES and not existing
    if placed or described or asked.is_clause or asked.kind is Kind.SUBJECT:
        return None
    noun = _append_head(asked.noun, one.noun)
    predicate = render_predicate(frame, Polarity.AFFIRMED)
    return f"저는 {noun}{one.particle} {predicate}"


def _render_limited_person(frame: StatementFrame, one: Constituent) -> str | None:
    """'아내만요', '저만요': who alone does it."""
    existing = frame.asked.main.form in EXISTING
    living = "살아" in frame.verb or existing
    described = frame.asked.stem.tag in ("VA", "XSA") and not living
    if one.particle != "만" or described:
        return None
    having = existing and "살아" not in frame.verb
    argument = frame.argument
    had = argument is not None and is_person(frame.parts[argument].noun)
    if had:
        whose = frame.parts[argument or 0].noun in ("부모님", "부모", "가족")
        if having and whose:
            return f"제 {one.text} {render_predicate(frame, Polarity.AFFIRMED)}"
        return None
    opening = "" if one.noun in _ME else "제 "
    return f"{opening}{one.text} {_render_rest(frame)}"
