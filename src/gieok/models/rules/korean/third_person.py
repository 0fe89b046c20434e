"""Puts a spoken Korean sentence in the third person, whoever it is about."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gieok.models.rules.korean.conjugation import build_ending
from gieok.models.rules.korean.edits import USER, TextEdit, apply_edits
from gieok.models.rules.korean.endings import Mood, has_final
from gieok.models.rules.korean.particles import build_particle_edits
from gieok.models.rules.korean.phrases import NounPhrase
from gieok.models.rules.korean.pronouns import PersonEdits, name_first_person
from gieok.models.rules.korean.sentences import SpokenSentence
from gieok.models.rules.korean.subjects import (
    OWNED,
    PERSONAL,
    PERSONS_BEFORE,
    ROLES,
    THINGS_BEFORE,
    ClauseSubject,
    Subject,
    find_subject,
    get_head,
)
from gieok.models.rules.korean.vocabulary import KIN
from gieok.text.kiwi import Morph, Morphology

_PARTICLES: Final = {
    **dict.fromkeys(("이", "가"), ("이", "가")),
    **dict.fromkeys(("은", "는", "ᆫ"), ("은", "는")),
    **dict.fromkeys(("을", "를", "ᆯ"), ("을", "를")),
}
POSSESSIVE: Final = USER + "의 "


def render_sentence(
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
    if subject is before:  # the phrase stands in another sentence
        subject = replace(subject, phrase=None)
    if said.mood in (Mood.REPORTS, Mood.TOLD):
        subject = _get_lasting(subject)
    return opening + whole, subject


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
        owner = POSSESSIVE if subject.name in KIN | ROLES | OWNED else ""
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
    personal = get_head(morphemes, phrase) in PERSONAL
    named = before.name or before.companion if before is not None else ""
    if before is None or not named or not personal:
        return POSSESSIVE
    if before.kind not in (Subject.SOMEBODY, Subject.USER):
        return POSSESSIVE
    near = named in KIN | ROLES or named == before.companion
    kin = POSSESSIVE if near else ""
    return f"{kin}{named} "


def _is_owned(
    morphemes: Sequence[Morph], phrase: NounPhrase, named: PersonEdits
) -> bool:
    """Tell whether a phrase is of the user's and does not say so."""
    nouns = [m.form for m in morphemes[phrase.first : phrase.last + 1]]
    head = get_head(morphemes, phrase)
    last = morphemes[phrase.last]
    joined = phrase.last > phrase.first and (
        last.tag != "XSN" and morphemes[phrase.last - 1].end == last.start
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
