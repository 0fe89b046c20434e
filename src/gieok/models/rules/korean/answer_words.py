"""Reads the few words of a Korean answer: do they say when, why, or who?"""

from typing import Final

from gieok.models.rules.korean.subjects import BEING, ROLES
from gieok.models.rules.korean.vocabulary import OCCUPATIONS
from gieok.models.rules.lexicon import ACQUAINTANCES_KO, KIN_KO
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_REASONS: Final = _LISTS.get_words("korean.reasons")
_POLITE: Final = compile_lazily(
    r"(?:(?<=[가-힣])(?:이에요|이예요|예요|에요|이요|입니다|이야|이지|이죠)|요)?"
    r"[\s.!~ㅋㅎㅠ]*$"
)
_SIGNS: Final = compile_lazily(r"[\s.,!~ㅋㅎㅠㅜ^;]+$")
_DIALECT: Final = compile_lazily(r"(?:(이)?[여유욤용염]|(이)?[요여]ㅁ)$")
_HONOURED: Final = compile_lazily(r"[가-힣](?:세요|셔요?|십니다|세여)$")
TITLE: Final = compile_lazily(r"(?:님|분)$")
ADVERBIAL: Final = _LISTS.get_words("korean.adverbial")
TIME: Final = compile_lazily(r"(?:시|분|요일|월|일|년|주말|아침|저녁|밤|새벽)$")
RELATIVES: Final = frozenset(
    {
        "형제",
        "자매",
        "남매",
        "자녀",
        "자식",
        "아이",
        "애",
        "식구",
        "형제자매",
        "큰애",
        "작은애",
        "큰딸",
        "작은딸",
        "막내딸",
    }
)
_UNTITLED: Final = frozenset({"날씨", "솜씨", "글씨", "마음씨", "말씨", "불씨"})
_OF_PERSONS: Final = tuple(k for k in KIN_KO if len(k) > 1)
_BEARER: Final = _LISTS.compile_list("korean.bearers")
"""Who is of some kind: "비흡연자", "홍차파", but not "피자"."""
_PREDICATES: Final = ("VV", "VA", "XSV", "XSA", "VX", "VCN")


def is_person(noun: str) -> bool:
    """Tell whether a noun is a word for a relative, a pet or somebody known."""
    bare = _drop_title(noun)
    titled = noun.endswith(("님", "씨")) and bare not in _UNTITLED
    if not bare or (bare in BEING - KIN_KO and not titled):
        return False
    known = bare in ROLES | ACQUAINTANCES_KO | RELATIVES
    return known or titled or is_relative(noun)


def is_relative(noun: str) -> bool:
    """Tell whether a noun is a word for a relative or a pet."""
    bare = _drop_title(noun)
    return bare in KIN_KO or bare.endswith(_OF_PERSONS)


def _drop_title(noun: str) -> str:
    """Return the last word of a noun without a title and a plural."""
    bare = TITLE.sub("", noun).strip().rpartition(" ")[2].removesuffix("어른")
    return bare if bare.endswith("아들") else bare.removesuffix("들")


def is_description(noun: str, morphology: Morphology) -> bool:
    """Tell whether a noun says what somebody is: "주부", "비흡연자", "휴학생"."""
    last = [m.form for m in morphology.analyze(noun)][-1:]
    known = BEING | OCCUPATIONS | ROLES
    named = not known.isdisjoint({noun, *noun.split()[-1:], *last})
    return named or _BEARER.search(noun) is not None


def _list_content(text: str, morphology: Morphology) -> list[Morph]:
    """Return the morphemes without signs and without a polite 요 at the end."""
    found = [
        m
        for m in morphology.analyze(text)
        if m.tag[0] not in "SW" or m.tag in ("SN", "SL")
    ]
    if len(found) > 1 and found[-1].form in ("요", "이요") and found[-1].tag in (
        "JX", "MM", "IC",
    ):  # fmt: skip
        found.pop()
    return found


