"""States what a Korean yes, no or a few words say to a question that asks for one.

"네, 아침마다요", "아뇨, 비건이에요", "예전에는요", "생선만요".
"""

import re
from typing import Final, NamedTuple

from gieok.models.rules.korean.answer_sentences import (
    ALSO,
    ONLY,
    find_argument,
    insert_before_predicate,
    mark_argument,
    render_denial,
    render_likewise,
    render_own,
    render_plainly,
    write_body,
)
from gieok.models.rules.korean.answer_words import (
    ADVERBIAL,
    TIME,
    has_predicate,
    is_adverbial,
    is_person,
    is_reason,
    trim_polite,
)
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import EXISTING, STEMS, QuestionSentence
from gieok.models.rules.korean.subjects import BEING, OCCUPATIONS, ROLES
from gieok.models.rules.korean.topic_answers import NO, YES, render_topic_state
from gieok.models.rules.lexicon import PETS
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

AGREED: Final = _LISTS.compile_list("korean.agreed")
_REFERRED: Final = compile_lazily(r"^(?:그건|그거는|그게|그거)\s+")
_BARE_DENIAL: Final = _LISTS.compile_list("korean.bare_denial")
_NOT_YET: Final = compile_lazily(r"^아직(?:은|도)?(?:이?요)?[\s.!~,]*$")
_NEGATIONS: Final = frozenset({"안", "못", "않", "말"})
_OPPOSITES: Final = {"있": "없", "알": "모르", "하": "못하", "잘하": "못하"}
_PASTS: Final = frozenset({"었", "았", "였"})
_FORMER: Final = frozenset({"었었", "았었"})
_GOING_ON: Final = frozenset({"있", "아직", "요"})
"""What says no more than that it goes on: "하고 있어요"."""
_NAMING: Final = compile_lazily(
    r"(?<=[가-힣])(?:이에요|이예요|예요|에요|입니다|이야|야|이지|이죠|임)[\s.!~ㅋㅎㅠ]*$"
)
"""How somebody says what they are: "비건이에요", but not "홍차요"."""
_BEARER: Final = compile_lazily(
    r"[가-힣]{2}(?:(?<![피과의감상모])자|(?<![와페라])인|생|파)$"
)
"""Who is of some kind: "비흡연자", "홍차파", but not "피자"."""
_AILING: Final = compile_lazily(r"[가-힣](?:염|증)$")
_FORMERLY: Final = _LISTS.compile_list("korean.formerly")
_RAISING: Final = frozenset({"키우", "기르"})
_RELATIVES: Final = frozenset(
    {"형제", "자매", "남매", "자녀", "자식", "아이", "애", "식구", "형제자매"}
)


