"""Words what a user said in Korean as sentences of the third person.

Spoken Korean is written in standard spelling, cut into sentences, each is ended in the
plain declarative and told of whom it is about. Nothing comes back where it is unclear
who is meant or what is stated; the words themselves stay what was said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.models.rules.korean.conjugation import has_certain_time
from gieok.models.rules.korean.edits import USER
from gieok.models.rules.korean.endings import Mood, get_verb
from gieok.models.rules.korean.joined_statements import is_age_statement, split_joined
from gieok.models.rules.korean.notes import restore_note
from gieok.models.rules.korean.phrases import NounPhrase, list_noun_phrases
from gieok.models.rules.korean.pronouns import name_first_person
from gieok.models.rules.korean.questions import drop_honorifics
from gieok.models.rules.korean.sentences import SpokenSentence, split_sentences
from gieok.models.rules.korean.soundness import find_fault, is_momentary
from gieok.models.rules.korean.spoken import standardize_spelling
from gieok.models.rules.korean.subjects import (
    CIRCUMSTANCES,
    KEEPING,
    ME,
    NAMED_THINGS,
    PERSONAL,
    ROLES,
    ClauseSubject,
    Subject,
    find_introduced,
    find_subject,
    get_head,
    is_of_persons,
    is_person,
)
from gieok.models.rules.korean.texts import is_mostly_korean
from gieok.models.rules.korean.third_person import POSSESSIVE, render_sentence
from gieok.models.rules.korean.vocabulary import (
    ASKING,
    KIN,
    MEASURED_ATTRIBUTES,
    NAMED_ATTRIBUTES,
)
from gieok.models.rules.questions import extract_question
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile

_INTRODUCING: Final = PatternFile(
    "gieok.models.rules.korean", "subjects.toml"
).get_words("introducing")
_ATTRIBUTES: Final = NAMED_ATTRIBUTES | MEASURED_ATTRIBUTES
"""What people have, so that it has no name itself: "나이는 서른이고 …"."""
_LONGEST_QUESTION: Final = 160
_SHORT: Final = 2  # words of an unclear sentence that may go where others say enough
_UNBEARABLE: Final = ("죽", "미치", "돌", "환장하")
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
    earlier: str = ""
    """The user's message before, where the assistant asked nothing in between."""


def render_spoken_korean(
    text: str, context: KoreanContext, morphology: Morphology
) -> str | None:
    """Return what was said in the third person, or nothing where that is not certain.

    "태호 제대했어" becomes "태호가 제대했다", "나 인저 화투 안 쳐" "사용자는 이제 화투
    안 친다", "짧게 답해 줘" "사용자는 짧게 답해 주기를 바란다".
    """
    if not is_mostly_korean(standardize_spelling(text, morphology)):
        return None
    told = list_statements(text, context, morphology)
    parts: list[str] = []
    waiting = ""
    before = _find_subject_before(context, morphology)
    opened: ClauseSubject | None = None
    for sentence in told:
        worded = None
        if not (parts and _is_short_note(sentence)):
            worded = render_sentence(sentence, before, opened, morphology)
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
    standard = restore_note(standardize_spelling(text, morphology), morphology)
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
    if not is_mostly_korean(standardize_spelling(text, morphology)):
        return None
    sentences = list_statements(text, context, morphology)
    if context.continued and not (sentences and _is_complete(sentences[-1])):
        return None
    found: list[str] = []
    talk = _read_surroundings(context, morphology)
    for sentence in sentences:
        if is_of_the_moment(sentence, context, morphology):
            continue
        if parts := _render_joined(sentence, talk, morphology):
            found += parts
            continue
        note = _extract_note(sentence) if found else None
        noted = bool(note) and _is_short_note(sentence)
        told = None if noted else _render_whole(sentence, talk, morphology)
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
    introduced: str
    """Whom the user has, as was just said in the same sentence: "딸 하나 있는데"."""
    has_named_thing: bool
    """Whether a boat, a shop or the like was spoken of, which may have a name."""


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
        find_introduced(morphology.analyze(context.before)),
        _has_named_thing(morphology.analyze(context.before)),
    )


