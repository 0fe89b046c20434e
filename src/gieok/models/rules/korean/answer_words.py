"""Reads the few words of a Korean answer: do they say when, why, or who?"""

from typing import Final

from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_REASONS: Final = _LISTS.get_words("korean.reasons")
_POLITE: Final = compile_lazily(
    r"(?:(?<=[가-힣])(?:이에요|이예요|예요|에요|이요|입니다|이야|이지|이죠)|요)?"
    r"[\s.!~ㅋㅎㅠ]*$"
)
TITLE: Final = compile_lazily(r"(?:님|분)$")
ADVERBIAL: Final = _LISTS.get_words("korean.adverbial")
TIME: Final = compile_lazily(r"(?:시|분|요일|월|일|년|주말|아침|저녁|밤|새벽)$")


def is_person(noun: str) -> bool:
    """Tell whether a noun is a word for a relative or a pet, also with a title."""
    bare = TITLE.sub("", noun)
    return noun in KIN_KO or any(bare == k or bare.endswith(" " + k) for k in KIN_KO)


def trim_polite(answer: str, morphology: Morphology) -> str:
    """Return an answer of nouns without its polite ending: 간호사요 → 간호사.

    A noun keeps its own last syllable: 고양이요 → 고양이.
    """
    found = [m for m in morphology.analyze(answer) if m.tag[0] not in "SW"]
    copula = next((m for m in found if m.tag == "VCP"), None)
    if copula is not None and copula.start and found[-1].tag == "EF":
        return answer[: copula.start].strip(" ,.!~")
    polite = found[-1].tag == "JX" and found[-1].form == "요" if found else False
    if polite and found[-2:-1] and found[-2].tag[0] == "N":
        return answer[: found[-1].start].strip(" ,.!~")
    return _POLITE.sub("", answer.strip()).strip(" ,.!~")


def has_predicate(text: str, morphology: Morphology) -> bool:
    """Tell whether words hold a verb or an adjective; "비건이에요" does not."""
    tags = [m.tag for m in morphology.analyze(text)]
    return any(tag in ("VV", "VA", "XSV", "XSA", "VX", "VCN") for tag in tags)


def is_reason(text: str, morphology: Morphology) -> bool:
    """Tell whether words end in the middle of a sentence: "성수 살아서"."""
    found = [m for m in morphology.analyze(text) if m.tag[0] not in "SW"]
    return bool(found) and found[-1].tag == "EC" and found[-1].form in _REASONS


def is_adverbial(text: str, morphology: Morphology) -> bool:
    """Tell whether words say when, where, with whom or how many."""
    found = [m for m in morphology.analyze(text) if m.tag[0] not in "SW"]
    if not found:
        return False
    last = found[-1]
    counted = last.tag in ("NNB", "NR", "SN") or last.form in ADVERBIAL
    return (
        last.tag in ("JKB", "JX", "JC", "MAG", "XSN")
        or (last.tag in ("JKS", "JKO") and len(found) > 1 and last.form in ("가", "를"))
        or counted
        or (TIME.search(text) is not None)
    )
