"""Writes a fact: the user's own words, cleaned, dated and put in the third person.

Only the person and the last ending change: a paraphrase by rules would sooner or
later say what was never said. An answer that means nothing alone is stated together
with its question (see `answers`) or, where that cannot be turned about, said to be one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from gieok.models.rules import english, korean
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.dates import resolve_dates
from gieok.models.rules.english_elided import restore_subject
from gieok.models.rules.english_fragments import convert_colon
from gieok.models.rules.english_sound import select_statements
from gieok.models.rules.english_wording import EnglishMemory, render_english
from gieok.models.rules.korean_quotation import LONGEST_QUOTED, render_quotation
from gieok.models.rules.korean_reports import render_reported_speech
from gieok.models.rules.korean_soundness import find_fault
from gieok.models.rules.korean_wording import (
    KoreanContext,
    has_korean_ending,
    is_mostly_korean,
    list_memories,
    render_spoken_korean,
)
from gieok.models.rules.lexicon import FORGET, IMPERATIVE_EN, KIN_KO
from gieok.models.rules.quotes import find_quotes
from gieok.models.rules.secrets import find_secrets, has_secret_word, is_private
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

LONGEST: Final = 400
LONGEST_INNER_QUOTE: Final = 20
"""Characters that a message may quote itself, if it is quoted."""
FEWEST_QUOTED: Final = 4
"""Words of an answer that is quoted without its question."""
SHORT_MESSAGE: Final = 60
"""Characters of a message that is quoted as a whole."""

_NOISE: Final = _LISTS.compile_list("wording.noise")
_OPENING: Final = _LISTS.compile_list("wording.opening")
_REQUEST: Final = compile_lazily(
    rf"(?:,|,?\s+so)\s+(?:(?:please|kindly)\s+(?:{'|'.join(sorted(IMPERATIVE_EN))})\b"
    rf"|(?:{'|'.join(sorted(IMPERATIVE_EN))})\s+(?:him|her|them|that|this|me|us)\b).*",
    re.IGNORECASE,
)
"""An order about what was just said adds nothing to it."""
FEWEST_TOLD: Final = 3
"""Words of a fact that is told beside an order."""
FEWEST_LATIN: Final = 3
"""Latin letters of an English clause for one of another script."""
MOST_HEARD: Final = 6
"""Earlier messages of the user in which somebody is looked for."""
_WISHES: Final = (
    "standing",
    "remember_beside",
    "is_answers",
    "is_device",
    "order_negated",
)
_UNSAFE: Final = ("remember", "request_korean", "request_english")
_TIME_OPENING: Final = _LISTS.compile_list("wording.time_opening")
_INDEFINITE: Final = _LISTS.compile_list("wording.indefinite")
_TELLS: Final = compile_lazily(
    r"(?:[다음고서]|거든요?|는데요?|지만|니까)[.!~ ]*$|^뭐 |뭐라"
)
_NAMED: Final = (
    (r"(?:^|(?<= ))저는 ", "사용자는 "),
    (r"(?:^|(?<= ))제가 ", "사용자가 "),
    (r"(?:^|(?<= ))제 ", "사용자의 "),
)
_BARE_NOUN: Final = compile_lazily(r"^사용자는 \S+이다$")
"""What a noun alone answers may be said of somebody else ("몇 학년이에요?" – "중2")."""
_LEADS: Final = PatternFile("gieok.models.rules", "korean_endings.toml").get_words(
    "leading"
)
_KOREAN_OPENING: Final = compile_lazily(
    r"^(?:그리고|근데|그런데|하지만)\s+(?=[A-Za-z])"
)
_THIRD_PERSON: Final = compile_lazily(r"^(?:he|she|they|it)\b", re.IGNORECASE)
_RESUMED: Final = compile_lazily(
    r"^\s*((?:my|our|the)(?: [\w'-]+){1,3}?)(?=[,.!?]|$)", re.IGNORECASE
)
_KOREAN: Final = compile_lazily(r"[가-힣]")
_QUOTES: Final = compile_lazily(r"[“”]")
_ASKS_OR_BREAKS: Final = compile_lazily(r"[?？\n]")
_NEXT_SENTENCE: Final = compile_lazily(r"(?<=[.!?。！？])\s+")
_RETRACTION: Final = _LISTS.compile_list("wording.retraction")
"""What opens a sentence that takes back the one before it."""


def _remove_symbols(text: str) -> str:
    """Drop emoji and other pictures."""
    return "".join(" " if ord(c) >= 0x2190 and not c.isalnum() else c for c in text)  # noqa: PLR2004  (arrows and everything pictorial after them)


def _remove_laughter(text: str) -> str:
    """Drop laughter and pictures."""
    return " ".join(_NOISE.sub(" ", _remove_symbols(text)).split())


def remove_noise(text: str) -> str:
    """Return the words without laughter, pictures and interjections."""
    plain = _remove_laughter(text)
    return _OPENING.sub("", plain).strip(" ,;-—") or plain


def drop_request(text: str) -> str:
    """Return an English text without the order that is hung on it.

    "Ada is our new lead, kindly add her to the list" tells who Ada is; what is to be
    done with it is of the moment.
    """
    found = _REQUEST.search(text)
    if found is None or len(text[: found.start()].split()) < FEWEST_TOLD:
        return text
    return text[: found.start()]


def _measure_opening(text: str) -> int:
    """Return how many characters of interjections a text opens with."""
    blank = len(text) - len(text.lstrip(" \n,;-—"))
    found = _OPENING.match(text[blank:])
    return blank + (found.end() if found else 0)


def trim_interjections(clause: Clause) -> tuple[str, tuple[Morph, ...]]:
    """Return what follows the interjections, and the morphemes placed within it."""
    cut = _measure_opening(clause.written)
    begins = clause.start + cut
    morphemes = tuple(
        m._replace(start=m.start - begins)
        for m in clause.morphemes
        if m.start >= begins
    )
    return clause.written[cut:], morphemes


def convert_clause(
    clause: Clause, *, first: bool, last: bool, linked: bool = False
) -> str | None:
    """Return one clause in the third person, or nothing if that is not safe.

    A clause that is the first has a subject; a Korean one that is `linked` ends so
    that another sentence can follow.
    """
    plain = remove_noise(clause.text)
    opening = _TIME_OPENING.match(plain) if first else None
    if opening is not None:
        rest = english.to_third_person(plain[opening.end() :], first=False)
        return None if rest is None else plain[: opening.end()] + rest
    said = english.to_third_person(plain, first=first)
    if said is not None and (first or not _KOREAN.search(clause.text)):
        return said
    if not _KOREAN.search(clause.text):
        return None
    text, morphemes = trim_interjections(clause)
    return korean.to_third_person(
        text, morphemes, KIN_KO, first=first, last=last, linked=linked
    )


def _drop_order(candidate: ClauseCandidate) -> Clause:
    """Return a clause without an order for the moment; how to answer is for good."""
    clause, flags = candidate.clause, candidate.flags
    if flags["korean"] or flags["is_answers"] or flags["is_device"]:
        return clause
    return replace(clause, text=drop_request(clause.text))


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
    if any(flags[name] for name in _UNSAFE):
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
            _drop_order(candidate), first=number == 0, last=ends
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
    context = KoreanContext(before, first.turn.asked, _is_korean_order(group))
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
    if _KOREAN.search(said + topic):
        return f"사용자는 {topic}에 대해 ‘{said}’라고 답했다"
    return f"Asked about {topic}, the user said: {said}"


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
        told = _render_english(group, earlier)
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
    words = " ".join(_drop_order(candidate).text for candidate in group)
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

    In indirect speech where it can be turned, else quoted; a short message as a whole,
    where it may be.
    """
    turn = group[0].turn
    if len({c.clause.message for c in group}) > 1:
        return None
    morphology = get_shared_morphology()
    said = " ".join(turn.text[c.clause.start : c.clause.end] for c in group)
    text = turn.text if whole and _is_short_message(turn.text) else said
    written = turn.written if turn.is_restated and text == turn.text else text
    context = KoreanContext("", turn.asked, lasting=_is_lasting(group))
    told = (
        render_reported_speech(text, context, morphology)
        or render_reported_speech(said, context, morphology)
        or render_quotation(written, turn.asked, morphology)
    )
    return told and resolve_dates(told, turn.day or today)[:LONGEST]


