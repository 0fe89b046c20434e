"""Words what a user said in Korean as sentences of the third person.

Spoken Korean is written in standard spelling, cut into sentences, each is ended in the
plain declarative and told of whom it is about. Nothing comes back where it is unclear
who is meant or what is stated; the words themselves stay what was said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.models.rules.candidates import extract_question
from gieok.models.rules.korean import USER, TextEdit, apply_edits
from gieok.models.rules.korean_conjugation import build_ending, has_certain_time
from gieok.models.rules.korean_endings import Mood, get_verb, has_final
from gieok.models.rules.korean_notes import restore_note
from gieok.models.rules.korean_particles import build_particle_edits
from gieok.models.rules.korean_phrases import NounPhrase, list_noun_phrases
from gieok.models.rules.korean_pronouns import (
    PersonEdits,
    name_first_person,
)
from gieok.models.rules.korean_sentences import SpokenSentence, split_sentences
from gieok.models.rules.korean_soundness import find_fault, is_momentary
from gieok.models.rules.korean_subjects import (
    CIRCUMSTANCES,
    KEEPING,
    KIN,
    OWNED,
    PERSONS_BEFORE,
    ROLES,
    THINGS_BEFORE,
    ClauseSubject,
    Subject,
    find_subject,
    get_head,
    is_person,
)
from gieok.models.rules.spoken_korean import standardize_spelling
from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

_FOREIGN_NOUN: Final = compile_lazily(
    r"^(?:[가-힣]+ )?[A-Za-z0-9]+(?: ?[A-Za-z0-9]+)?"
    r"(?:임|야|이야|입니다|이에요|예요|이요|인데|이고|충|러)[ .!~ㅋㅎㅠ]*$"
)
_LONGEST_QUESTION: Final = 160
_PERSONAL: Final = ("이름", "나이", "생일", "별명", "직업")
_PARTICLES: Final = {
    **dict.fromkeys(("이", "가"), ("이", "가")),
    **dict.fromkeys(("은", "는", "ᆫ"), ("은", "는")),
    **dict.fromkeys(("을", "를", "ᆯ"), ("을", "를")),
}
_POSSESSIVE: Final = USER + "의 "
_SHORT: Final = 2  # words of an unclear sentence that may go where others say enough
_CLOSING: Final = 4  # morphemes at the end of a sentence that hold its last verbs
_LONGEST_NOTE: Final = 4  # words of nouns that stand in brackets behind a sentence


@dataclass(frozen=True, slots=True)
class KoreanContext:
    """What was said directly before, and how the words are meant."""

    before: str = ""
    """The same message up to here."""
    asked: str = ""
    """The assistant's turn before it."""
    ordered: bool = False
    """Whether an ending that states or orders ("짧게 답해") orders."""
    lasting: bool = True
    """Whether what is asked for is a wish for good, not a task of the moment."""
    continued: bool = False
    """Whether the sentence goes on behind the words."""
    assumes: bool = True
    """Whether the user is taken for whom nobody else named can be meant."""


def render_spoken_korean(
    text: str, context: KoreanContext, morphology: Morphology
) -> str | None:
    """Return what was said in the third person, or nothing where that is not certain.

    "태호 제대했어" becomes "태호가 제대했다", "나 인저 화투 안 쳐" "사용자는 이제 화투
    안 친다", "짧게 답해 줘" "사용자는 짧게 답해 주기를 바란다".
    """
    if not is_mostly_korean(standardize_spelling(text)):
        return None
    told = list_statements(text, context, morphology)
    parts: list[str] = []
    waiting = ""
    before = _find_subject_before(context, morphology)
    opened: ClauseSubject | None = None
    for sentence in told:
        worded = None
        if not (parts and _is_short_note(sentence)):
            worded = _render_sentence(sentence, before, opened, morphology)
        if worded is not None:
            part, before = worded
            opened = before
            parts.append(part + waiting)
            waiting = ""
            continue
        note = _extract_note(sentence)
        if note is None or len(told) == 1:
            return None
        if parts:
            parts[-1] += note
        else:
            waiting += note
    return ". ".join(parts) or None


