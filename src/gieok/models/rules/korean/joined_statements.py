"""Cuts a Korean sentence where "고" joins facts that each stand by themselves.

"나는 약사고 남편은 기자야" tells two: when one changes, the other goes on. What follows
on one another ("밥을 먹고 출근한다") stays together.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.endings import Mood, has_final
from gieok.models.rules.korean.phrases import list_noun_phrases
from gieok.models.rules.korean.readings import correct_readings
from gieok.models.rules.korean.sentences import SpokenSentence, parse_sentence
from gieok.models.rules.korean.subjects import BEING, PERSONAL
from gieok.models.rules.korean.vocabulary import KIN, OCCUPATIONS
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "joined_statements.toml")
_LASTING: Final = _LISTS.get_words("lasting")
_ONE_OF_SEVERAL: Final = _LISTS.get_words("one_of_several")
_AGES: Final = _LISTS.compile_list("ages")
_SEVERAL: Final = 2
_JOINTS: Final = ("고", "고요", "구요", "며", "이며")
_VERBS: Final = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")
_PAST: Final = ("었", "았", "였")
_SUFFIXES: Final = ("XSV", "XSA")
_DESCRIBING: Final = (*OCCUPATIONS, *(noun for noun in BEING if len(noun) > 1), "하나")
"""How nouns end that say what somebody is, or how old: "여든하나"."""
_SCHOOL_YEAR: Final = compile_lazily(r"[고중초][1-6]")
_CLOSING: Final = ("어", "아", "여", "야", "다", "ᆫ다", "는다")
"""Endings that Kiwi takes for connecting ones at the end of a sentence."""


def split_joined(
    sentence: SpokenSentence, morphology: Morphology
) -> list[SpokenSentence]:
    """Return the facts that a sentence joins; the sentence alone if it tells one."""
    said = sentence.predicate
    if sentence.asks or said is None or said.mood is not Mood.STATES:
        return [sentence]
    if ages := _list_ages(sentence.text):
        return [parse_sentence(age, morphology) for age in ages]
    text = _write_copula(sentence.text)
    morphemes = correct_readings(morphology.analyze(text))
    if _is_about_several(morphemes):
        return [sentence]
    places = [*_find_joints(text, morphemes)]
    if not places:
        return [sentence]
    edges = pairwise([0, *places, len(text)])
    parts = (text[start:end].strip(" ,") for start, end in edges)
    found = [parse_sentence(part, morphology) for part in parts]
    told = all(p.predicate and p.predicate.mood is Mood.STATES for p in found)
    return found if told else [sentence]


def _list_ages(text: str) -> list[str]:
    """Return how old each of several is, if a text says nothing else."""
    found = [*_AGES.finditer(text)]
    if len(found) < _SEVERAL or _AGES.sub("", text).strip(" ,"):
        return []
    topics = (f"{m['who']}{'은' if has_final(m['who']) else '는'}" for m in found)
    return [f"{who} {m['age']}이야" for who, m in zip(topics, found, strict=True)]


def is_age_statement(text: str) -> bool:
    """Tell whether a sentence says how old somebody is, and nothing else."""
    return _AGES.fullmatch(text) is not None


def _is_about_several(morphemes: Sequence[Morph]) -> bool:
    """Tell whether a sentence tells things apart that were named together before."""
    return any(
        one.form in _ONE_OF_SEVERAL and other.tag in ("JX", "JKS", "NNG", "NNB")
        for one, other in pairwise(morphemes)
    )


def _write_copula(text: str) -> str:
    """Return "의사고" as "의사이고", which is no accident."""
    words = text.split(" ")
    named = False
    for place, word in enumerate(words[:-1]):
        noun = word.rstrip(",").removesuffix("고요").removesuffix("고")
        short = noun != word.rstrip(",") and noun and not has_final(noun)
        called = named and not noun.endswith("이")
        described = noun.endswith(_DESCRIBING) or _SCHOOL_YEAR.fullmatch(noun)
        if short and (called or described):
            words[place] = f"{noun}이{word[len(noun) :]}"
        named = word.rstrip("은는").endswith(PERSONAL) and word[-1:] in "은는"
    return " ".join(words)


def _find_joints(text: str, morphemes: Sequence[Morph]) -> Iterator[int]:
    """Yield where a fact ends and the next begins."""
    for place, one in enumerate(morphemes[:-1]):
        if one.tag != "EC" or one.form not in _JOINTS or not place:
            continue
        end = one.end
        if morphemes[place + 1].form == "요" and morphemes[place + 1].start <= end:
            end = morphemes[place + 1].end
        if text[end : end + 1] not in (" ", ","):
            continue
        rest = [m for m in morphemes[place + 1 :] if m.start >= end]
        apart = _is_lasting(morphemes, place) or _is_contrasted(morphemes, rest)
        if apart and _is_next_statement(rest):
            yield end


def _is_contrasted(morphemes: Sequence[Morph], rest: Sequence[Morph]) -> bool:
    """Tell whether two are told of apart: "팀은 자바를 쓰고 저는 결제 담당이야"."""
    both = (list_noun_phrases(part) for part in (morphemes, rest))
    first, other = (next(phrases, None) for phrases in both)
    return bool(first and other and first.is_topic and other.is_topic)


def _is_lasting(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether what stands before a joint is or was so, and leads to nothing."""
    stem = morphemes[place - 1]
    if stem.tag == "EP" and stem.form not in _PAST and place > 1:
        place -= 1
        stem = morphemes[place - 1]
    if stem.tag in ("VCP", "EP"):
        return True
    verb = stem.form
    if stem.tag in _SUFFIXES and place > 1:
        verb = morphemes[place - 2].form + verb
    return stem.tag in _VERBS and verb in _LASTING


def _is_verb(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a predicate stands there, which "작은딸" has none of."""
    kin = [m.form for m in morphemes[place + 2 : place + 3] if m.form in KIN]
    return morphemes[place].tag in _VERBS and not (
        morphemes[place].form in ("작", "크") and kin
    )


def _is_verbless(rest: Sequence[Morph]) -> bool:
    """Tell whether something is said to be something, without a verb: "회사는 판교".

    The last syllable of a name may be read as a particle: "태명은 콩이".
    """
    topic = next(list_noun_phrases(rest), None)
    named = rest[0].form in PERSONAL or (topic is not None and topic.is_topic)
    closing = rest[-1]
    name = closing.form == "이" and closing.tag == "JKS"
    return named and (closing.tag.startswith("N") or name)


def _is_next_statement(rest: Sequence[Morph]) -> bool:
    """Tell whether the predicate behind a joint is one that the sentence ends in.

    In "서른이고 서울에 사는 사람이다" it is not, nor in "약사고 바빠서 못 간다".
    """
    if not rest or _is_verb(rest, 0) or rest[0].form in ("있", "싶", "뭐"):
        return False
    place = next((n for n in range(len(rest)) if _is_verb(rest, n)), None)
    if place is None:
        return _is_verbless(rest)
    closing = next((m for m in rest[place:] if m.tag[0] == "E" and m.tag != "EP"), None)
    if closing is None:
        return False
    return closing.tag == "EF" or closing.form in (*_JOINTS, *_CLOSING)