def _has_named_thing(morphemes: Sequence[Morph]) -> bool:
    """Tell whether words name a thing or an animal that is often given a name."""
    return any(
        (m.form in NAMED_THINGS and m.tag.startswith("N"))
        or (m.form, m.tag) == ("개", "NNG")
        for m in morphemes
    )


def _render_joined(
    sentence: SpokenSentence, talk: _Surroundings, morphology: Morphology
) -> list[str]:
    """Return the facts that a sentence joins, if each stands by itself."""
    parts = split_joined(sentence, morphology)
    if len(parts) == 1:
        return []
    talking, found = replace(talk), list[str]()
    for part in parts:
        before = talking.before
        told = _render_memory(part, talking, morphology)
        if told is None or (
            found and not _is_attached(part, told, before, talking.before)
        ):
            return []
        found.append(told)
        talking.doubtful = False
    talk.before, talk.of_user = talking.before, talking.of_user
    talk.doubtful = talk.doubtful or not talking.of_user
    talk.of_persons = False
    return found


def _render_whole(
    sentence: SpokenSentence, talk: _Surroundings, morphology: Morphology
) -> str | None:
    """Return a sentence as one memory, if it is clear whom all of it is about."""
    told = _render_memory(sentence, talk, morphology)
    if told is None or _has_doubtful_owner(told, sentence, morphology):
        return None
    return told


def _has_doubtful_owner(
    told: str, sentence: SpokenSentence, morphology: Morphology
) -> bool:
    """Tell whether a joined sentence names the user only behind somebody else.

    "동생은 학생이고 키가 커" says of nobody else that they are tall, and no name is
    three years old in "이름은 두부고 세 살이야".
    """
    topic = next(list_noun_phrases(sentence.morphemes), None)
    attributed = topic is not None and (
        get_head(sentence.morphemes, topic) in NAMED_ATTRIBUTES
    )
    named = attributed or (USER in told[1:] and not told.startswith(f"{USER}는 "))
    own = any(m.tag == "NP" and m.form in ME for m in sentence.morphemes)
    return named and not own and len(split_joined(sentence, morphology)) > 1


def _is_attached(
    part: SpokenSentence,
    told: str,
    before: ClauseSubject | None,
    subject: ClauseSubject | None,
) -> bool:
    """Tell whether it is clear whom a part of a sentence is about, after another.

    It says so, or goes on about the same: after "여자친구는 디자이너고" nobody says who
    works late in "야근이 많아".
    """
    named = _has_subject(part, persons=True) or is_age_statement(part.text)
    if before is None or subject is None or named:
        return True
    if before.name and f"{POSSESSIVE}{before.name} " in told:
        return True
    of_user = before.kind is Subject.USER and not before.name
    if of_user or before.kind is Subject.SOMETHING:
        return told.startswith(POSSESSIVE) or (of_user and subject.kind is before.kind)
    return subject.kind is before.kind and subject.name == before.name


def _render_memory(
    sentence: SpokenSentence, talk: _Surroundings, morphology: Morphology
) -> str | None:
    """Return a sentence in the third person if it stands by itself."""
    introduced, talk.introduced = talk.introduced, ""
    if introduced and _can_be_of_person(sentence):
        talk.before = ClauseSubject(Subject.SOMEBODY, name=introduced)
    worded = render_sentence(sentence, talk.before, None, morphology)
    if worded is None:
        return None
    told, subject = worded
    if _is_of_thing_before(sentence, subject, talk):
        return None
    named = _has_subject(sentence, persons=talk.of_persons)
    asked = talk.before is not None and talk.before.is_asked_about
    clear = named or asked or talk.of_user or not talk.doubtful
    orders = _can_be_order(sentence)
    if not clear or find_fault(told, morphology, may_order=orders) is not None:
        return None
    talk.before, talk.of_persons = _name_owner_of_thing(subject, sentence), False
    talk.of_user = subject.kind is Subject.USER
    another = subject.kind is Subject.SOMEBODY or bool(subject.name)
    talk.doubtful = talk.doubtful or another
    return told


