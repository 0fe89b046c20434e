"""States a Korean question and its short answer as one sentence of the user's own.

"노래교실은 잘 다니고 계세요?" – "네" becomes "저는 노래교실에 잘 다니고 있다". The
question's honorifics and ending go, its question word gives way to the answer; where
either is not plain (an offer, a suggestion, "왜"), nothing is stated.
"""

import re
import unicodedata
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import (
    ADJECTIVES,
    EXISTING,
    QuestionSentence,
    extract_topic,
    read_question,
)
from gieok.models.rules.korean.retelling import build_declarative
from gieok.models.rules.korean.subjects import (
    BEING,
    ME,
    OCCUPATIONS,
    ROLES,
    is_honouring,
)
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_YES: Final = _LISTS.compile_list("korean.yes")
_NO: Final = _LISTS.compile_list("korean.no")
_AGREED: Final = _LISTS.compile_list("korean.agreed")
_REFERRED: Final = compile_lazily(r"^(?:그건|그거는|그게|그거)\s+")
_UNSETTLED: Final = _LISTS.compile_list("korean.unsettled")
_BARE_DENIAL: Final = _LISTS.compile_list("korean.bare_denial")
_REASONS: Final = _LISTS.get_words("korean.reasons")
_NOT_YET: Final = compile_lazily(r"^아직(?:은|도)?(?:이?요)?[\s.!~,]*$")
_NEGATIONS: Final = frozenset({"안", "못", "않", "말"})
_POLITE: Final = compile_lazily(
    r"(?:(?<=[가-힣])(?:이에요|이예요|예요|에요|이요|입니다|이야|이지|이죠)|요)?"
    r"[\s.!~ㅋㅎㅠ]*$"
)
_NAMING: Final = compile_lazily(
    r"(?<=[가-힣])(?:이에요|이예요|예요|에요|입니다|이야|야|이지|이죠|임)[\s.!~ㅋㅎㅠ]*$"
)
"""How somebody says what they are: "비건이에요", but not "홍차요"."""
_BEARER: Final = compile_lazily(
    r"[가-힣]{2}(?:(?<![피과의감상모])자|(?<![와페라])인|생|파)$"
)
"""Who is of some kind: "비흡연자", "홍차파", but not "피자"."""
_AILING: Final = compile_lazily(r"[가-힣](?:염|증)$")
_PARTICLE: Final = compile_lazily(r"(?:께서는|은|는|이|가|의|도)$")
_TITLE: Final = compile_lazily(r"(?:님|분)$")
_SUBJECT: Final = compile_lazily(r"(?P<who>[가-힣]+?)(?:께서는?|은|는|이|가|도)\s")
_HONOURS: Final = compile_lazily(
    r"(?:세요|신가요|십니까|셔요|시죠|신지요|셨어요)\s*[?？]*$"
)
_HONOURED_NOUN: Final = compile_lazily(r"[가-힣]세요[.!~\s]*$")
_OF_OTHERS: Final = _LISTS.get_words("korean.of_others")
_THINGS: Final = ("용", "거", "것", "꺼")
_WH: Final = _LISTS.get_words("korean.asking")
_WH_WITH_NOUN: Final = _LISTS.get_words("korean.asking_with_noun")
_CAUSES: Final = ("왜", "어떻")
_PLACED: Final = ("다니", "가", "오", "살")
_ADVERBIAL: Final = _LISTS.get_words("korean.adverbial")
_KEPT_NOUNS: Final = _LISTS.get_words("korean.kept_nouns")
_NAMED: Final = _LISTS.get_words("korean.named")
MOST_NAMED: Final = 4
"""Words of what is said of a topic."""
_TIME: Final = compile_lazily(r"(?:시|분|요일|월|일|년|주말|아침|저녁|밤|새벽)$")


def _find_leading_noun(asked: QuestionSentence) -> tuple[int, int] | None:
    """Return where the nouns that open a question begin and end in it."""
    last = None
    for morpheme in asked.morphemes:
        if morpheme.tag[0] not in "NX" or morpheme.tag.startswith(("XSV", "XSA")):
            break
        if morpheme.form in _WH | _ADVERBIAL:
            break
        last = morpheme
    return None if last is None else (0, last.end)