def is_quotable(message: str) -> bool:
    """Tell whether parts of a message may be quoted.

    Not if it may tell something private, or asks to forget something.
    """
    private = is_private(message) or has_secret_word(message)
    return not (private or FORGET.search(message))


def quote_passage(
    message: str, span: tuple[int, int], asked: str, day: date
) -> str | None:
    """Return a part of a message as a quotation, in Korean with what it answers.

    `span` is where it starts and ends, and `asked` what the message answers. Nothing
    comes back where it is long or of several lines, asks, quotes, is itself quoted, is
    taken back after it or, in English, is a bare answer. `day` is when it was said.
    """
    start, end = span
    text = message[start:end].strip()
    if len(text) > LONGEST_QUOTED or _ASKS_OR_BREAKS.search(text):
        return None
    inner = [(max(s, start), min(e, end)) for s, e in find_quotes(message)]
    quoted = sum(max(0, last - first) for first, last in inner)
    if quoted > LONGEST_INNER_QUOTE or _QUOTES.search(text):
        return None
    if any(map(_RETRACTION.match, _NEXT_SENTENCE.split(message[start:]))):
        return None
    told = (
        _quote_english(_remove_laughter(text).strip(" .,;-—"), asked)
        if is_english(text)
        else render_quotation(text, "" if start else asked, get_shared_morphology())
    )
    return told and resolve_dates(told, day)