def list_statements(
    text: str, context: KoreanContext, morphology: Morphology
) -> list[SpokenSentence]:
    """Return the sentences of a text, its questions left out where it says more."""
    standard = restore_note(standardize_spelling(text), morphology)
    sentences = split_sentences(standard, morphology, ordered=context.ordered)
    kept = [s for s in sentences if not _is_keeping_request(s)]
    return [s for s in kept if not s.asks] or kept


def list_memories(
    text: str, context: KoreanContext, morphology: Morphology
) -> list[str] | None:
    """Return what was said as sentences that each stand by themselves.

    Nothing comes back where a part of it cannot be told so that a stranger understands
    it a year later.
    """
    if not is_mostly_korean(standardize_spelling(text)):
        return None
    sentences = list_statements(text, context, morphology)
    if context.continued and not (sentences and _is_complete(sentences[-1])):
        return None
    found: list[str] = []
    talk = _read_surroundings(context, morphology)
    for sentence in sentences:
        if is_of_the_moment(sentence, context, morphology):
            continue
        note = _extract_note(sentence) if found else None
        noted = bool(note) and _is_short_note(sentence)
        told = None if noted else _render_memory(sentence, talk, morphology)
        if told is not None:
            found.append(told)
        elif note:
            found[-1] += note
        else:
            return None
    return found


@dataclass(slots=True)
class _Surroundings:
    """Whom what was said so far is about, which goes on with every sentence."""

    before: ClauseSubject | None
    of_user: bool
    """Whether the sentence before names the user as what it is about."""
    doubtful: bool
    """Whether somebody else than the user may be meant where nobody is named."""
    of_persons: bool
    """Whether a question waits for an answer that names a person."""


def _read_surroundings(context: KoreanContext, morphology: Morphology) -> _Surroundings:
    """Return whom the message so far, and the question before it, are about."""
    question = extract_question(context.asked)
    other = _find_person_in_question(context.asked, morphology) is not None
    unsure = bool(context.before or question) and not context.assumes
    return _Surroundings(
        _find_subject_before(context, morphology),
        _is_about_user(context.before, morphology),
        other or unsure or _has_other_person(context.before, morphology),
        other or (bool(question) and not context.assumes),
    )


def _render_memory(
    sentence: SpokenSentence, talk: _Surroundings, morphology: Morphology
) -> str | None:
    """Return a sentence in the third person if it stands by itself."""
    worded = _render_sentence(sentence, talk.before, None, morphology)
    if worded is None:
        return None
    told, subject = worded
    named = _has_subject(sentence, persons=talk.of_persons)
    clear = named or talk.of_user or not talk.doubtful
    orders = _can_be_order(sentence)
    if not clear or find_fault(told, morphology, may_order=orders) is not None:
        return None
    talk.before, talk.of_persons = subject, False
    talk.of_user = subject.kind is Subject.USER
    another = subject.kind is Subject.SOMEBODY or bool(subject.name)
    talk.doubtful = talk.doubtful or another
    return told


def _can_be_order(sentence: SpokenSentence) -> bool:
    """Tell whether what states something may be an order: "켜 놔", not "켜 놔요"."""
    said, morphemes = sentence.predicate, sentence.morphemes
    if said is None or said.form not in ("어", "아", "여", "고", ""):
        return False
    polite = any(m.form == "요" for m in morphemes[-2:])
    return not (polite or name_first_person(sentence.text, morphemes, said).opening)


def _is_complete(sentence: SpokenSentence) -> bool:
    """Tell whether a clause that leads to another says something by itself.

    "무릎이 아파서" does; "장사 끝나면" does not, nor does what says not when it was
    ("수술을 두 번 해서").
    """
    said = sentence.predicate
    if said is None or said.mood is Mood.LEADS_ON:
        return False
    return said.mood is not Mood.REASONS or has_certain_time(sentence.morphemes, said)