def _find_argument(asked: QuestionSentence) -> tuple[int, int] | None:
    """Return where the nouns directly before the predicate begin and end."""
    place = asked.chain - 1
    if place < 0 or asked.morphemes[place].tag[:2] != "NN":
        return None
    if asked.morphemes[place].form in _ADVERBIAL:
        return None
    if asked.morphemes[place].end == asked.morphemes[place + 1].start:
        return None
    first = place
    while first and asked.morphemes[first - 1].tag[:2] == "NN":
        first -= 1
    if asked.morphemes[first].form in _ADVERBIAL:
        first += 1
    return asked.morphemes[first].start, asked.morphemes[place].end


def _mark_argument(noun: str, asked: QuestionSentence) -> str:
    """Return a noun with the particle that it has before the predicate."""
    stem = asked.main
    if stem.form in EXISTING or stem.tag in ADJECTIVES or stem.form == "되":
        return append_particle(noun, "이", "가")
    if stem.form.endswith(_PLACED):
        return noun + "에"
    return append_particle(noun, "을", "를")


def _is_state(noun: str, asked: QuestionSentence, morphology: Morphology) -> bool:
    """Tell whether a noun says what somebody is, not what they do or have instead."""
    if asked.main.form.endswith("살"):
        return False
    last = [m.form for m in morphology.analyze(noun)][-1:]
    known = BEING | OCCUPATIONS | ROLES
    if not known.isdisjoint({noun, *noun.split()[-1:], *last}) or _BEARER.search(noun):
        return True
    return asked.main.form not in EXISTING and _AILING.search(noun) is not None


def _is_person(noun: str) -> bool:
    bare = _TITLE.sub("", noun)
    return noun in KIN_KO or any(bare == k or bare.endswith(" " + k) for k in KIN_KO)


def _write_body(asked: QuestionSentence) -> str:
    """Return what stands before the predicate, with its particles written."""
    body = asked.text[: asked.stem.start]
    argument = _find_argument(asked)
    if argument is not None:
        noun = asked.text[argument[0] : argument[1]]
        rest = asked.text[argument[1] : asked.stem.start]
        body = asked.text[: argument[0]] + _mark_argument(noun, asked) + rest
    lead = _find_leading_noun(asked)
    if lead is None or _is_person(asked.text[: lead[1]]):
        return body
    noun = asked.text[: lead[1]]
    topic = re.match(r"(?:은|는)(?=\s)", body[lead[1] :])
    if topic is None or re.search(r"[을를이가에]\s", body[lead[1] + 1 :]):
        return body
    return _mark_argument(noun, asked) + body[lead[1] + 1 :]