def _quote_english(words: str, asked: str) -> str | None:
    """Return what was said in quotation marks, unless it is only an answer."""
    if len(words.split()) < FEWEST_QUOTED and "?" in asked:
        return None
    return f"The user said: “{words}”" if words else None


def _is_lasting(group: Sequence[ClauseCandidate]) -> bool:
    """Tell whether what some clauses ask for may be a wish for good."""
    return any(c.flags[name] for c in group for name in _WISHES)


def _is_short_message(text: str, most: int = SHORT_MESSAGE) -> bool:
    """Tell whether a message may be told as a whole, nothing in it to be left out."""
    kept = not (find_secrets(text) or FORGET.search(text) or "?" in text)
    return kept and len(text) <= most


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
    said = " ".join(c.turn.text[c.clause.start : c.clause.end] for c in group)
    first = group[0]
    before = first.turn.text[: first.clause.start]
    context = KoreanContext(
        before,
        first.turn.asked,
        ordered=_is_korean_order(group),
        lasting=_is_lasting(group),
        continued=_is_continued(group[-1]),
        assumes=assumes,
    )
    return list_memories(said, context, morphology)


def render_own_facts(
    candidate: ClauseCandidate,
    today: date,
    earlier: Sequence[ClauseCandidate],
    *,
    strict: bool = True,
) -> tuple[str, ...]:
    """Return what an English clause says, each fact as a text of its own.

    Only what a stranger understands without the talk is told, which may be nothing;
    what is not `strict` may be clumsy, or an order.
    """
    day = candidate.turn.day or today
    said, beside, before = _collect_english([candidate], earlier)
    if subject := _get_resumed_subject(candidate):
        said[0] = f"{said[0].rstrip(' ,')}, {subject}"
    own = convert_colon(said[0]) if candidate.is_answer else said[0]
    told = select_statements(own, beside, before, candidate.turn.asked, strict=strict)
    return tuple(resolve_dates(text, day)[:LONGEST] for text in told)


def _get_resumed_subject(candidate: ClauseCandidate) -> str:
    """Return "my aunt" where "she is ill" is followed by whom it tells of."""
    rest = candidate.turn.text[candidate.clause.end :]
    opens = _THIRD_PERSON.match(candidate.clause.text)
    found = (
        _RESUMED.match(rest) if opens and "," in candidate.clause.written[-2:] else None
    )
    return found[1] if found else ""


def is_english(text: str) -> bool:
    """Tell whether a clause is English, be it with a Korean word in it."""
    text = _KOREAN_OPENING.sub("", text)
    if has_korean_ending(text):
        return False
    korean_letters = len(_KOREAN.findall(text))
    latin = sum(c.isascii() and c.isalpha() for c in text)
    opens = text.lstrip("\"'([- ")[:1]
    return not korean_letters or (
        opens.isascii() and korean_letters * FEWEST_LATIN < latin
    )


def _render_english(
    group: Sequence[ClauseCandidate], earlier: Sequence[ClauseCandidate]
) -> EnglishMemory:
    """Return English clauses told by what was said before them."""
    return render_english(*_collect_english(group, earlier))


def _is_for_assistant(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause is about a device or how to answer, whatever was asked."""
    return bool(candidate.flags["is_device"] or candidate.flags["is_answers"])


def _collect_english(
    group: Sequence[ClauseCandidate], earlier: Sequence[ClauseCandidate]
) -> tuple[list[str], list[str], list[str]]:
    """Return what is told, clauses beside it and texts before, nearest first."""
    turn = group[0].turn
    back = list(reversed(earlier))
    beside = [c.clause.text for c in back if c.turn.index == turn.index]
    messages = {c.turn.index: c.turn.text for c in back if c.turn.index != turn.index}
    before = [turn.asked, *list(messages.values())[:MOST_HEARD]]
    spoken = [_remove_laughter(_drop_order(candidate).text) for candidate in group]
    said = [_KOREAN_OPENING.sub("", text) for text in spoken]
    if not beside and not (group[0].is_answer or _is_for_assistant(group[0])):
        said[0] = restore_subject(said[0], turn.asked)
    return said, beside, [text for text in before if text]
