"""Writes what a Korean question asks as a statement: affirmed, denied, of another.

Honorifics and the ending are gone from the question (`questions.py`); the particles
that talk leaves out are written.
"""

import re
from typing import Final

from gieok.models.rules.korean.answer_words import ADVERBIAL, is_person
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import ADJECTIVES, EXISTING, QuestionSentence
from gieok.models.rules.korean.retelling import build_declarative
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_PARTICLE: Final = compile_lazily(r"(?:께서는|은|는|이|가|의|도)$")
_HAVING: Final = compile_lazily(r"[가-힣]+[이가] (?:있|없)")
"""Whom somebody has, or not: "아들이 없고 딸이 있다"."""
_NOMINAL: Final = ("NN", "XSN")
_TO_PERSONS: Final = _LISTS.get_words("korean.done_to_persons")
ONLY: Final = "만"
ALSO: Final = "도"
_LIMITS: Final = (ONLY, ALSO)
WH: Final = _LISTS.get_words("korean.asking")
_PLACED: Final = ("다니", "가", "오", "살")
_NAMED: Final = _LISTS.get_words("korean.named")


def find_leading_noun(asked: QuestionSentence) -> tuple[int, int] | None:
    """Return where the nouns that open a question begin and end in it."""
    last = None
    for morpheme in asked.morphemes:
        if morpheme.tag[0] not in "NX" or morpheme.tag.startswith(("XSV", "XSA")):
            break
        if morpheme.form in WH | ADVERBIAL:
            break
        last = morpheme
    return None if last is None else (0, last.end)


def find_argument(asked: QuestionSentence) -> tuple[int, int] | None:
    """Return where the nouns directly before the predicate begin and end."""
    place = asked.chain - 1
    if place < 0 or not asked.morphemes[place].tag.startswith(_NOMINAL):
        return None
    if asked.morphemes[place].form in ADVERBIAL:
        return None
    if asked.morphemes[place].end == asked.morphemes[place + 1].start:
        return None
    first = place
    while first and asked.morphemes[first - 1].tag.startswith(_NOMINAL):
        if _is_whose(asked, first - 1):
            break
        first -= 1
    if asked.morphemes[first].form in ADVERBIAL:
        first += 1
    return asked.morphemes[first].start, asked.morphemes[place].end


def _is_whose(asked: QuestionSentence, place: int) -> bool:
    """Tell whether a noun names who does it: "남동생 군대 갔어요?", not "동생 이름"."""
    one, two = asked.morphemes[place : place + 2]
    return is_person(one.form) and one.end < two.start and two.form not in _NAMED


def mark_argument(noun: str, asked: QuestionSentence) -> str:
    """Return a noun with the particle that it has before the predicate."""
    stem = asked.main
    if noun.endswith(_LIMITS):
        return noun
    if is_person(noun) and not _is_done_to_persons(asked):
        return append_particle(noun, "은", "는")
    if stem.form in EXISTING or stem.tag in ADJECTIVES or stem.form == "되":
        return append_particle(noun, "이", "가")
    if stem.form.endswith(_PLACED):
        return noun + "에"
    return append_particle(noun, "을", "를")


def _is_subject(argument: tuple[int, int], asked: QuestionSentence) -> bool:
    """Tell whether the nouns before the predicate say who does it."""
    noun = asked.text[argument[0] : argument[1]]
    return is_person(noun) and not _is_done_to_persons(asked)


def _is_done_to_persons(asked: QuestionSentence) -> bool:
    """Tell whether a person right before the predicate may be its object, or be had."""
    first = asked.morphemes[asked.chain].start
    verb = asked.text[first : asked.stem.start] + asked.stem.form
    return asked.main.form in EXISTING | _TO_PERSONS or verb in _TO_PERSONS


def write_body(asked: QuestionSentence) -> str:
    """Return what stands before the predicate, with its particles written."""
    body = asked.text[: asked.stem.start]
    argument = find_argument(asked)
    if argument is not None:
        noun = asked.text[argument[0] : argument[1]]
        rest = asked.text[argument[1] : asked.stem.start]
        body = asked.text[: argument[0]] + mark_argument(noun, asked) + rest
    first, space, after = body.partition(" ")
    if space and is_person(first) and (argument is None or argument[0]):
        return f"{append_particle(first, '은', '는')} {after}"
    lead = find_leading_noun(asked)
    if lead is None or is_person(asked.text[: lead[1]]):
        return body
    noun = asked.text[: lead[1]]
    topic = re.match(r"(?:은|는)(?=\s)", body[lead[1] :])
    if topic is None or re.search(r"[을를이가에]\s", body[lead[1] + 1 :]):
        return body
    return mark_argument(noun, asked) + body[lead[1] + 1 :]


def render_plainly(
    body: str, asked: QuestionSentence, *, denied: bool, link: bool
) -> str:
    """Return the body with its predicate as a statement, or with 고 after it."""
    stem = asked.stem
    tail = "고" if link else None
    if asked.is_copula:
        noun = body.rstrip()
        if denied:
            return append_particle(noun, "이", "가") + " 아니" + (tail or "다")
        return noun + ("이었" if asked.past else "이") + (tail or "다")
    if denied:
        return _build_denial(body, asked) + (tail or "")
    if asked.past:
        return body + asked.text[stem.start : asked.end].rstrip() + (tail or "다")
    if link:
        return body + stem.form + "고"
    return body + build_declarative(stem.form, verb=asked.is_verb)


def _build_denial(body: str, asked: QuestionSentence) -> str:
    """Return the body with its predicate denied; without 다 before 고."""
    stem = asked.stem
    if asked.past:
        return body + stem.form + "지 않았"
    if stem.form == "있" and stem.tag != "VX":
        return body + "없"
    if stem.form == "알" and body.rstrip().endswith("줄"):
        return body + "모르"
    return body + stem.form + "지 않"


def render_denial(body: str, asked: QuestionSentence) -> str:
    """Return the body denied as a whole sentence."""
    if asked.is_copula:
        return render_plainly(body, asked, denied=True, link=False)
    denied = _build_denial(body, asked)
    if denied.endswith("모르"):
        return denied[:-1] + "른다"
    verb = denied.endswith("지 않") and asked.is_verb
    return denied + ("는다" if verb else "다")


def render_own(sentence: str) -> str:
    """Return a sentence opened by the user, or by what is theirs."""
    first = sentence.strip().partition(" ")[0]
    noun = _PARTICLE.sub("", first)
    if _HAVING.match(sentence.strip()):
        return "저는 " + sentence
    if is_person(noun) or noun in _NAMED:
        return "제 " + sentence
    return "저는 " + sentence


def insert_before_predicate(body: str, words: str, asked: QuestionSentence) -> str:
    """Return the body with words put in front of what is nearest to the predicate."""
    argument = find_argument(asked)
    counted = words.rpartition(" ")[2] in ADVERBIAL
    if (
        argument is None
        or counted
        or _is_subject(argument, asked)
        or asked.main.form in EXISTING
        or asked.is_copula
    ):
        chained = len(asked.text[asked.morphemes[asked.chain].start : asked.stem.start])
        at = len(body) - chained
        before = re.sub(r"\s*오래\s*$", "", body[:at].rstrip())
        return f"{before} {words} {body[at:]}"
    return f"{asked.text[: argument[0]]}{words} {body[argument[0] :]}"


def render_likewise(noun: str, asked: QuestionSentence) -> str:
    """Return the predicate of a question, of another noun."""
    first = asked.morphemes[asked.chain].start
    body = f"{noun} {asked.text[first : asked.stem.start]}"
    return render_plainly(body, asked, denied=False, link=False)