def standardize_ending(answer: str, morphology: Morphology) -> str:
    """Return an answer whose polite ending is written 요: "여수여" → "여수요"."""
    text = _SIGNS.sub("", answer)
    match = _DIALECT.search(text)
    if match is None or (len(text.split()) == 1 and morphology.analyze_known(text)):
        return text
    changed = text[: match.start()] + (match[1] or match[2] or "") + "요"
    last = morphology.analyze(changed)[-1:]
    return changed if last and last[0].form in ("요", "이요") else text


def trim_polite(answer: str, morphology: Morphology) -> str:
    """Return an answer of nouns without its polite ending: 간호사요 → 간호사.

    A noun keeps its own last syllable: 고양이요 → 고양이.
    """
    answer = _SIGNS.sub("", answer)
    found = [m for m in morphology.analyze(answer) if m.tag[0] not in "SW"]
    every = [m for m in morphology.analyze(answer) if m.tag not in ("SF", "SP", "SE")]
    copula = next((m for m in found if m.tag == "VCP"), None)
    if copula is not None and copula.start and found[-1].tag == "EF":
        return answer[: copula.start].strip(" ,.!~")
    last = every[-1] if len(every) > 1 else None
    if last and last.form in ("요", "이요") and last.tag in ("JX", "MM", "IC"):
        counted = len(every) > 2 and every[-3].tag == "NR"  # noqa: PLR2004  (a number before both)
        beside = counted and any(m.form in ("랑", "이랑", "하고") for m in every)
        subject = every[-2].tag == "JKS" and every[-2].form == "이" and not beside
        cut = every[-2] if subject and len(every) > 2 else last  # noqa: PLR2004  (a noun before both)
        return answer[: cut.start].strip(" ,.!~")
    if last and last.tag == "JKV":
        return answer[: last.start].strip(" ,.!~")
    return _POLITE.sub("", answer.strip()).strip(" ,.!~")


def has_predicate(text: str, morphology: Morphology) -> bool:
    """Tell whether words end in a verb or an adjective; "비건이에요" do not."""
    found = _list_content(text, morphology)
    if len(found) > 1 and found[-1].form in ("만", "는", "ᆫ", "도"):
        found = found[:-1]
    if not found or found[-1].tag not in ("EF", "EC", "ETN"):
        return bool(found) and found[-1].tag == "XSN" and _is_honoured(text)
    if found[-1].form == "기" or _is_occupation(text):
        return False
    stems = [m for m in found if m.tag in (*_PREDICATES, "VCP")]
    if stems and stems[-1].tag == "VCP":
        return _is_honoured(text) and text.strip().startswith(("안 ", "못 "))
    return bool(stems)


def _is_occupation(text: str) -> bool:
    """Tell whether a word that is read as a verb is a noun: "약사요"."""
    bare = _SIGNS.sub("", text.strip()).removesuffix("요")
    return bare in OCCUPATIONS | BEING


def _is_honoured(text: str) -> bool:
    return _HONOURED.search(_SIGNS.sub("", text)) is not None


def is_reason(text: str, morphology: Morphology) -> bool:
    """Tell whether words end in the middle of a sentence: "성수 살아서"."""
    found = _list_content(text, morphology)
    return bool(found) and found[-1].tag == "EC" and found[-1].form in _REASONS


def is_adverbial(text: str, morphology: Morphology) -> bool:
    """Tell whether words say when, where, with whom or how many."""
    found = _list_content(text, morphology)
    if not found:
        return False
    last = found[-1]
    numbered = any(m.tag in ("MM", "NR", "SN") for m in found)
    counted = numbered and (last.tag in ("NNB", "NR", "SN") or last.form in ADVERBIAL)
    return (
        last.tag in ("JKB", "JX", "JC", "MAG")
        or last.form in ("쯤", "정도")
        or (last.tag in ("JKS", "JKO") and len(found) > 1)
        or counted
        or last.form in ADVERBIAL
        or (TIME.search(text) is not None)
    )