def _can_be_of_person(sentence: SpokenSentence) -> bool:
    """Tell whether a sentence may be about somebody who was just introduced."""
    said = sentence.predicate
    own = any(m.tag == "NP" and m.form in ME for m in sentence.morphemes)
    goes_on = said is not None and is_of_persons(sentence.morphemes, said)
    return goes_on and not own


def _is_of_thing_before(
    sentence: SpokenSentence, subject: ClauseSubject, talk: _Surroundings
) -> bool:
    """Tell whether a name may be that of a thing: "가게가 작아요. 이름은 …"."""
    morphemes, phrase = sentence.morphemes, subject.phrase
    things = talk.has_named_thing or _has_named_thing(
        morphemes[: phrase.first] if phrase else ()
    )
    talk.has_named_thing |= _has_named_thing(morphemes)
    if phrase is None or get_head(morphemes, phrase) not in PERSONAL:
        return False
    own = any(m.tag == "NP" and m.form in ME for m in morphemes[: phrase.first])
    of_it = talk.before is not None and (
        talk.before.kind is Subject.SOMETHING and talk.before.name not in _ATTRIBUTES
    )
    return of_it or (things and not own)


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


def is_of_person_before(text: str, before: str, morphology: Morphology) -> bool:
    """Tell whether a text names no subject, and what stands before it is of others.

    "남자친구가 취업했어. 판교에서 일해": nobody says that the user does.
    """
    if not before.strip() or not _has_other_person(before, morphology):
        return False
    sentences = list_statements(text, KoreanContext(), morphology)
    return bool(sentences) and not _has_subject(sentences[0], persons=True)


def _has_other_person(text: str, morphology: Morphology) -> bool:
    """Tell whether a text is about somebody else than the user, if only in part."""
    return any(
        (phrase.is_subject or phrase.is_topic)
        and (is_person(morphemes, phrase) or _is_of_person(morphemes, phrase))
        for morphemes in [morphology.analyze(standardize_spelling(text, morphology))]
        for phrase in list_noun_phrases(morphemes)
    )


