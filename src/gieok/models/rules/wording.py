"""Writes a fact: the user's own words, cleaned, dated and put in the third person.

Only the person and the last ending change: a paraphrase by rules would sooner or
later say what was never said. An answer that means nothing alone is stated together
with its question (see `answers`) or, where that cannot be turned about, said to be one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_texts import convert_clause, is_english, remove_noise
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.english.quotation import quote_english_answer
from gieok.models.rules.english_facts import LONGEST, drop_order, render_english_fact
from gieok.models.rules.korean.quotation import render_quotation
from gieok.models.rules.korean.reports import render_reported_speech
from gieok.models.rules.korean.soundness import find_fault
from gieok.models.rules.korean.texts import is_mostly_korean
from gieok.models.rules.korean.wording import (
    KoreanContext,
    is_of_person_before,
    list_memories,
    render_spoken_korean,
)
from gieok.models.rules.lexicon import FORGET
from gieok.models.rules.passages import is_quotable, quote_passage
from gieok.models.rules.questions import extract_question
from gieok.models.rules.secrets import find_secrets
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")
SHORT_MESSAGE: Final = 60
"""Characters of a message that is quoted as a whole."""
_WISHES: Final = (
    "standing",
    "remember_beside",
    "is_answers",
    "is_device",
    "order_negated",
)
_UNSAFE: Final = ("remember", "request_korean", "request_english")
_INDEFINITE: Final = _LISTS.compile_list("wording.indefinite")
_TELLS: Final = compile_lazily(
    r"(?:[다음고서]|거든요?|는데요?|지만|니까)[.!~ ]*$|^뭐 |뭐라"
)
_NAMED: Final = (
    (r"(?:^|(?<= ))저는 ", "사용자는 "),
    (r"(?:^|(?<= ))제가 ", "사용자가 "),
    (r"(?:^|(?<= ))(?:제|우리) ", "사용자의 "),
)
_BARE_NOUN: Final = compile_lazily(r"^사용자는 \S+이다$")
"""What a noun alone answers may be said of somebody else ("몇 학년이에요?" – "중2")."""
_LEADS: Final = PatternFile("gieok.models.rules.korean", "endings.toml").get_words(
    "leading"
)


def _name_user(candidate: ClauseCandidate) -> str | None:
    """Return a Korean answer that is stated plainly already, said of the user."""
    text = candidate.clause.text
    if not candidate.is_answer or not text.endswith("다"):
        return None
    for own, named in _NAMED:
        text = re.sub(own, named, text)
    return text


def _is_unsafe(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause orders or asks, so that no statement can be made of it.

    "My aunt, who is a nurse, lives here" and "몇 해 전에" ask nothing.
    """
    flags, text = candidate.flags, candidate.clause.text
    if candidate.has_flag(*_UNSAFE):
        return True
    if flags["korean"]:
        return bool(flags["wh_word"]) and _INDEFINITE.search(text) is None
    return bool(flags["wh_word"] and (flags["question_english"] or "?" in text))


def _convert_group(group: Sequence[ClauseCandidate]) -> str | None:
    """Return the group in the third person, or nothing if any part is unsafe."""
    parts: list[str] = []
    for number, candidate in enumerate(group):
        if _is_unsafe(candidate):
            return None
        ends = number + 1 == len(group)
        told = _name_user(candidate) or convert_clause(
            drop_order(candidate), first=number == 0, last=ends
        )
        if told is None:
            return None
        fresh = (
            number and candidate.clause.sentence != group[number - 1].clause.sentence
        )
        if fresh:
            parts[-1] = parts[-1].rstrip(" .!") + "."
        parts.append(told[:1].upper() + told[1:] if fresh else told)
    return " ".join(parts)


def _is_spoken_korean(group: Sequence[ClauseCandidate]) -> bool:
    """Tell whether a group is Korean as it was said, not made of an answer."""
    said = "".join(c.clause.text for c in group)
    own = not (group[0].topic or any(map(_name_user, group)))
    return own and is_mostly_korean(said)


