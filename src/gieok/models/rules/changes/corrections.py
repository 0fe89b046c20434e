"""Makes one statement of what somebody said and of how they corrected it.

"I work in accounting" and then "I mean finance" say that somebody works in finance. The
sentence that was wrong is replaced by the one that is right before anything is judged,
and what is found of it rests on both messages (see `corrected_findings`). What is
corrected stands in the same message, in the one before or, where it is named ("not
accounting"), further back or among what is known. Where it is not plain what a
correction means nothing changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gieok.kernel.language import KnownMemory, Role, Utterance
from gieok.models.rules.changes.correction_markers import (
    find_inner_corrections,
    read_correction,
)
from gieok.models.rules.correction_parts import (
    CorrectionText,
    SentenceCorrection,
)
from gieok.models.rules.english.corrections import (
    list_english_corrections,
    list_openings,
)
from gieok.models.rules.korean.corrections import (
    correct_inside_korean,
    list_korean_corrections,
)
from gieok.models.rules.message_context import normalize_text
from gieok.models.rules.quotes import find_quotes
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

LONGEST: Final = 300
"""Characters of a message in which something is corrected."""
FURTHEST: Final = 6
"""Messages back where what is wrong is named; else only the one before."""
MIN_SIMILARITY: Final = {"en": 0.865, "ko": 0.9}
"""Cosine of two words from which "sorry, finance" puts one in the place of the other.

Chosen by eye from 19 English and 16 Korean pairs: finance and accounting have .92,
dinner and accounting .83. Of 19 that do stand for each other two towns fall below, of
16 that do not "nurse" and "boss", 부산 and 엄마, 땅콩 and 전화 come above."""
_SENTENCE: Final = compile_lazily(r".+?(?:[.!?…。！？]+(?=\s|$)\s*|\n+|$)")
_CLAUSE_SIGNS: Final = " ,.-–—…"

WordPair = tuple[str, str]


class Correction(NamedTuple):
    """Something said that was corrected."""

    message: int
    """The index of the message that says it now as it is right."""
    evidence: tuple[int, ...]
    """The messages that said it together."""
    old: str
    new: str
    said: tuple[str, ...]
    """The sentences, as they were said."""


class KnownCorrection(NamedTuple):
    """Something known that was corrected."""

    memory: KnownMemory
    content: str
    message: int
    """The index of the message that says so."""


@dataclass(frozen=True, slots=True)
class CorrectedTalk:
    """A talk with what was wrong put right."""

    messages: tuple[Utterance, ...]
    corrections: tuple[Correction, ...] = ()
    known: tuple[KnownCorrection, ...] = ()
    unmeasured: frozenset[WordPair] = frozenset()
    """Words of which it has to be known how alike they are."""

    @property
    def restated(self) -> frozenset[int]:
        """The messages that say now what nobody said so."""
        return frozenset(one.message for one in self.corrections)


@dataclass(slots=True)
class _TalkReading:
    """What was read of a talk so far."""

    known: Sequence[KnownMemory]
    morphology: Morphology
    likeness: Mapping[WordPair, float]
    messages: list[Utterance] = field(default_factory=list[Utterance])
    corrections: list[Correction] = field(default_factory=list[Correction])
    changed: list[KnownCorrection] = field(default_factory=list[KnownCorrection])
    unmeasured: set[WordPair] = field(default_factory=set[WordPair])


def correct_talk(
    messages: Sequence[Utterance],
    known: Sequence[KnownMemory],
    morphology: Morphology,
    likeness: Mapping[WordPair, float],
) -> CorrectedTalk:
    """Return a talk in which what the user corrected is said as it is right.

    `likeness` says how alike words are; what it lacks comes back as `unmeasured`, and
    changes nothing yet.
    """
    talk = _TalkReading(known, morphology, likeness)
    for message in messages:
        if message.role != Role.USER or not _can_correct(message.content):
            talk.messages.append(message)
            continue
        content = _read_message(talk, message)
        if content.strip():
            talk.messages.append(replace(message, content=content))
    return CorrectedTalk(
        tuple(talk.messages),
        tuple(talk.corrections),
        tuple(talk.changed),
        frozenset(talk.unmeasured),
    )


def list_sentence_corrections(
    sentence: str, said: CorrectionText, morphology: Morphology
) -> list[SentenceCorrection]:
    """Return what a sentence may become by a correction, the likeliest first."""
    if has_hangul(sentence + said.words):
        return list_korean_corrections(sentence, said.words, said.denied, morphology)
    return list_english_corrections(
        sentence, said.words, said.denied, is_opened=said.is_opened
    )


def _can_correct(text: str) -> bool:
    """Tell whether a message is short, and in the user's own words."""
    return len(text) <= LONGEST and not find_quotes(text)