def _end_plainly(
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


def _render_denial(body: str, asked: QuestionSentence) -> str:
    """Return the body denied as a whole sentence."""
    if asked.is_copula:
        return _end_plainly(body, asked, denied=True, link=False)
    denied = _build_denial(body, asked)
    if denied.endswith("모르"):
        return denied[:-1] + "른다"
    verb = denied.endswith("지 않") and asked.is_verb
    return denied + ("는다" if verb else "다")


def _trim_polite(answer: str) -> str:
    """Return an answer of nouns without its polite ending: 간호사요 → 간호사."""
    return _POLITE.sub("", answer.strip()).strip(" ,.!~")


def _has_predicate(text: str, morphology: Morphology) -> bool:
    tags = [m.tag for m in morphology.analyze(text)]
    return any(tag in ("VV", "VA", "XSV", "XSA", "VX", "VCN") for tag in tags)


def _is_reason(text: str, morphology: Morphology) -> bool:
    """Tell whether words end in the middle of a sentence: "성수 살아서"."""
    found = [m for m in morphology.analyze(text) if m.tag[0] not in "SW"]
    return bool(found) and found[-1].tag == "EC" and found[-1].form in _REASONS


def _is_adverbial(text: str, morphology: Morphology) -> bool:
    """Tell whether words say when, where, with whom or how many."""
    found = [m for m in morphology.analyze(text) if m.tag[0] not in "SW"]
    if not found:
        return False
    last = found[-1]
    counted = last.tag in ("NNB", "NR", "SN") or last.form in _ADVERBIAL
    return (
        last.tag in ("JKB", "JX", "JC", "MAG", "XSN")
        or counted
        or (_TIME.search(text) is not None)
    )


def _render_own(sentence: str) -> str:
    """Return a sentence opened by the user, or by what is theirs."""
    first = sentence.strip().partition(" ")[0]
    noun = _PARTICLE.sub("", first)
    if _is_person(noun) or noun in _NAMED:
        return "제 " + sentence
    return "저는 " + sentence


def _insert_before_predicate(body: str, words: str, asked: QuestionSentence) -> str:
    """Return the body with words put in front of what is nearest to the predicate."""
    argument = _find_argument(asked)
    counted = words.rpartition(" ")[2] in _ADVERBIAL
    if argument is None or counted or asked.main.form in EXISTING or asked.is_copula:
        chained = len(asked.text[asked.morphemes[asked.chain].start : asked.stem.start])
        at = len(body) - chained
        before = re.sub(r"\s*오래\s*$", "", body[:at].rstrip())
        return f"{before} {words} {body[at:]}"
    return f"{asked.text[: argument[0]]}{words} {body[argument[0] :]}"


def render_korean_answer(
    question: str, answer: str, morphology: Morphology
) -> str | None:
    """Return question and answer as one sentence in the first person, or nothing."""
    if _UNSETTLED.search(answer):
        return None
    topic = extract_topic(question)
    if topic:
        return _render_topic(topic, answer, morphology)
    asked = read_question(question, morphology)
    if asked is None:
        return None
    if any(m.form in _WH for m in asked.morphemes) or "어떻" in question:
        return _render_value(asked, answer, morphology)
    other = _SUBJECT.match(asked.text)
    if other is None:
        unnamed = asked.is_copula and _is_about_another(asked, question)
    else:
        unnamed = _is_of_another(answer, other["who"], morphology)
    return None if unnamed else _render_polar(asked, answer, morphology)


def _is_about_another(asked: QuestionSentence, question: str) -> bool:
    """Tell whether a question of a noun alone asks what somebody or something is.

    "담임 선생님이야?" and "출퇴근용이에요?" do, "학생이에요?" asks it of the user.
    """
    noun = asked.text[: asked.stem.start].strip()
    other = noun.endswith((*_OF_OTHERS, *KIN_KO, *_THINGS))
    return other and not _HONOURS.search(question)


def _is_of_another(answer: str, who: str, morphology: Morphology) -> bool:
    """Tell whether what answers a question about somebody is said of someone else.

    "시어머니도 같이 가세요?" – "아뇨 요양원에 모셨어요" says who did so of nobody.
    """
    if not _is_person(who):
        return _TITLE.search(who) is not None
    said = _NO.sub("", _YES.sub("", answer))
    acts = _has_predicate(said, morphology) and not _AGREED.match(said)
    of_another = acts and not is_honouring(morphology.analyze(said))
    return of_another or _HONOURED_NOUN.search(answer) is not None


def _render_polar(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """Return what a yes, a no or a fragment says to a question that asks for one."""
    if _NOT_YET.match(answer):
        denied = _render_denial(_write_body(asked), asked) if asked.past else ""
        return _render_own(denied) if denied else None
    yes, no = _YES.match(answer), _NO.match(answer)
    near = asked.morphemes[max(0, asked.chain - 1) :]
    negated = any(m.form in _NEGATIONS for m in near)
    if negated and not yes:
        return None
    if no or _BARE_DENIAL.match(answer):
        return _render_denied(
            asked, answer, answer[no.end() :] if no else "", morphology
        )
    if yes:
        return _render_assent(asked, answer[yes.end() :], morphology)
    return _render_fragment(asked, answer, morphology)


def _render_assent(asked: QuestionSentence, rest: str, morphology: Morphology) -> str:
    """'네', '네, 아침마다요', '네, 매주 목요일에 가요'."""
    body = _write_body(asked)
    if _AGREED.match(rest):
        return _render_own(_end_plainly(body, asked, denied=False, link=False))
    words = _trim_polite(rest)
    if not _has_predicate(rest, morphology):
        if _is_adverbial(words, morphology):
            body = _insert_before_predicate(body, words, asked)
            return _render_own(_end_plainly(body, asked, denied=False, link=False))
        linked = _end_plainly(body, asked, denied=False, link=True)
        return _render_own(f"{linked} {words}이다")
    if _is_reason(rest, morphology):
        return _render_own(_end_plainly(body, asked, denied=False, link=False))
    linked = _end_plainly(body, asked, denied=False, link=True)
    return _render_own(f"{linked} {rest.strip(' .!~')}")


def _render_denied(
    asked: QuestionSentence, answer: str, rest: str, morphology: Morphology
) -> str:
    """'아뇨', '아뇨, 그건 동생이요', '아뇨, 비건이에요', '아뇨, 면허가 없어요'."""
    body = re.sub(r"(?:요즘|지금|아직)도|아직(?=\s)", "이제", _write_body(asked))
    settled = _AGREED.match(rest) or _AGREED.match(answer)
    if settled or _is_reason(rest, morphology):
        return _render_own(_render_denial(body, asked))
    linked = _end_plainly(body, asked, denied=True, link=True)
    bare = _REFERRED.sub("", rest)
    words = _trim_polite(bare)
    if _has_predicate(bare, morphology):
        return _render_own(f"{linked} {bare.strip(' .!~')}")
    affirmed = _end_plainly(body, asked, denied=False, link=False)
    if _is_person(words):
        return _render_own(
            f"{linked} 제 {append_particle(words, '은', '는')} {affirmed}"
        )
    named = _NAMING.search(bare) and _is_state(words, asked, morphology)
    if asked.is_copula or named:
        return _render_own(f"{linked} {words}이다")
    argument = _find_argument(asked)
    noun = words if argument is None else _mark_argument(words, asked)
    return _render_own(
        f"{linked} {_end_plainly(noun + ' ', asked, denied=False, link=False)}"
    )


def _render_fragment(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """An answer without yes or no to a question that asks for it."""
    if _has_predicate(answer, morphology):
        return _join_topic(asked, answer, morphology)
    words = _trim_polite(answer)
    if not words or not _is_adverbial(words, morphology):
        return None
    body = _insert_before_predicate(_write_body(asked), words, asked)
    return _render_own(_end_plainly(body, asked, denied=False, link=False))


def _render_topic(topic: str, answer: str, morphology: Morphology) -> str | None:
    """'어머니는요?' – '어린이집 하세요', '목표 점수는?' – '850'."""
    if _YES.match(answer) or _NO.match(answer):
        return None
    if _has_predicate(answer, morphology):
        told = _is_person(topic)
        return _render_person(topic, answer, morphology) if told else None
    words = _trim_polite(answer)
    nouns = [m for m in morphology.analyze(words) if m.tag[0] in "NS"]
    if not nouns or nouns[-1].form in _ADVERBIAL or len(words.split()) > MOST_NAMED:
        return None
    return f"제 {append_particle(topic, '은', '는')} {words}이다"


def _render_person(noun: str, answer: str, morphology: Morphology) -> str | None:
    """Return what an answer says of whom the question asks about.

    Nothing comes back where it says of whom it is itself: "나는 가끔 가".
    """
    found = morphology.analyze(answer)
    own = any(m.tag == "NP" and m.form in ME for m in found)
    named = any(
        one.tag[0] in "NX" and (two.tag == "JKS" or two.form in ("은", "는"))
        for one, two in pairwise(found)
        if two.tag[0] == "J"
    )
    unknown = any(m.tag == "VV" and m.form == "모르" for m in found)
    if own or named or unknown:
        return None
    return f"우리 {append_particle(noun, '은', '는')} {answer.strip(' .!~')}"


def _join_topic(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """'허리는 좀 어떠세요?' – '아직도 아파요'."""
    lead = _find_leading_noun(asked)
    if lead is None or not re.match(r"[은는이가도](?=\s)", asked.text[lead[1] :]):
        return None
    noun = asked.text[: lead[1]]
    if _is_person(noun):
        return _render_person(noun, answer, morphology)
    found = morphology.analyze(answer)
    if any(m.tag[:2] in ("NN", "NP") and m.form not in _ADVERBIAL for m in found):
        return None
    state = any(m.tag in ("VA", "XSA") for m in morphology.analyze(answer))
    marked = append_particle(noun, *(("이", "가") if state else ("은", "는")))
    return _render_own(f"{marked} {answer.strip(' .!~')}")


def _render_value(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """'어디 사세요?' – '일산이요', '이름이 뭐예요?' – '보리'."""
    if _YES.match(answer) or _NO.match(answer):
        return None
    place = next(
        (n for n, m in enumerate(asked.morphemes) if m.form in _WH | {"어떻"}), None
    )
    if place is None:
        return None
    if _has_predicate(answer, morphology):
        return _join_topic(asked, answer, morphology)
    words = _trim_polite(answer)
    wh = asked.morphemes[place]
    others = wh.form == "누구" and asked.morphemes[place + 1].tag == "JKS"
    unclear = wh.form.startswith(_CAUSES) and asked.stem.form != "되"
    if not words or others or unclear:
        return None
    before = asked.text[: wh.start]
    if asked.is_copula:
        words = re.sub(r"(?<=[가-힣])에$", "", words)
    if asked.is_copula or wh.form.startswith("어떻"):
        return _name_value(asked, before, words)
    return _put_value(asked, place, words, morphology)


def _name_value(asked: QuestionSentence, before: str, words: str) -> str | None:
    """'제일 좋아하는 음식이 뭐예요?': what stands before the question word is named."""
    if not before.strip():
        return f"저는 {words}이다"
    subject = re.sub(r"(?:이|가|은|는)?\s*$", "", before)
    shown = append_particle(subject, "은", "는")
    if re.search(r"[가-힣](?:은|는) ", before):
        shown = append_particle(subject, "이", "가")
    if subject.endswith("이름"):
        words = re.sub(r"(?<=[가-힣]{2})이$", "", words)
    described = any(
        m.tag in ("ETM", "MAG") for m in asked.morphemes if m.end <= len(before)
    )
    return f"{'제가' if described else '제'} {shown} {words}이다"


def _put_value(
    asked: QuestionSentence, place: int, words: str, morphology: Morphology
) -> str:
    """Put the answer where the question word stands, with the particle after it."""
    end = place
    kept = ""
    if asked.morphemes[place].form in _WH_WITH_NOUN or (
        asked.morphemes[place].form == "얼마나"
        and asked.morphemes[place + 1].tag == "MAG"
    ):
        while end + 1 < asked.chain and asked.morphemes[end + 1].tag in (
            "NNG", "NNP", "NNB", "MAG",
        ):  # fmt: skip
            end += 1
        noun = asked.morphemes[end]
        if noun.form in _KEPT_NOUNS and asked.morphemes[place].form == "무슨":
            kept = " " + noun.form
    begins, ends = asked.morphemes[place].start, asked.morphemes[end].end
    after = asked.text[ends : asked.stem.start]
    said = words + kept
    if after.strip() and not after.startswith(" "):
        particle = after.partition(" ")[0]
        said = _append_same_particle(said, particle, morphology)
        after = after[len(particle) :]
    elif not _is_adverbial(words, morphology):
        said = _mark_argument(said, asked)
    elif asked.morphemes[place].form == "언제" and _TIME.search(words):
        said += "에"
    body = f"{asked.text[:begins]}{said}{after}"
    if not asked.stem.tag.startswith("XS"):
        body = body.rstrip() + " "
    return _render_own(_end_plainly(body, asked, denied=False, link=False))


def _append_same_particle(words: str, particle: str, morphology: Morphology) -> str:
    """Return the answer with the question's particle, unless it has its own."""
    last = [m for m in morphology.analyze(words) if m.tag[0] not in "SW"][-1:]
    if last and last[0].tag in ("JKB", "JX", "JC"):
        return words
    pairs = (("이", "가"), ("을", "를"), ("은", "는"), ("이랑", "랑"), ("과", "와"))
    for pair in pairs:
        if particle in pair:
            return append_particle(words, *pair)
    if particle in ("로", "으로"):
        plain = unicodedata.normalize("NFD", words)[-1:] == "\u11af"
        return words + "로" if plain else append_particle(words, "으로", "로")
    return words + particle