def _render_korean(group: Sequence[ClauseCandidate]) -> str | None:
    """Return a Korean group in the third person, where it is said in one message."""
    first = group[0]
    if len({c.clause.message for c in group}) > 1 or any(
        map(_is_korean_question, group)
    ):
        return None
    said = " ".join(c.clause.written for c in group)
    before = first.turn.text[: first.clause.start]
    context = KoreanContext(
        before,
        first.turn.asked,
        _is_korean_order(group),
        earlier=first.turn.before,
    )
    return render_spoken_korean(said, context, get_shared_morphology())


def _is_korean_order(group: Sequence[ClauseCandidate]) -> bool:
    """Tell whether a clause orders something of a device or of answers."""
    flags = group[0].flags
    plain = flags["is_device"] and not (flags["me"] or flags["past"])
    ordered = plain or flags["is_answers_order"] or flags["is_device_order"]
    return len(group) == 1 and bool(ordered)


def _is_korean_question(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause may ask, since it has a word that questions have."""
    flags, text = candidate.flags, candidate.clause.text
    doubtful = flags["wh_word"] and not _INDEFINITE.search(text)
    return bool(doubtful and not _TELLS.search(text))


def _render_answer(group: Sequence[ClauseCandidate], day: date) -> str:
    """Return what was answered, as a sentence that says what the question was about."""
    words = " ".join(candidate.clause.text for candidate in group)
    said = resolve_dates(remove_noise(words), day).rstrip(" .!")[:LONGEST]
    topic = group[0].topic
    if has_hangul(said + topic):
        return f"사용자는 {topic}에 대해 ‘{said}’라고 답했다"
    answer = quote_english_answer(said, extract_question(group[0].turn.asked))
    return answer or f"Asked about {topic}, the user said: {said}"


def render_fact(
    group: Sequence[ClauseCandidate],
    today: date,
    earlier: Sequence[ClauseCandidate] = (),
) -> str:
    """Return the fact's text in the third person.

    "저는 서울에 살아요" becomes "사용자는 서울에 산다", "I live in Leeds" becomes
    "The user lives in Leeds"; what cannot be turned safely stays as said ("사용자: …",
    "The user said: …"). An answer that leans on its question tells what was asked
    about. What `earlier` clauses of the conversation name is named again.
    """
    day = group[0].turn.day or today
    if all(is_english(candidate.clause.text) for candidate in group):
        told = render_english_fact(group, earlier)
        whole = told.is_whole or not group[0].topic
        return (
            resolve_dates(told.text, day)[:LONGEST]
            if whole
            else _render_answer(group, day)
        )
    spoken = _is_spoken_korean(group)
    worded = _render_korean(group) if spoken else _convert_group(group)
    if worded is not None and not group[0].topic:
        return resolve_dates(remove_noise(worded), day)[:LONGEST]
    if group[0].topic:
        return _render_answer(group, day)
    words = " ".join(drop_order(candidate).text for candidate in group)
    said = resolve_dates(remove_noise(words), day)
    return f"사용자: {said.rstrip(' .!')}"[:LONGEST]


def render_memories(
    group: Sequence[ClauseCandidate],
    today: date,
    message: Sequence[ClauseCandidate] | None = (),
) -> tuple[str, ...] | None:
    """Return what Korean clauses say as memories, each of which stands by itself.

    What does not is told with the rest of its sentence, found among the clauses of its
    `message`. Without a message nobody is taken for the user who may be another.
    Nothing comes back where a stranger would not understand what is told a year later;
    such words may be reported (see `render_report`).
    """
    assumes = message is not None
    told = _list_korean_memories(group, assumes=assumes)
    for wider in _list_wider_groups(group, message or ()) if told is None else ():
        told = told or _list_korean_memories(wider, assumes=True) or None
    if told is None:
        return None
    day = group[0].turn.day or today
    return tuple(resolve_dates(each, day)[:LONGEST] for each in told)


def _list_wider_groups(
    group: Sequence[ClauseCandidate], message: Sequence[ClauseCandidate]
) -> Iterator[Sequence[ClauseCandidate]]:
    """Yield clauses of one sentence with what leads to them, what follows, and both."""
    places = {(c.clause.sentence, c.is_answer) for c in group}
    if places != {(group[0].clause.sentence, False)}:
        return
    whole = [
        c
        for c in message
        if c.clause.sentence == group[0].clause.sentence and not c.is_answer
    ]
    before = [c for c in whole if c.clause.start < group[0].clause.start]
    behind = [c for c in whole if c.clause.start > group[-1].clause.start]
    if before:
        yield [*before, *group]
    if behind:
        yield [*group, *behind]
    if before and behind:
        yield whole


def render_report(
    group: Sequence[ClauseCandidate], today: date, *, whole: bool = True
) -> str | None:
    """Return what clauses of one message say as what the user said there.

    In indirect speech where it can be turned, else quoted, in English always; a short
    message as a whole, where it may be. What leans on somebody named before is told
    with that, or not at all.
    """
    turn = group[0].turn
    if len({c.clause.message for c in group}) > 1:
        return None
    if is_english(group[0].clause.text):
        return _quote_clauses(group, turn.day or today, whole=whole)
    morphology = get_shared_morphology()
    said = " ".join(turn.text[c.clause.start : c.clause.end] for c in group)
    before = turn.text[: group[0].clause.start]
    if is_of_person_before(said, before, morphology):
        whole, said = True, turn.text[: group[-1].clause.end]
        if not _is_short_message(said):
            return None
    text = turn.text if whole and _is_short_message(turn.text) else said
    written = turn.written if turn.is_restated and text == turn.text else text
    context = KoreanContext("", turn.asked, lasting=_is_lasting(group))
    told = (
        render_reported_speech(text, context, morphology)
        or render_reported_speech(said, context, morphology)
        or render_quotation(written, turn.asked, morphology)
    )
    return told and resolve_dates(told, turn.day or today)[:LONGEST]


def _quote_clauses(
    group: Sequence[ClauseCandidate], day: date, *, whole: bool
) -> str | None:
    """Return English clauses of one message as a quotation, where it may be quoted."""
    turn = group[0].turn
    if not is_quotable(turn.text):
        return None
    said = (group[0].clause.start, group[-1].clause.end)
    spans = [(0, len(turn.text)), said] if whole else [said]
    quoted = (quote_passage(turn.text, span, turn.asked, day) for span in spans)
    return next((each[-1] for each in quoted if each), None)


def _is_lasting(group: Sequence[ClauseCandidate]) -> bool:
    """Tell whether what some clauses ask for may be a wish for good."""
    return any(each.has_flag(*_WISHES) for each in group)


def _is_short_message(text: str) -> bool:
    """Tell whether a message may be told as a whole, nothing in it to be left out."""
    kept = not (find_secrets(text) or FORGET.search(text) or "?" in text)
    return kept and len(text) <= SHORT_MESSAGE


def _is_continued(last: ClauseCandidate) -> bool:
    """Tell whether a clause is followed by the one that it leads to ("1층이라 …")."""
    rest = last.turn.text[last.clause.end :].strip()
    closing = [m for m in last.clause.morphemes if m.tag[0] != "S"][-1:]
    joined = bool(closing) and closing[0].tag == "EC" and closing[0].form in _LEADS
    return bool(rest) and joined and last.clause.text[-1:].isalnum()


def _list_korean_memories(
    group: Sequence[ClauseCandidate], *, assumes: bool
) -> list[str] | None:
    """Return Korean clauses as sentences that each stand by themselves."""
    morphology = get_shared_morphology()
    if not _is_spoken_korean(group):
        worded = None if group[0].topic else _convert_group(group)
        clear = worded is not None and _BARE_NOUN.match(worded) is None
        if worded and clear and find_fault(worded, morphology) is None:
            return [worded]
        if group[0].is_answer or group[0].topic:
            return None
    said = " ".join(
        c.clause.text if c.is_answer else c.turn.text[c.clause.start : c.clause.end]
        for c in group
    )
    first = group[0]
    before = first.turn.text[: first.clause.start]
    context = KoreanContext(
        before,
        first.turn.asked,
        ordered=_is_korean_order(group),
        lasting=_is_lasting(group),
        continued=_is_continued(group[-1]),
        assumes=assumes,
        earlier=first.turn.before,
    )
    return list_memories(said, context, morphology)