def render_polar(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """Return what a yes, a no or a fragment says to a question that asks for one."""
    if _NOT_YET.match(answer):
        denied = render_denial(write_body(asked), asked) if asked.past else ""
        return render_own(denied) if denied else None
    yes, no = YES.match(answer), NO.match(answer)
    near = asked.morphemes[max(0, asked.chain - 1) :]
    negated = any(m.form in _NEGATIONS for m in near)
    if negated and not yes:
        return None
    opening = yes or no
    rest = answer[opening.end() :] if opening else answer
    if echo := read_echo(asked, rest, morphology):
        return _render_echo(asked, echo, morphology, is_no=no is not None)
    if no or _BARE_DENIAL.match(answer):
        return _render_denied(asked, answer, rest if no else "", morphology)
    if yes:
        return _render_assent(asked, rest, morphology)
    return _render_fragment(asked, answer, morphology)


class Echo(NamedTuple):
    """How an answer says the verb of its question again: "안 먹어요", "먹었죠"."""

    is_denied: bool
    is_past: bool
    added: str
    """When, where or how often, if it says so: "가끔"."""


def read_echo(
    asked: QuestionSentence, said: str, morphology: Morphology
) -> Echo | None:
    """Return how words say the verb of a question again, or nothing if others."""
    if said.strip(" ,.!~") == asked.text[asked.morphemes[asked.chain].start :]:
        return Echo(is_denied=False, is_past=asked.past, added="")
    found = [m for m in morphology.analyze(said) if m.tag[0] not in "SWEJI"]
    verbs = [m for m in found if m.tag in STEMS and m.form not in _NEGATIONS]
    own = {m.form for m in asked.morphemes}
    opposite = _OPPOSITES.get(asked.main.form, "")
    again = [m for m in verbs if m.form in own or m.form == opposite]
    added = [m for m in found if m.form in ADVERBIAL - _NEGATIONS - own]
    known = {*own, *_NEGATIONS, *_GOING_ON, *ADVERBIAL, opposite}
    if not again or asked.is_copula or any(m.form not in known for m in found):
        return None
    denied = any(m.form in _NEGATIONS | {opposite} for m in found)
    tenses = [m.form for m in morphology.analyze(said) if m.tag == "EP"]
    if asked.past and not _FORMER.isdisjoint(tenses):
        return None  # "결혼하셨어요?" – "했었죠"
    past = not (_PASTS | _FORMER).isdisjoint(tenses)
    return Echo(denied, past, " ".join(m.form for m in added))


def _render_echo(
    asked: QuestionSentence, echo: Echo, morphology: Morphology, *, is_no: bool
) -> str | None:
    """'네 좋아해요', '안 좋아해요'; '피웠죠', asked whether somebody smokes."""
    if echo.is_past != asked.past:
        former = echo.is_past and not (echo.is_denied or is_no)
        return _render_formerly(asked, echo.added, morphology) if former else None
    if echo.is_denied:
        body = write_body(asked)
        return None if echo.added else render_own(render_denial(body, asked))
    return None if is_no else _render_assent(asked, echo.added, morphology)


def _render_assent(asked: QuestionSentence, rest: str, morphology: Morphology) -> str:
    """'네', '네, 아침마다요', '네, 매주 목요일에 가요'."""
    body = write_body(asked)
    agreed = AGREED.match(rest) is not None or is_reason(rest, morphology)
    if not agreed and not has_predicate(rest, morphology):
        words = trim_polite(rest, morphology)
        return render_own(_render_added(asked, body, words, morphology))
    if agreed:
        return render_own(render_plainly(body, asked, denied=False, link=False))
    linked = render_plainly(body, asked, denied=False, link=True)
    return render_own(f"{linked} {rest.strip(' .!~')}")


def _render_added(
    asked: QuestionSentence, body: str, words: str, morphology: Morphology
) -> str:
    """Return what is asked, with the nouns that a yes adds to it."""
    linked = render_plainly(body, asked, denied=False, link=True)
    if words.endswith(ALSO) and find_argument(asked):
        return f"{linked} {render_likewise(words, asked)}"
    if is_adverbial(words, morphology):
        added = insert_before_predicate(body, words, asked)
        return render_plainly(added, asked, denied=False, link=False)
    if _is_other_person(words, asked):
        return render_likewise(mark_argument(words, asked), asked)
    return f"{linked} {words}이다"


def _render_denied(
    asked: QuestionSentence, answer: str, rest: str, morphology: Morphology
) -> str:
    """'아뇨', '아뇨, 그건 동생이요', '아뇨, 비건이에요', '아뇨, 면허가 없어요'."""
    body = re.sub(r"(?:요즘|지금|아직)도|아직(?=\s)", "이제", write_body(asked))
    settled = AGREED.match(rest) or AGREED.match(answer)
    if settled or is_reason(rest, morphology):
        return render_own(render_denial(body, asked))
    linked = render_plainly(body, asked, denied=True, link=True)
    bare = _REFERRED.sub("", rest)
    words = trim_polite(bare, morphology)
    if has_predicate(bare, morphology):
        return render_own(f"{linked} {bare.strip(' .!~')}")
    affirmed = render_plainly(body, asked, denied=False, link=False)
    if is_person(words) and not _is_other_person(words, asked):
        return render_own(
            f"{linked} 제 {append_particle(words, '은', '는')} {affirmed}"
        )
    named = _NAMING.search(bare) and _is_state(words, asked, morphology)
    if asked.is_copula or named:
        return render_own(f"{linked} {words}이다")
    argument = find_argument(asked)
    noun = words if argument is None else mark_argument(words, asked)
    return render_own(f"{linked} {render_likewise(noun, asked)}")


def _is_other_person(words: str, asked: QuestionSentence) -> bool:
    """Tell whether it is answered whom else somebody has: "딸", not "아들"."""
    argument = find_argument(asked)
    if argument is None or asked.main.form not in EXISTING | _RAISING:
        return False
    noun = asked.text[argument[0] : argument[1]]
    both = _is_relative(noun) and _is_relative(words)
    return both and (noun in PETS) == (words in PETS)


def _is_relative(noun: str) -> bool:
    """Tell whether a noun is of somebody, or of several: "자녀", "자매"."""
    return is_person(noun) or noun in _RELATIVES


def _is_state(noun: str, asked: QuestionSentence, morphology: Morphology) -> bool:
    """Tell whether a noun says what somebody is, not what they do or have instead."""
    if asked.main.form.endswith("살"):
        return False
    last = [m.form for m in morphology.analyze(noun)][-1:]
    known = BEING | OCCUPATIONS | ROLES
    if not known.isdisjoint({noun, *noun.split()[-1:], *last}) or _BEARER.search(noun):
        return True
    return asked.main.form not in EXISTING and _AILING.search(noun) is not None


def _render_fragment(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """An answer without yes or no to a question that asks for it."""
    words = trim_polite(answer, morphology)
    if _FORMERLY.match(words) and not asked.past:
        return _render_formerly(asked, words, morphology)
    if has_predicate(answer, morphology):
        return render_topic_state(asked, answer, morphology)
    if not words or not is_adverbial(words, morphology):
        return None
    if limited := _render_limited(asked, words):
        return limited
    body = insert_before_predicate(write_body(asked), words, asked)
    return render_own(render_plainly(body, asked, denied=False, link=False))


def _render_formerly(
    asked: QuestionSentence, words: str, morphology: Morphology
) -> str | None:
    """'담배 피우세요?' – '예전에는요': what was, not what is."""
    stem, body = asked.stem, write_body(asked)
    if asked.is_copula:
        return render_own(f"{words} {body.rstrip()}이었다".lstrip())
    if stem.tag not in ("VV", "VA", "XSV", "XSA"):
        return None
    body = insert_before_predicate(body, words, asked) if words else body
    ended = morphology.join([(stem.form, stem.tag), ("었", "EP"), ("다", "EF")])
    return render_own(f"{body}{ended}")


def _render_limited(asked: QuestionSentence, words: str) -> str | None:
    """'고기 드세요?' – '생선만요': what alone it is so of stands for what was asked."""
    argument, named = find_argument(asked), words.removesuffix(ONLY)
    timed = TIME.search(named) or named.rpartition(" ")[2] in ADVERBIAL
    if argument is None or named == words or timed:
        return None
    noun = asked.text[argument[0] : argument[1]]
    other = is_person(named) and not is_person(noun)
    kept = f" {mark_argument(noun, asked)}" if other else ""
    own = "제 " if is_person(named) else "저는 "
    return f"{own}{render_likewise(words + kept, asked)}"