def _split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the space behind it."""
    return [found[0] for found in _SENTENCE.finditer(text)] if text.strip() else [text]


def _read_message(talk: _TalkReading, message: Utterance) -> str:
    """Return what is left of a message, and correct what it says was wrong."""
    told: list[str] = []
    for sentence in _split_sentences(normalize_text(message.content)):
        if rest := _correct_earlier(talk, message, told, sentence):
            told.append(rest)
        elif rest is None:
            told.append(_correct_inside(talk, message, sentence))
    return "".join(told)


def _correct_earlier(
    talk: _TalkReading, message: Utterance, told: list[str], sentence: str
) -> str | None:
    """Correct what was said before a sentence; return what else it says.

    None comes back where it corrects nothing.
    """
    for said in read_correction(sentence):
        corrected = (
            _correct_sentences(talk, message, told, said, sentence)
            or _correct_messages(talk, message, said, sentence)
            or _correct_known(talk, message, said)
        )
        if corrected:
            return f"{said.rest} " if said.rest else ""
    return None


def _correct_sentences(
    talk: _TalkReading,
    message: Utterance,
    told: list[str],
    said: CorrectionText,
    sentence: str,
) -> bool:
    """Correct a sentence of the same message, if that is meant."""
    for place in range(len(told) - 1, -1, -1):
        found = _find_correction(talk, told[place], said)
        if found is None:
            continue
        as_said = (told[place].strip(), sentence.strip())
        told[place] = found.text
        talk.corrections.append(
            Correction(message.index, (message.index,), found.old, found.new, as_said)
        )
        return True
    return False


def _correct_messages(
    talk: _TalkReading, message: Utterance, said: CorrectionText, sentence: str
) -> bool:
    """Correct a sentence of a message before, if that is meant."""
    named = said.denied and said.is_stated
    if said.is_bare and not named and _is_question_last(talk.messages):
        return False
    own = [n for n, one in enumerate(talk.messages) if one.role == Role.USER]
    for number in reversed(own[-FURTHEST if said.denied else -1 :]):
        former = talk.messages[number]
        sentences = _split_sentences(former.content)
        for place in range(len(sentences) - 1, -1, -1):
            found = (
                _find_correction(talk, sentences[place], said)
                if _can_correct(former.content)
                else None
            )
            if found is None:
                continue
            before = _get_evidence(talk.corrections, former.index)
            talk.corrections.append(
                Correction(
                    former.index,
                    (*before, message.index),
                    found.old,
                    found.new,
                    (sentences[place].strip(), sentence.strip()),
                )
            )
            sentences[place] = found.text
            talk.messages[number] = replace(former, content="".join(sentences))
            return True
    return False


def _get_evidence(corrections: Sequence[Correction], index: int) -> tuple[int, ...]:
    """Return the messages that say together what a message says now."""
    earlier = {n for c in corrections if c.message == index for n in c.evidence}
    return tuple(sorted({index, *earlier}))


def _is_question_last(messages: Sequence[Utterance]) -> bool:
    """Tell whether the assistant has just asked something."""
    last = messages[-1] if messages else None
    return (
        last is not None
        and last.role == Role.ASSISTANT
        and last.content.rstrip().endswith(("?", "？"))
    )


def _correct_known(
    talk: _TalkReading, message: Utterance, said: CorrectionText
) -> bool:
    """Correct the one thing known that names what is said to be wrong."""
    if not said.denied or not said.is_stated:
        return False
    found = [
        (memory, options[0].text)
        for memory in talk.known
        if "“" not in memory.content
        and (
            options := list_sentence_corrections(memory.content, said, talk.morphology)
        )
    ]
    if len(found) != 1:
        return False
    talk.changed.append(KnownCorrection(*found[0], message.index))
    return True


def _correct_inside(talk: _TalkReading, message: Utterance, sentence: str) -> str:
    """Return a sentence in which what was wrong is followed by what is right."""
    for before, after, plain in find_inner_corrections(sentence):
        found = _select_inside(talk, before, after, is_plain=plain)
        if found is not None:
            talk.corrections.append(
                Correction(
                    message.index,
                    (message.index,),
                    found.old,
                    found.new,
                    (sentence.strip(),),
                )
            )
            return found.text.rstrip() + sentence[len(sentence.rstrip()) :]
    return sentence


def _select_inside(
    talk: _TalkReading, before: str, after: str, *, is_plain: bool
) -> SentenceCorrection | None:
    """Return a sentence without what was wrong in it, where that is plain.

    `before` and `after` are what stands around the word that corrects.
    """
    said = CorrectionText("", is_plain=is_plain, is_opened=True)
    if has_hangul(after):
        going_on = correct_inside_korean(before, after, talk.morphology)
        if going_on is not None:
            return _select_correction(talk, [going_on], said)
    for end in _list_ends(after):
        rest = after[end:].lstrip(_CLAUSE_SIGNS) if end < len(after) else ""
        words = after[:end].strip(" .,!~")
        found = _find_correction(talk, before, said._replace(words=words))
        if found is None or (rest.strip() and found.end < len(before.rstrip())):
            continue
        gap = " " if rest.strip() else ""
        return found._replace(text=f"{found.text.rstrip()}{gap}{rest}")
    return None


def _list_ends(after: str) -> Iterator[int]:
    """Yield where what is right may end, in what follows a word that corrects."""
    yield len(after)
    if not has_hangul(after):
        yield from list_openings(after)


def _find_correction(
    talk: _TalkReading, sentence: str, said: CorrectionText
) -> SentenceCorrection | None:
    """Return what a sentence becomes by a correction, where that is plain."""
    if said.topic not in sentence:
        return None
    options = list_sentence_corrections(sentence, said, talk.morphology)
    return _select_correction(talk, options, said)


def _select_correction(
    talk: _TalkReading, options: Sequence[SentenceCorrection], said: CorrectionText
) -> SentenceCorrection | None:
    """Return the one that is plain, or whose words are most alike."""
    if said.is_sigh:
        options = [one for one in options if one.is_typed and not one.is_named]
    typed = [one for one in options if one.is_typed]
    if said.denied or len(typed) == 1:
        return next(iter(typed or options), None)
    if said.is_plain and len(options) == 1:
        return options[0]
    pool = typed or options
    pairs = [(one.old, one.new) for one in pool]
    missing = [pair for pair in pairs if pair not in talk.likeness]
    if missing or not pool:
        talk.unmeasured.update(missing)
        return None
    alike, place = max((talk.likeness[pair], -n) for n, pair in enumerate(pairs))
    least = MIN_SIMILARITY["ko" if has_hangul(pool[0].text) else "en"]
    sure = said.is_plain or bool(typed) or alike >= least
    return pool[-place] if sure else None
