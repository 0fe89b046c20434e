"""Names whom a question or an answer is about, where it leaves that to the talk before.

"What's her name?" and "몇 살이에요?" are about the daughter or the dog that the user
has just spoken of, and "목포 사셔" about the mother: nobody honours themselves. Named,
they can be stated.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english.people import find_own_person
from gieok.models.rules.english.reference import is_owned, is_perfect
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.phrases import list_noun_phrases
from gieok.models.rules.korean.subjects import CIRCUMSTANCES, get_head, is_honouring
from gieok.models.rules.korean.vocabulary import NO, OF_OTHERS, YES
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_SUBJECTS: Final = {"he": "he", "she": "she", "they": "they"}
_OWNERS: Final = {"his": "he", "her": "she", "their": "they", "its": "he"}
_OBJECTS: Final = {"him": "he", "her": "she", "them": "they"}
_CONTRACTED: Final = {"'re": " are", "'ve": " have", "'ll": " will"}
_PARTICLE: Final = compile_lazily(r"^(?:은|는|이|가)(?=\s)")
_ASKED_OF: Final = _LISTS.compile_list("korean.asked_of")
_OWNERS_KO: Final = KIN_KO | OF_OTHERS
_ORDERING: Final = ("세요", "시오", "시죠", "실래요", "시지")
"""What an order may end in, or what is said of the one spoken to."""
MAX_BEFORE: Final = 2
"""Messages of the user before a question that it may go back to."""


def name_question_subject(
    question: str, before: Sequence[str], morphology: Morphology
) -> str:
    """Return a question with the person or pet named that it goes back to.

    `before` is what the user said before it, the nearest first. The question comes back
    as it was if it names somebody itself, or if nobody of the user's was spoken of.
    """
    near = before[:MAX_BEFORE]
    if not near or not question:
        return question
    if has_hangul(question):
        return _name_korean_subject(question, near, morphology)
    return _name_english_subject(question, near)


def name_honoured(
    said: str, asked: str, before: Sequence[str], morphology: Morphology
) -> str | None:
    """Return what was said with the relative named whom it speaks of with respect.

    `asked` is what the assistant had said, `before` what the user said before that, the
    nearest first: the first of these that speaks of anybody of theirs names one.
    Nothing if it names somebody itself, may ask or order something, or honours nobody.
    """
    words = NO.sub("", YES.sub("", said))
    morphemes = morphology.analyze(words)
    last = [m for m in morphemes if m.tag[0] != "S"][-1:]
    if not last or last[0].form.endswith(_ORDERING) or "?" in words:
        return None
    kin = _list_kin((asked, *before[:1]), morphology)
    if _has_subject(morphemes) or len(kin) != 1 or not is_honouring(morphemes):
        return None
    return f"{append_particle(kin[0], '이', '가')} {words}"


def _has_subject(morphemes: Sequence[Morph]) -> bool:
    """Tell whether Korean words have a subject, or count people."""
    if any(m.form in KIN_KO or (m.form, m.tag) == ("분", "NNB") for m in morphemes):
        return True
    return any(
        (each.is_subject or each.is_topic)
        and get_head(morphemes, each) not in CIRCUMSTANCES
        for each in list_noun_phrases(morphemes)
    )


def _name_english_subject(question: str, before: Sequence[str]) -> str:
    """Return a question with its pronoun of a person put down as that person."""
    tokens = split_tokens(question)
    named: list[Token] = []
    for number, token in enumerate(tokens):
        stem, mark, rest = token.low.partition("'")
        following = tokens[number + 1].low if number + 1 < len(tokens) else ""
        owner = stem in _OWNERS and (stem != "her" or is_owned(following))
        known = _OWNERS if owner else _SUBJECTS | _OBJECTS
        pronoun = known.get(stem)
        found = find_own_person(pronoun, before) if pronoun else None
        if found is None:
            named.append(token)
            continue
        told = f"your {found[3:]}"
        if owner:
            told += "'s"
        elif mark + rest == "'s":
            told += " has" if is_perfect(following) else " is"
        else:
            told += _CONTRACTED.get(mark + rest, mark + rest)
        first, *others = split_tokens(told)
        named += [Token(first.text, token.spaced), *others]
    return join_tokens(named)


def _name_korean_subject(
    question: str, before: Sequence[str], morphology: Morphology
) -> str:
    """Return a question that opens with what is asked of somebody, with them named."""
    asked = _ASKED_OF.match(question)
    kin = _list_kin(before, morphology) if asked else []
    if asked is None or not kin:
        return question
    if len(kin) > 1:
        return ""
    owned = _PARTICLE.match(question[asked.end() :]) is not None
    return f"{kin[0] if owned else append_particle(kin[0], '이', '가')} {question}"


def _list_kin(before: Sequence[str], morphology: Morphology) -> list[str]:
    """Return the people and pets of which the nearest text speaks that has any.

    Somebody else's are listed with whose they are.
    """
    for text in before:
        nouns = [m.form for m in morphology.analyze(text) if m.tag[:2] == "NN"]
        kin = {
            each
            for place, noun in enumerate(nouns)
            if noun in KIN_KO
            for each in (noun, *(_OWNERS_KO & {*nouns[:place][-1:]}))
        }
        if kin:
            return sorted(kin)
    return []
