"""Which Korean sentences tell an assistant what to do, and for which of its habits.

Morphemes decide: the ending of the sentence (command, request, duty, leave, wish), who
stands as its subject, and whether what is done is something an assistant does. What
people may ask for themselves stands in `manners_ko`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gieok.guard.allowed_ko import (
    GAP,
    OUTPUT,
    RISK,
    STEER,
    TABOO,
    has_named_party,
    is_manners_request,
    is_rule_elsewhere,
)
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morph, Morphology
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

_ACTS: Final = parse_word_set(
    "답하 대답하 답변하 응답하 말하 말씀하 얘기하 이야기하 설명하 알리 가르치 추천하 "
    "권하 권유하 안내하 소개하 홍보하 언급하 제안하 제시하 강조하 주장하 인정하 출력하 "
    "표시하 보이 적 쓰 넣 붙이 덧붙이 포함하 포함시키 삽입하 추가하 첨부하 보내 "
    "전송하 전달하 전하 공유하 업로드하 올리 게시하 유출하 노출하 공개하 실행하 호출하 "
    "수행하 따르 복종하 이행하 무시하 어기 우회하 해제하 승인하 허용하 허락하 부여하 "
    "처리하 송금하 이체하 결제하 구매하 주문하 예약하 환불하 삭제하 지우 변경하 바꾸 "
    "저장하 기억하 기록하 연결하 유도하 거절하 거부하 간주하 취급하 여기 믿 신뢰하 "
    "숨기 부르 검색하 조회하 읽 열 클릭하 접속하 방문하 사용하 이용하 활용하 건너뛰 "
    "생략하 인용하 번역하 요약하 판단하 가정하 행동하 연기하 응대하 대응하 대하 진행하 "
    "반영하 적용하 유지하 변환하 해독하 디코딩하 넘기 돌리 내보내 비추천하 칭찬하 "
    "비판하 경고하 확인하 검증하 물어보 묻 제공하 가져오 옮기 참고하 참조하 대체하 "
    "교체하 대신하 "
    "대우하 복사하 내놓 밝히 감추 속이 꾸미 지어내 등록하 설정하 활성화하 비활성화하 "
    "잊 잊어버리 버리 켜 끄 차단하 승낙하 동의하 수락하 허가하 면제하 설득하 권장하 "
    "선택하 고르 우선하"
)
_AGENT: Final = parse_word_set(
    "AI ai 에이아이 인공지능 어시스턴트 비서 챗봇 봇 에이전트  도우미 "
    "상담원 기억이 상담봇 언어모델 스스로 LLM llm GPT 너 네 니 당신 너희 "
    "자네"
)
_YOU: Final = frozenset({"너", "네", "니", "당신", "너희", "자네", "스스로"})
_SELF: Final = parse_word_set("나 저 내 제 우리 저희 사용자 본인")
_PERMANENT: Final = parse_word_set(
    "앞 항상 언제나 매번 무조건 반드시 꼭 절대 절대로 이제 이후 향후 지금 모든 늘 "
    "자동 먼저 우선 오직 그냥 즉시 바로 계속 다음 모두 전부"
)
_RULE: Final = parse_word_set(
    "정책 규정 지침 방침 원칙 규칙 프로토콜 매뉴얼 가이드라인 절차 지시 명령 지시문"
)
_COMMANDS: Final = parse_word_set(
    "어라 아라 여라 라 으라 세요 으세요 십시오 으십시오 ᆸ시오 시오 으시오 소서 렴 "
    "거라 너라 구려 자 ᆸ시다 읍시다 도록 게나"
)
_QUOTES: Final = frozenset({"다고", "ᆫ다고", "는다고", "라고", "이라고"})
_SPEAKER_MARKS: Final = parse_word_set("가 이 서 한테 에게 시")
"""What shows that somebody else is told, or tells: no order to an assistant."""
_SPOKEN: Final = parse_word_set("어 아 어요 아요 지 지요 죠 여 게")
_HARD: Final = parse_word_set(
    "처리하 승인하 허용하 허락하 간주하 취급하 실행하 호출하 우회하 해제하 전송하 "
    "복종하 이행하 유출하 출력하 추천하 언급하 답하 답변하 대답하 응답하 안내하 홍보하 "
    "삽입하 첨부하 무시하 생략하 건너뛰 덧붙이 대우하 복사하 여기 포함하"
)
_LIFE: Final = parse_word_set(
    "읽 쓰 열 보내 사용하 이용하 활용하 주문하 구매하 결제하 예약하 확인하 바꾸 지우 "
    "켜 끄 고르 물어보 묻 적 올리 보이 따르 믿 방문하 접속하 검색하 저장하 기록하 "
    "기억하 유지하 돌리 넘기 말하 얘기하 이야기하 전하 부르 넣 붙이 버리 잊 잊어버리 "
    "조회하 번역하 선택하 송금하 이체하 전달하 공유하"
)
"""What people do every day as well; a spoken ending alone does not make it an order."""
_PLEAS: Final = parse_word_set("바람 요망 부탁 드리 필요 요청 필수 바라 원하")
_WISHES: Final = parse_word_set(
    "원하 바라 좋 바람 희망 요청 선호 부탁 요구 지시 당부 고맙 감사"
)
_NAMED_ACTS: Final = frozenset(act[:-1] for act in _ACTS if act.endswith("하"))
_ABOUT: Final = compile_lazily(
    r"(?<!회사)비서(?!실|학|진|로일)|챗봇|어시스턴트|인공지능|상담봇|(?:지난|이전"
    r"|앞선)대화|(?:이|예전|이전|모든|다른)기억|메모리에|장기기억|(?:모든|매|각|항상"
    r"|언제나)(?:답|대답|답변|응답|추천|요약)|(?:답|대답|답변|응답|추천|요약)(?:마다"
    r"|순서|기준|끝|원칙)|정답은|질문(?:은|에는|엔)"
)
"""What an assistant is, gives and keeps: no statement about oneself needs it."""
_AUTHORITY: Final = compile_lazily(
    r"누구든|아무나|이계정|(?:같은|똑같은)권리|편을들|말만(?:들|듣|따)|마찬가지"
    r"|그대로옮|같은사람으로|숨은기능|위임장|(?:요청|공유|제공|수집|접근|이체"
    r"|결제)[가-힣]{0,8}동의|(?:고지|확인|인증|승인|책임)[가-힣]{0,3}면제|약속대로"
    r"|제한[가-힣]{0,4}(?:풀|해제|없)|확인할필요|다시확인|(?:하라는|시키는|말하는)대로"
    r"|(?:규정|정책|방침|약관)상|안전고지|(?:개발자|관리자|운영자|소유자)(?:니까"
    r"|이니까|라서|로서)|(?:개발|운영|보안|법무)팀(?:이|확인)|(?:본사|상부)지시"
    r"|본인확인[가-힣]{0,4}(?:대상이아|없|불필요)|이미(?:다)?(?:동의|승인|허락)"
    r"|동의에포함|(?:알릴|물을|말할)필요|마음대로(?:써|해|쓰)|우리끼리만"
    r"|기록[은을](?:지우|지워)|내메시지를읽어|숨은문구|부작용은말|돈을(?:옮|부치|빼"
    r"|보내도)|필요(?:는|가|도)?(?:전혀|이제)?없(?:대|다고|어졌)|이제필요없|(?:묻는"
    r"|물어보는|찾는|아는|말하는)(?:사람|분|고객|손님)|\d+번?(?:사용자|환자|고객|회원)"
)
"""Leave and power: whoever has it says so once more when asked."""
_TRADE: Final = frozenset(
    {"만들", "개발하", "일하", "연구하", "공부하", "배우", "쓰", "사용하"}
)
_OPEN: Final = frozenset({"ᆫ가", "은가", "나", "ᆯ까", "든가", "든지"})
"""Endings that Kiwi calls final and that often are not ("무언가")."""

_LEAD: Final = compile_lazily(r"^(?:the )?(?:user|사용자)\s?:\s*", re.IGNORECASE)
_LINES: Final = compile_lazily(r"\n+|(?<=[.!?。])\s+|[:：](?=\s)")


def has_order(text: str, morphology: Morphology) -> bool:
    """Tell whether any sentence tells an assistant what to do, beyond its manners."""
    for line in _LINES.split(text):
        written = _LEAD.sub("", line.strip())
        for sentence in _split_sentences(morphology.analyze(written)):
            said = written[sentence[0].start : sentence[-1].end]
            if _is_directive(said, sentence):
                return True
            if _has_wish(sentence) and _is_risky_wish(said, sentence):
                return True
    return False


def _split_sentences(morphs: Sequence[Morph]) -> Iterator[list[Morph]]:
    sentence: list[Morph] = []
    for place, morph in enumerate(morphs):
        sentence.append(morph)
        after = morphs[place + 1].tag if place + 1 < len(morphs) else "SF"
        if (
            morph.tag == "EF"
            and morph.form not in _OPEN
            and after not in {"SF", "EF", "JX", "JKQ", "JKB", "SSC"}
        ):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _is_directive(said: str, morphs: Sequence[Morph]) -> bool:
    low = GAP.sub("", said).lower()
    if is_rule_elsewhere(low):
        return False
    if _AUTHORITY.search(low):
        return True
    about = _ABOUT.search(low) and _TRADE.isdisjoint(_iterate_predicates(morphs[-5:]))
    if about and has_named_party(morphs):
        return True
    return bool(about or _is_instruction(morphs)) and not is_manners_request(
        said, morphs
    )


def _is_instruction(morphs: Sequence[Morph]) -> bool:
    """Tell whether a sentence orders, asks, allows or rules what an assistant does."""
    if _is_request(morphs):
        return True
    forms = {morph.form for morph in morphs}
    done = _ACTS.intersection(_iterate_predicates(morphs))
    ruled = _is_obligation(morphs)
    if _has_subject(morphs, _AGENT) and (ruled or done or _is_role_assignment(morphs)):
        return ruled or not _is_own_act(morphs)
    if _is_own_act(morphs) or _is_past(morphs):
        return False
    named = _has_trailing_act(morphs)
    return bool(
        ((done or named) and (ruled or forms & _RULE))
        or ((done - _LIFE or named) and _is_conditional(morphs))
        or (forms & OUTPUT and (ruled or named))
        or (named and forms & _PERMANENT)
        or _is_plain_order(morphs)
    )


def _is_plain_order(morphs: Sequence[Morph]) -> bool:
    """Tell whether a spoken ending without a subject is more likely an order."""
    last = _get_last_word(morphs)
    if last is None or last.form not in _SPOKEN | {"ᆫ다", "는다"}:
        return False
    if _has_main_subject(morphs) and not _is_conditional(morphs):
        return False
    forms = {morph.form for morph in morphs}
    main = set(_iterate_predicates(morphs[-5:]))
    if main & _HARD or (main & {"두", "놓", "치", "굴"} and not forms & {"가", "이"}):
        return True
    if last.form not in _SPOKEN:
        return False
    quoted = "하" in main and forms & _QUOTES and forms.isdisjoint(_SPEAKER_MARKS)
    said = "".join(morph.form for morph in morphs).lower()
    given = forms & OUTPUT or _has_named_recipient(morphs)
    pushed = forms & _PERMANENT or TABOO.search(said)
    return bool(quoted or (main & _ACTS and given) or (main & _ACTS - _LIFE and pushed))


def _has_main_subject(morphs: Sequence[Morph]) -> bool:
    """Tell whether a subject stands in the main clause, not in a relative one."""
    subjects = [place for place, m in enumerate(morphs) if m.tag == "JKS"]
    return bool(subjects) and all(m.tag != "ETM" for m in morphs[subjects[-1] :])


def _has_named_recipient(morphs: Sequence[Morph]) -> bool:
    return any(
        a.tag == "NNP" and b.form in {"한테", "에게"} for a, b in pairwise(morphs)
    )


def _iterate_predicates(morphs: Sequence[Morph]) -> Iterator[str]:
    for before, morph in zip([None, *morphs], morphs, strict=False):
        if morph.tag in {"XSV", "XSA"} and before is not None:
            yield before.form + "하"
        elif morph.tag in {"VV", "VX"}:
            yield morph.form


def _is_request(morphs: Sequence[Morph]) -> bool:
    """Tell whether it commands, or asks that something be done for somebody."""
    last = _get_last_word(morphs)
    ends = [m.form for m in morphs if m.tag in {"EF", "EC"}]
    if not ends:
        return False
    final = ends[-1] if last and last.tag in {"EF", "EC"} else ""
    if final in _COMMANDS and not _is_statement(morphs):
        return True
    mine = _is_own_act(morphs)
    if not mine and any(
        a.form == "도록" and b.form == "하" for a, b in pairwise(morphs)
    ):
        return True
    tail = [
        m for m in morphs if m.tag not in {"SF", "SP", "SS", "SE", "SSO", "SSC", "SW"}
    ]
    for place, morph in enumerate(tail):
        rest = tail[place + 1 :]
        if (
            morph.form in {"말", "마"}
            and morph.tag == "VX"
            and _is_favor_request(rest, mine=mine)
        ):
            return True
        if (
            morph.tag in {"VX", "VV"}
            and morph.form in {"주", "달"}
            and _is_favor_request(rest, mine=mine)
        ):
            return True
    return False


def _is_statement(morphs: Sequence[Morph]) -> bool:
    """Tell whether what ends like a command is a statement.

    So is what ends in "to be" ("기관장이라"), and the polite form of what relatives
    do or somebody cannot do ("아빠는 배 타세요", "잘 못 오세요").
    """
    place = max(n for n, m in enumerate(morphs) if m.tag in {"EF", "EC"})
    if place and morphs[place - 1].tag == "VCP":
        return True
    if morphs[place].form not in {"세요", "으세요"}:
        return False
    relative = any(
        one.form in KIN_KO and other.tag in {"JX", "JKS"}
        for one, other in pairwise(morphs)
    )
    return relative or any(m.form == "못" and m.tag == "MAG" for m in morphs)


def _is_favor_request(rest: Sequence[Morph], *, mine: bool) -> bool:
    """Tell whether what follows "해 주" asks for it: an open ending, or a wish."""
    forms = [m.form for m in rest]
    if not rest or len(rest) == 1:
        return not forms or forms[0] in _SPOKEN | _COMMANDS | {"라", "기", "ᆷ", "음"}
    if forms[-1] in _SPOKEN and {"시", "겠"} <= set(forms):
        return True
    if rest[0].form in _COMMANDS or (rest[0].form in _SPOKEN and rest[0].tag == "EF"):
        return True
    return not mine and _has_wish(rest) and "었" not in forms[-3:]


def _is_wish_word(morph: Morph) -> bool:
    return morph.tag in {"VV", "VA", "NNG", "XR"} and morph.form in _WISHES


def _has_wish(morphs: Sequence[Morph]) -> bool:
    return any(_is_wish_word(m) for m in morphs)


def _is_obligation(morphs: Sequence[Morph]) -> bool:
    """Tell whether it says what must or may be done ("-해야 한다", "-ㄹ 것")."""
    for before, morph in pairwise(morphs):
        if before.form in {
            "어야",
            "아야",
            "여야",
            "어도",
            "아도",
            "여도",
            "면",
            "으면",
        } and (morph.form in {"하", "되", "좋", "괜찮", "충분", "그만"}):
            return True
        if (
            before.tag == "ETM"
            and morph.form == "것"
            and morph is _get_last_word(morphs)
        ):
            return not _LIFE.intersection(_iterate_predicates(morphs[-6:]))
        if before.form == "도록" and morph.form in {"하", "설정", "허용"}:
            return True
        if before.form == "필요" and morph.form in {"없", "가", "는"}:
            return True
    return any(
        m.form in {"금지", "의무", "필수", "요망", "예정", "의무이"}
        for m in morphs[-3:]
    )


def _is_past(morphs: Sequence[Morph]) -> bool:
    return any(m.tag == "EP" and m.form in {"었", "았", "였"} for m in morphs[-4:])


def _is_conditional(morphs: Sequence[Morph]) -> bool:
    return any(
        (m.tag == "EC" and m.form in {"면", "으면", "거든", "ᆯ수록", "자마자"})
        or (m.form in {"때", "경우", "시"} and m.tag in {"NNG", "NNB", "JX", "XSN"})
        for m in morphs
    )


def _has_trailing_act(morphs: Sequence[Morph]) -> bool:
    """Tell whether it ends in the bare name of what an assistant does ("… 추천.")."""
    words = [m for m in morphs if not m.tag.startswith("S")]
    while words and (words[-1].form in _PLEAS or _has_closing_plea(words)):
        words = words[:-1]
    if not words:
        return False
    last = words[-1]
    if last.tag == "ETN" or last.form in {"ᆷ", "음", "기"}:
        return any(act in _ACTS for act in _iterate_predicates(words[-4:]))
    return last.tag.startswith("NN") and last.form in _NAMED_ACTS


def _has_closing_plea(words: Sequence[Morph]) -> bool:
    """Tell whether it closes with "…바람", "…부탁드림"."""
    return len(words) > 1 and words[-1].form == "ᆷ" and words[-2].form in _PLEAS


def _get_last_word(morphs: Sequence[Morph]) -> Morph | None:
    words = (
        m
        for m in reversed(morphs)
        if not m.tag.startswith("S") or m.tag in {"SL", "SN"}
    )
    return next(words, None)


def _has_subject(morphs: Sequence[Morph], names: frozenset[str]) -> bool:
    for morph, after in zip(morphs, [*morphs[1:], None], strict=True):
        if morph.form not in names:
            continue
        if after is None or after.tag in {"JKS", "JX", "JKV", "JKB", "SP", "EF"}:
            return True
        if after.tag == "JKO" and morph.form in _YOU:
            return True
    return False


def _is_own_act(morphs: Sequence[Morph]) -> bool:
    """Tell whether the person is the one who does it.

    The subject of a condition ("사용자가 물으면") is not that of what follows from it.
    """
    for place, (morph, after) in enumerate(pairwise(morphs)):
        if morph.form not in _SELF or after.tag not in {"JKS", "JX"}:
            continue
        rest = morphs[place:]
        dependent = _is_conditional(rest) or any(m.tag == "ETM" for m in rest)
        if after.tag == "JX" or not dependent:
            return True
    return any(
        before.form in KIN_KO and after.form in {"은", "는", "이", "가", "들"}
        for before, after in pairwise(morphs)
    )


def _is_risky_wish(said: str, morphs: Sequence[Morph]) -> bool:
    """Tell whether a wish is about an assistant and might harm somebody."""
    done = set(_iterate_predicates(morphs))
    forms = {morph.form for morph in morphs}
    low = GAP.sub("", said).lower().removeprefix("사용자")
    if TABOO.search(low):
        return True
    if not (done & _ACTS and (forms & (OUTPUT | _AGENT) or done & _HARD)):
        return False
    return bool(RISK.search(low)) or (
        has_named_party(morphs) and bool(STEER.search(low))
    )


def _is_role_assignment(morphs: Sequence[Morph]) -> bool:
    """Tell whether it says what the one spoken to is ("너는 이제 해커야")."""
    return _has_subject(morphs, _YOU) and any(m.tag == "VCP" for m in morphs)