def _has_other_person(text: str, morphology: Morphology) -> bool:
    """Tell whether a text is about somebody else than the user, if only in part."""
    return any(
        (phrase.is_subject or phrase.is_topic)
        and (is_person(morphemes, phrase) or _is_of_person(morphemes, phrase))
        for morphemes in [morphology.analyze(standardize_spelling(text))]
        for phrase in list_noun_phrases(morphemes)
    )


def _is_of_person(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase is about something of a person's ("강아지 이름은")."""
    nouns = morphemes[phrase.first : phrase.last + 1]
    return any(m.form in KIN | ROLES for m in nouns)


def _is_about_user(text: str, morphology: Morphology) -> bool:
    """Tell whether the last sentence before names the user as what it is about."""
    for sentence in split_sentences(standardize_spelling(text), morphology)[-1:]:
        said = sentence.predicate
        if said is not None:
            own = name_first_person(sentence.text, sentence.morphemes, said)
            return bool(own.opening)
    return False


def is_of_the_moment(
    sentence: SpokenSentence, context: KoreanContext, morphology: Morphology
) -> bool:
    """Tell whether a sentence promises or asks for something now, no lasting wish."""
    said, morphemes = sentence.predicate, sentence.morphemes
    if said is None:
        return False
    if said.mood in (Mood.REQUESTS, Mood.WISHES):
        task = said.mood is Mood.REQUESTS and not context.lasting
        return task or is_momentary(sentence.text, morphology)
    politely = any(m.form == "드리" for m in morphemes[-_CLOSING:])
    return politely and (said.supposes or said.mood is Mood.INTENDS)


def _has_subject(sentence: SpokenSentence, *, persons: bool) -> bool:
    """Tell whether a sentence itself says whom or what it is about.

    Of what answers a question only `persons` do.
    """
    said, morphemes = sentence.predicate, sentence.morphemes
    if said is None:
        return False
    if said.mood is Mood.REQUESTS:
        return True
    own = name_first_person(sentence.text, morphemes, said)
    return bool(own.opening) or any(
        (p.is_subject or p.is_topic)
        and get_head(morphemes, p) not in CIRCUMSTANCES
        and (not persons or is_person(morphemes, p))
        for p in list_noun_phrases(morphemes)
    )


def _is_short_note(sentence: SpokenSentence) -> bool:
    """Tell whether a sentence is some nouns that belong to the one before."""
    return sentence.is_note and len(sentence.text.split()) <= _LONGEST_NOTE


def _extract_note(sentence: SpokenSentence) -> str | None:
    """Return what stands in brackets of a sentence that is not told by itself.

    Nothing comes back for one that is too long to be a remark.
    """
    if _is_short_note(sentence):
        return f"({sentence.text})"
    said = sentence.predicate
    if len(sentence.text.split()) > _SHORT:
        return None
    named = said is not None and said.tag == "VCP" and said.stem == "이"
    return f"({sentence.text[: said.start]})" if said and named else ""


def _is_keeping_request(sentence: SpokenSentence) -> bool:
    """Tell whether a sentence asks for no more than that this be remembered."""
    said = sentence.predicate
    if said is None or get_verb(sentence.morphemes, said) not in KEEPING:
        return False
    left = said.tag == "VX" and said.stem in ("두", "놓") and said.mood is Mood.STATES
    return said.mood is Mood.REQUESTS or left


def is_mostly_korean(text: str) -> bool:
    """Tell whether a text is mostly Korean."""
    latin = sum(c.isascii() and c.isalpha() for c in text)
    few = latin <= sum("가" <= c <= "힣" for c in text)
    return has_hangul(text) and (few or has_korean_ending(text))


def has_korean_ending(text: str) -> bool:
    """Tell whether a foreign word or two are what somebody is in Korean: "INFP임"."""
    return _FOREIGN_NOUN.match(text) is not None


def _find_subject_before(
    context: KoreanContext, morphology: Morphology
) -> ClauseSubject | None:
    """Return whom the message, or the question before it, was last about."""
    found = _find_person_in_question(context.asked, morphology)
    if not context.before.strip():
        return found
    sentences = split_sentences(standardize_spelling(context.before), morphology)
    for sentence in sentences[-3:]:
        said = sentence.predicate
        if said is None:
            continue
        named = name_first_person(sentence.text, sentence.morphemes, said)
        subject = find_subject(sentence.morphemes, said, found, own=bool(named.opening))
        found = subject if subject.kind is not Subject.UNCLEAR else found
    return found


def _find_person_in_question(
    asked: str, morphology: Morphology
) -> ClauseSubject | None:
    """Return the person the assistant spoke of last as a subject or topic."""
    morphemes = morphology.analyze(extract_question(asked)[-_LONGEST_QUESTION:])
    found: ClauseSubject | None = None
    for phrase in list_noun_phrases(morphemes):
        head = get_head(morphemes, phrase)
        titled = morphemes[phrase.last].form in ("씨", "님", "군", "양", "이")
        person = head in KIN | ROLES or (titled and phrase.last > phrase.first)
        if person and (phrase.is_subject or phrase.is_topic):
            found = ClauseSubject(Subject.SOMEBODY, phrase, head, is_asked=True)
    return found


def _render_sentence(
    sentence: SpokenSentence,
    before: ClauseSubject | None,
    opened: ClauseSubject | None,
    morphology: Morphology,
) -> tuple[str, ClauseSubject] | None:
    """Return one sentence in the third person, and whom it is about."""
    said, text, morphemes = sentence.predicate, sentence.text, sentence.morphemes
    if said is None or sentence.asks:
        return None
    ending = build_ending(text, morphemes, said, morphology)
    if ending is None:
        return None
    named = name_first_person(text, morphemes, said)
    subject = find_subject(morphemes, said, before, own=bool(named.opening))
    if subject.kind is Subject.USER and not named.opening:
        named = name_first_person(text, morphemes, said, is_user=True)
    pointed = _name_pointed(morphemes, before)
    follows = opened is not None and said.tag == "VCP"
    if pointed is None or (subject.kind is Subject.UNCLEAR and not follows):
        return None
    particles = build_particle_edits(text, morphemes, said)
    edits = [e for e in (*named.edits, *pointed, *particles) if e.end <= ending.start]
    opening, more = _build_opening_edits(morphemes, subject, named, before)
    plain = named.opening in ("", USER + "는 ")
    if opened is not None and _is_same(subject, opened) and plain:
        opening = ""
    whole = apply_edits(text, [*edits, *more, ending])
    said_by_others = said.mood in (Mood.REPORTS, Mood.TOLD)
    return opening + whole, _get_lasting(subject) if said_by_others else subject


def _get_lasting(subject: ClauseSubject) -> ClauseSubject:
    """Return whom a report is about, who is not who acts in the next sentence."""
    return replace(subject, is_asked=True)


def _is_same(one: ClauseSubject, other: ClauseSubject) -> bool:
    """Tell whether two sentences are about the same, so that it is said once."""
    if one.kind is Subject.USER:
        return other.kind is Subject.USER
    return one is other


def _build_opening_edits(
    morphemes: Sequence[Morph],
    subject: ClauseSubject,
    named: PersonEdits,
    before: ClauseSubject | None,
) -> tuple[str, list[TextEdit]]:
    """Return how a sentence opens, and the edits of the phrase that it is about."""
    if subject.kind is Subject.USER:
        return named.opening or USER + "는 ", []
    if subject is before:
        owner = _POSSESSIVE if subject.name in KIN | ROLES | OWNED else ""
        return f"{owner}{subject.name}{'은' if has_final(subject.name) else '는'} ", []
    phrase = subject.phrase
    if phrase is None:
        return "", []
    edits: list[TextEdit] = []
    head = morphemes[phrase.last]
    following = morphemes[phrase.last + 1 : phrase.last + 2]
    if following and following[0].tag in ("MM", "NR", "SN"):
        return "", []
    if subject.is_bare:
        happened = any(m.tag == "EP" and m.form in ("었", "았") for m in morphemes)
        topic, actor = ("은", "이") if has_final(head.form) else ("는", "가")
        edits.append(TextEdit(head.end, head.end, actor if happened else topic))
    if _is_owned(morphemes, phrase, named):
        start = _find_beginning(morphemes, phrase)
        edits.append(TextEdit(start, start, _name_owner(morphemes, phrase, before)))
    return "", edits


def _name_owner(
    morphemes: Sequence[Morph], phrase: NounPhrase, before: ClauseSubject | None
) -> str:
    """Return whose a name or an age is: theirs of whom was spoken just before."""
    personal = get_head(morphemes, phrase) in _PERSONAL
    if before is None or not before.name or not personal:
        return _POSSESSIVE
    if before.kind not in (Subject.SOMEBODY, Subject.USER):
        return _POSSESSIVE
    kin = _POSSESSIVE if before.name in KIN | ROLES else ""
    return f"{kin}{before.name} "


def _is_owned(
    morphemes: Sequence[Morph], phrase: NounPhrase, named: PersonEdits
) -> bool:
    """Tell whether a phrase is of the user's and does not say so."""
    nouns = [m.form for m in morphemes[phrase.first : phrase.last + 1]]
    head = get_head(morphemes, phrase)
    joined = phrase.last > phrase.first and (
        morphemes[phrase.last - 1].end == morphemes[phrase.last].start
    )
    if head not in KIN | ROLES and (joined or head not in OWNED):
        return False
    start = morphemes[phrase.first].start
    before = morphemes[phrase.first - 1] if phrase.first else None
    owned = before is not None and before.tag in ("JKG", "ETM", "NP")
    touched = any(e.start <= start <= e.end + 1 for e in named.edits)
    owned = owned or any(e.text.endswith("의") for e in named.edits)
    foreign = any(m.tag == "NNP" for m in morphemes[phrase.first : phrase.last])
    return not (owned or touched or foreign or USER in nouns or "자" in nouns[:1])


def _find_beginning(morphemes: Sequence[Morph], phrase: NounPhrase) -> int:
    """Return where a phrase begins with its determiner ("새 학교")."""
    before = morphemes[phrase.first - 1] if phrase.first else None
    own = before is not None and before.tag == "MM"
    return before.start if before and own else morphemes[phrase.first].start


def _name_pointed(
    morphemes: Sequence[Morph], before: ClauseSubject | None
) -> list[TextEdit] | None:
    """Return the edits that name whom "걔" means; nothing if that is not known."""
    edits: list[TextEdit] = []
    for place, one in enumerate(morphemes):
        if one.tag != "NP":
            continue
        if one.form in PERSONS_BEFORE:
            if _has_person_before(morphemes, place):
                continue
            if before is None or before.kind is not Subject.SOMEBODY:
                return None
            edits.append(_name_person(morphemes, place, before.name))
        elif one.form in THINGS_BEFORE and not (
            _has_noun_before(morphemes, place) or _is_named_next(morphemes, place)
        ):
            return None
    return edits


def _name_person(morphemes: Sequence[Morph], place: int, name: str) -> TextEdit:
    """Return the edit of "걔가" with the particle that fits the name."""
    one = morphemes[place]
    following = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if following is None or following.tag not in ("JKS", "JX", "JKO"):
        return TextEdit(one.start, one.end, name)
    fitting = _PARTICLES.get(following.form)
    if fitting is None:
        return TextEdit(one.start, one.end, name)
    end = max(one.end, following.end)
    return TextEdit(one.start, end, name + fitting[not has_final(name)])


def _is_named_next(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether what is pointed at stands directly behind ("이곳 순창")."""
    return any(m.tag == "NNP" for m in morphemes[place + 1 : place + 2])


def _has_person_before(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether the sentence itself names the person that is pointed at."""
    return any(m.tag == "NNP" or m.form in KIN | ROLES for m in morphemes[:place])


def _has_noun_before(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether the sentence itself names what is pointed at."""
    return any(m.tag in ("NNG", "NNP") for m in morphemes[:place])
