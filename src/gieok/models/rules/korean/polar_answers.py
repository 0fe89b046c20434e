"""States what a Korean yes, no or a few words say to a question that asks for one.

"네, 아침마다요", "아뇨, 비건이에요", "예전에는요", "생선만요".
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.models.rules.korean.answer_nouns import (
    name_other,
    render_counted,
    render_denied_noun,
    render_limited,
)
from gieok.models.rules.korean.answer_sentences import (
    Polarity,
    StatementFrame,
    build_frame,
    is_plain,
    name_state,
    render_statement,
)
from gieok.models.rules.korean.answer_slots import (
    ADJUNCTS,
    is_future_time,
    is_lessening,
    is_past_time,
    put_words,
)
from gieok.models.rules.korean.answer_words import (
    has_predicate,
    is_description,
    is_person,
    is_reason,
    is_relative,
    trim_polite,
)
from gieok.models.rules.korean.constituents import Constituent, Kind, read_constituents
from gieok.models.rules.korean.echoes import Echo, read_echo
from gieok.models.rules.korean.endings import STEMS
from gieok.models.rules.korean.questions import EXISTING, QuestionSentence
from gieok.models.rules.korean.topic_answers import render_topic_state
from gieok.models.rules.korean.vocabulary import NO, YES
from gieok.models.rules.lexicon import PETS
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

AGREED: Final = _LISTS.compile_list("korean.agreed")
_REFERRED: Final = compile_lazily(r"^(?:그건|그거는|그게|그거)\s+")
_BARE_DENIAL: Final = _LISTS.compile_list("korean.bare_denial")
_NOT_YET: Final = compile_lazily(r"^아직(?:은|도)?(?:이?요)?[\s.!~,]*$")
_FILLERS: Final = _LISTS.compile_list("korean.fillers")
_STATES: Final = _LISTS.compile_list("korean.states")
_STILL: Final = compile_lazily(r"^(?:요즘|지금|아직)도$|^아직$")
_RAISING: Final = frozenset({"키우", "기르"})


class PolarAnswer(NamedTuple):
    """What an answer opens with, and what follows."""

    is_yes: bool
    is_no: bool
    text: str
    """Without the yes or no, and without what says nothing."""
    words: tuple[Constituent, ...]
    """What follows, if it is no sentence of its own."""
    has_predicate: bool


def read_polar(answer: str, morphology: Morphology) -> PolarAnswer:
    """Return a short answer as what it opens with and what follows."""
    yes, no = YES.match(answer), NO.match(answer)
    opening = yes or no
    rest = answer[opening.end() :] if opening else answer
    if opening:
        rest = trim_fillers(rest)
    rest = _REFERRED.sub("", rest).strip()
    acts = has_predicate(rest, morphology)
    plain = "" if acts else trim_polite(rest, morphology)
    named = [m for m in morphology.analyze(rest) if m.start < len(plain)]
    words = tuple(read_constituents(plain, named))
    return PolarAnswer(yes is not None, no is not None, rest, words, acts)


def trim_fillers(text: str) -> str:
    """Return words without an address, thanks, or what else opens or closes them."""
    for _ in range(3):
        text = _FILLERS.sub("", text)
    return text.strip()


def render_polar(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """Return what a yes, a no or a fragment says to a question that asks for one."""
    frame = build_frame(asked, morphology)
    return _render_answer(frame, answer, morphology) if is_plain(frame) else None


def _render_answer(
    frame: StatementFrame, answer: str, morphology: Morphology
) -> str | None:
    """Return what an answer says to a question whose words have their places."""
    asked, said = frame.asked, read_polar(answer, morphology)
    if _NOT_YET.match(answer):
        denied = render_statement(frame, Polarity.DENIED) if asked.past else None
        return None if asked.is_negated else denied
    echo = read_echo(frame, said.text, morphology)
    if asked.is_negated:
        return _render_negated(frame, said, echo)
    if echo:
        return _render_echo(frame, echo, said)
    if said.is_no or _BARE_DENIAL.match(answer):
        return _render_denied(frame, said, morphology)
    if said.is_yes:
        return _render_assent(frame, said, morphology)
    return _render_fragment(frame, answer, said, morphology)


def _render_negated(
    frame: StatementFrame, said: PolarAnswer, echo: Echo | None
) -> str | None:
    """'안 드시죠?' – '네', '네 안 먹어요', '먹어요': the verb said again decides."""
    if frame.asked.stem.tag == "VCN":
        not_so = said.text.startswith("아니") and not said.is_no
        return render_statement(frame, Polarity.DENIED) if not_so else None
    if echo:
        frame = frame if echo.is_denied else frame.drop_words("아직")
        other = echo.is_past != frame.past or (said.is_no and echo.is_denied)
        unclear = other or bool(echo.added)
        return None if unclear else render_statement(frame, _get_polarity(echo))
    lessened = all(is_lessening(one) or one.noun == "아직" for one in said.words)
    settled = not said.has_predicate and lessened
    if not said.is_yes or not (settled or AGREED.match(said.text)):
        return _render_without(frame, said)
    unable = any(m.form == "못" for m in frame.asked.morphemes[: frame.asked.chain])
    unable = unable or frame.asked.stem.form == "못하"
    return render_statement(frame, Polarity.UNABLE if unable else Polarity.DENIED)


def _render_without(frame: StatementFrame, said: PolarAnswer) -> str | None:
    """'외롭지 않으세요?' – '네 괜찮아요'."""
    fine = said.is_yes and said.has_predicate and "괜찮" in said.text
    return render_statement(frame, Polarity.DENIED) if fine else None


def _get_polarity(echo: Echo) -> Polarity:
    if echo.is_unable:
        return Polarity.UNABLE
    return Polarity.DENIED if echo.is_denied else Polarity.AFFIRMED


def _render_echo(frame: StatementFrame, echo: Echo, said: PolarAnswer) -> str | None:
    """'네 좋아해요', '안 좋아해요'; '피웠죠', asked whether somebody smokes."""
    if not _is_of_same_time(frame, echo) or (said.is_no and not echo.is_denied):
        return None
    if echo.is_past:
        frame = frame.as_past()
    if echo.is_denied:
        added = [one for one in echo.added if not is_lessening(one)]
        return None if added else render_statement(frame, _get_polarity(echo))
    if not echo.added:
        return render_statement(frame, Polarity.AFFIRMED)
    placed = put_words(frame, echo.added, added=True)
    if placed is None:
        return render_statement(frame, Polarity.AFFIRMED) if said.is_yes else None
    return render_statement(placed, Polarity.AFFIRMED)


def _is_of_same_time(frame: StatementFrame, echo: Echo) -> bool:
    """Tell whether a verb said again tells of the time that was asked of.

    What was done once answers whether it is done; that it was not done does not.
    """
    if frame.past:
        return echo.is_past and not echo.is_former
    return not (echo.is_past and echo.is_denied)


def _is_of_somebody(frame: StatementFrame) -> bool:
    """Tell whether a question is whether there is somebody, or a pet."""
    argument = frame.argument
    if argument is None:
        return False
    verbs = {frame.verb, frame.asked.main.form}
    having = not verbs.isdisjoint(EXISTING | _RAISING)
    return having and is_person(frame.parts[argument].noun)


def _render_assent(
    frame: StatementFrame, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """'네', '네, 아침마다요', '네, 매주 목요일에 가요'."""
    affirmed = render_statement(frame, Polarity.AFFIRMED)
    agreed = AGREED.match(said.text) or is_reason(said.text, morphology)
    if agreed or not (said.has_predicate or said.words):
        return affirmed
    if said.has_predicate:
        return _render_continued(frame, said, morphology)
    return _render_added(frame, said, morphology)


def _render_added(
    frame: StatementFrame, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """'네, 아침마다요', '네, 딸 하나요', '네, 고2요'."""
    affirmed = render_statement(frame, Polarity.AFFIRMED)
    if counted := render_counted(frame, said.words):
        return counted
    if any(one.kind is Kind.TIME and is_future_time(one) for one in said.words):
        since = any("부터" in one.particle for one in said.words)
        return affirmed if not frame.past and not since else None
    if not frame.asked.is_copula and all(one.kind in ADJUNCTS for one in said.words):
        placed = put_words(frame, said.words, added=True)
        return (
            affirmed if placed is None else render_statement(placed, Polarity.AFFIRMED)
        )
    return _render_named(frame, said, morphology)


def _render_named(
    frame: StatementFrame, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """'네 자매예요', '네 아들도요', '네 권사예요', '네 허리가요'."""
    affirmed = render_statement(frame, Polarity.AFFIRMED)
    one = said.words[-1]
    if len(said.words) > 1 or one.is_clause:
        return affirmed
    other = name_other(frame, one)
    if other is not None:
        return other
    somebody = _is_of_somebody(frame) or frame.subject is not None
    pet = one.noun in PETS and frame.asked.main.form in _RAISING
    if is_relative(one.noun) and not pet and not (somebody and _is_alike(frame, one)):
        return None
    having = frame.asked.main.form in EXISTING
    named = one.kind in (Kind.NOUN, Kind.COUNT) and not one.particle
    if somebody or having or not (named and is_description(one.noun, morphology)):
        return affirmed
    linked = render_statement(frame, Polarity.AFFIRMED, link=True)
    return f"{linked} {name_state(one.noun, frame)}"


def _is_alike(frame: StatementFrame, one: Constituent) -> bool:
    """Tell whether two are both persons or both pets."""
    place = frame.argument if frame.subject is None else frame.subject
    pet = place is not None and frame.parts[place].noun in PETS
    return pet == (one.noun in PETS)


def _render_continued(
    frame: StatementFrame, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """'네, 매주 목요일에 가요', but not '네, 남편이 피워요'."""
    found = morphology.analyze(said.text)
    own = {m.form for m in frame.asked.morphemes[frame.asked.chain :] if m.tag in STEMS}
    again = any(m.form in own - {"있"} for m in found if m.tag in STEMS)
    denied = any(m.form in {"안", "못", "않", "못하"} for m in found)
    by_another = any(m.tag == "JKS" for m in found)
    if again and (denied or by_another):
        return None
    affirmed = render_statement(frame, Polarity.AFFIRMED)
    content = [m for m in found if m.tag[0] in "NVM" and m.tag != "VX"]
    alone = len(content) == 1 and content[0].tag == "VV"
    if again or (alone and not by_another):
        return affirmed
    if by_another and frame.subject is None and "하" in own:
        return None
    if _is_of_somebody(frame):
        return affirmed
    linked = render_statement(frame, Polarity.AFFIRMED, link=True)
    return f"{linked} {said.text.strip(' .!~')}"


def _render_denied(
    frame: StatementFrame, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """'아뇨', '아뇨, 그건 동생이요', '아뇨, 비건이에요', '아뇨, 면허가 없어요'."""
    kept = _replace_still(frame)
    denied = render_statement(kept, Polarity.DENIED)
    text = said.text if said.is_no else ""
    if not text or AGREED.match(text) or is_reason(text, morphology):
        return denied
    if said.has_predicate:
        if _is_of_somebody(frame) and not re.search(r"[이가]\s", text):
            return denied
        linked = render_statement(kept, Polarity.DENIED, link=True)
        return f"{linked} {text.strip(' .!~')}"
    instead = _render_instead(frame, said.words, morphology)
    if instead is None:
        return denied
    if said.words[-1].kind is Kind.COUNT and frame.find(Kind.COUNT) is not None:
        return f"저는 {instead}"
    linked = render_statement(kept, Polarity.DENIED, link=True)
    return f"{linked} {instead}"


def _replace_still(frame: StatementFrame) -> StatementFrame:
    """Return a frame whose "still" is "any more"."""
    place = next(
        (n for n, one in enumerate(frame.parts) if _STILL.match(one.text)), None
    )
    if place is None:
        return frame
    return frame.replace_part(place, Constituent("이제", "이제", Kind.TIME))


def _render_instead(
    frame: StatementFrame, words: Sequence[Constituent], morphology: Morphology
) -> str | None:
    """Return what is so instead of what a question asks, without its opening."""
    if not words or any(is_lessening(each) for each in words):
        return None
    timed = all(each.kind in ADJUNCTS for each in words)
    named = frame.asked.is_copula and not words[-1].particle
    if not timed or named:
        one = words[-1] if len(words) == 1 else None
        return None if one is None else render_denied_noun(frame, one, morphology)
    return _render_otherwise(frame, words)


def _render_otherwise(
    frame: StatementFrame, words: Sequence[Constituent]
) -> str | None:
    """'아뇨 화요일이요', '아뇨 가끔요', '아뇨 예전에만요', without the opening."""
    if frame.subject is not None or (
        frame.past and any(is_future_time(each) for each in words)
    ):
        return None
    same = any(frame.find(each.kind) is not None for each in words)
    alone = frame.find(Kind.MANNER) is not None and words[-1].kind is Kind.COMPANION
    over = any(is_past_time(each) for each in words) and not frame.past
    if not (same or alone or over):
        return None
    placed = put_words(frame, words, added=False)
    if placed is None:
        return None
    return render_statement(placed, Polarity.AFFIRMED).removeprefix("저는 ")


def _render_fragment(
    frame: StatementFrame, answer: str, said: PolarAnswer, morphology: Morphology
) -> str | None:
    """An answer without yes or no to a question that asks for it."""
    if said.has_predicate:
        return render_topic_state(frame.asked, answer, morphology)
    return _render_words(frame, said) if said.words else None


def _render_words(frame: StatementFrame, said: PolarAnswer) -> str | None:
    """'그닥', '가끔요', '누나 둘', '휴학 중이에요', '생선만요'."""
    one = said.words[0]
    if len(said.words) == 1 and is_lessening(one):
        return None if frame.past else render_statement(frame, Polarity.DENIED)
    if all(each.kind in ADJUNCTS for each in said.words):
        return _render_adjuncts(frame, said.words)
    if counted := render_counted(frame, said.words):
        return counted
    if _STATES.match(one.text):
        return None if frame.subject is not None else f"저는 {one.text}이다"
    return render_limited(frame, one) if len(said.words) == 1 else None


def _render_adjuncts(frame: StatementFrame, words: Sequence[Constituent]) -> str | None:
    """'가끔요', '예전에는요', '딸이랑요'."""
    future = any(is_future_time(each) for each in words)
    if future:
        return None
    if frame.asked.is_copula and len(words) == 1 and is_past_time(words[0]):
        former = frame.insert_part(words[0], first=True)
        return render_statement(former.as_past(), Polarity.AFFIRMED)
    placed = put_words(frame, words, added=False)
    return None if placed is None else render_statement(placed, Polarity.AFFIRMED)