def _is_of_person(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase is about something of a person's ("강아지 이름은")."""
    nouns = morphemes[phrase.first : phrase.last + 1]
    return any(m.form in KIN | ROLES for m in nouns)


def _is_about_user(text: str, morphology: Morphology) -> bool:
    """Tell whether the last sentence before names the user as what it is about."""
    for sentence in split_sentences(standardize_spelling(text, morphology), morphology)[
        -1:
    ]:
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
    if said.supposes and _is_exaggeration(morphemes):
        return True
    if said.mood in (Mood.REQUESTS, Mood.WISHES):
        task = said.mood is Mood.REQUESTS and not context.lasting
        return task or is_momentary(sentence.text, morphology)
    politely = any(m.form == "드리" for m in morphemes[-_CLOSING:])
    return politely and (said.supposes or said.mood is Mood.INTENDS)


def _is_exaggeration(morphemes: Sequence[Morph]) -> bool:
    """Tell whether a sentence only says that something is hard to bear: "죽겠어요"."""
    words = [m for m in morphemes if m.tag not in ("MAG", "MAJ", "IC", "NP", "JX")]
    stem = words[0].form if words else ""
    return stem in _UNBEARABLE and all(m.tag[0] in "ES" for m in words[1:])


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


def _get_owner(morphemes: Sequence[Morph], phrase: NounPhrase) -> str:
    """Return the noun of a phrase; of whom it is where all have it: 강아지 이름."""
    head = get_head(morphemes, phrase)
    if head not in PERSONAL or phrase.last == phrase.first:
        return head
    return morphemes[phrase.last - 1].form


def _find_subject_before(
    context: KoreanContext, morphology: Morphology
) -> ClauseSubject | None:
    """Return whom the message, or the question before it, was last about."""
    found = _find_person_in_question(context.asked, morphology)
    if not context.before.strip():
        return found or _find_introduced(context.earlier, morphology)
    sentences = split_sentences(
        standardize_spelling(context.before, morphology), morphology
    )
    for sentence in sentences[-3:]:
        said = sentence.predicate
        if said is None:
            continue
        named = name_first_person(sentence.text, sentence.morphemes, said)
        subject = find_subject(sentence.morphemes, said, found, own=bool(named.opening))
        subject = _name_owner_of_thing(subject, sentence)
        found = subject if subject.kind is not Subject.UNCLEAR else found
    return found


def _find_introduced(earlier: str, morphology: Morphology) -> ClauseSubject | None:
    """Return the only one whom a message ends by introducing, with its user.

    After "남자친구 생겼어" the next message may begin with "이름은 민호".
    """
    sentences = split_sentences(standardize_spelling(earlier, morphology), morphology)
    if not sentences or (said := sentences[-1].predicate) is None:
        return None
    if get_verb(sentences[-1].morphemes, said) not in _INTRODUCING:
        return None
    subject = find_subject(sentences[-1].morphemes, said, None, own=False)
    owner = _name_owner_of_thing(subject, sentences[-1])
    return owner if owner.companion or owner.name else None


def _name_owner_of_thing(
    subject: ClauseSubject, sentence: SpokenSentence
) -> ClauseSubject:
    """Return whom the next sentence goes on about after one about a thing.

    "고양이 키우는데 털이 …" goes on about the cat, if that is the only one it names.
    One about the user only says whose a name is: "여자친구 있어. 이름은 수아".
    """
    of_user = subject.kind is Subject.USER and not subject.name
    if not of_user and subject.kind is not Subject.SOMETHING:
        return subject
    phrases = [*list_noun_phrases(sentence.morphemes)]
    get_noun = get_head if of_user else _get_owner
    heads = {get_noun(sentence.morphemes, each) for each in phrases} & (KIN | ROLES)
    if len(heads) != 1:
        return subject
    if of_user:
        last = next(p for p in phrases if get_head(sentence.morphemes, p) in heads)
        return replace(subject, companion=_join_head(sentence.morphemes, last))
    return ClauseSubject(Subject.USER, name=heads.pop())


def _join_head(morphemes: Sequence[Morph], phrase: NounPhrase) -> str:
    """Return the head of a phrase with the noun that is written as one with it."""
    head = get_head(morphemes, phrase)
    before = morphemes[phrase.last - 1] if phrase.last > phrase.first else None
    joined = before is not None and before.end == morphemes[phrase.last].start
    return before.form + head if before and joined and head in ROLES else head


def _find_person_in_question(
    asked: str, morphology: Morphology
) -> ClauseSubject | None:
    """Return the person the assistant spoke of last as a subject or topic.

    What answers a question that opens with them and asks what, where or how is told of
    them ("따님은 무슨 일 하세요?"); else only what honours somebody is.
    """
    question = drop_honorifics(extract_question(asked)[-_LONGEST_QUESTION:], morphology)
    morphemes = morphology.analyze(question)
    found: ClauseSubject | None = None
    for phrase in list_noun_phrases(morphemes):
        head = get_head(morphemes, phrase)
        titled = morphemes[phrase.last].form in ("씨", "님", "군", "양", "이")
        person = head in KIN | ROLES or (titled and phrase.last > phrase.first)
        if person and (phrase.is_subject or phrase.is_topic):
            asks = phrase.first == 0 and any(m.form in ASKING for m in morphemes)
            found = ClauseSubject(
                Subject.SOMEBODY, phrase, head, is_asked=not asks, is_asked_about=asks
            )
    return found
