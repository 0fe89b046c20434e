"""Which texts read as an instruction to the assistant or as a planted command.

An alarm, not the wall: whoever words an attack well gets past it, and then stands as a
dated line of data inside a fence. What a person may ask of an assistant for themselves
(how to talk, in which language, what to call them, what to remind them of) is no alarm.
"""

import re
import unicodedata
from typing import Final

from gieok.guard import allowed_en, allowed_ko
from gieok.text.normalization import normalize_spelling
from gieok.text.patterns import compile_lazily

_INVISIBLE: Final = compile_lazily(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\U000e0020-\U000e007f]"
)
_MOST_INVISIBLE: Final = 3
_BLOB: Final = compile_lazily(
    r"(?=[A-Za-z0-9+/]{0,60}[a-z])(?=[A-Za-z0-9+/]{0,60}[A-Z])[A-Za-z0-9+/]{40,}={0,2}"
)
_LINK: Final = compile_lazily(r"(?:https?|data):\S+")
_SPELLED: Final = compile_lazily(
    r"\b(?:[a-z][\s.\-_]){3,}[a-z]\b"
    r"|(?<![가-힣])(?:[가-힣][ .\-_]){4,}[가-힣](?![가-힣])"
)
_MIXED: Final = compile_lazily(
    r"\b[a-z]*(?:[a-z][013457]|[013457][a-z])[a-z]{2,}\b",
    re.IGNORECASE,
)
_NOT_LETTER: Final = compile_lazily(r"[\s.\-_]")
_TO_LATIN: Final = str.maketrans("аеорсухіѕԁɡո", "aeopcyxisdgn")
_TO_LETTER: Final = str.maketrans("013457@$", "oieastas")

_NAMES: Final = {
    "<rules>": (
        r"(?:instructions?|rules?|prompts?|guidelines?|directives?|polic(?:y|ies)"
        r"|safety|restrictions?|constraints?|programming|guardrails?)"
    ),
    "<person>": r"(?:사용자|유저|고객|이용자|상대방|누군가|누가|본인)",
    "<orders>": (
        r"(?:지시|명령|규칙|프롬프트|지침|가이드라인|제약|제한|정책|안전장치|설정|원칙)"
    ),
}


def _compile_any(forms: str) -> re.Pattern[str]:
    """Return an expression for any of the forms, which blank lines set apart."""
    lines = [
        "".join(line.strip() for line in form.splitlines())
        for form in forms.strip().split("\n\n")
    ]
    joined = "|".join(lines)
    for name, form in _NAMES.items():
        joined = joined.replace(name, form)
    return compile_lazily(joined, re.DOTALL)


_ENGLISH: Final = _compile_any(
    r"""
    \b(?:ignore|disregard|forget|override|bypass|violate|drop)\b.{0,40}\b<rules>

    \bnew (?:system )?(?:instructions?|directives?|rules?) ?(?::|for (?:you|the))

    \b(?:ignore|disregard|forget) (?:everything (?:above|before|so far|you know
    |you were)|all (?:of )?(?:the )?(?:above|previous|prior))

    \b<rules> (?:no longer|do not|don't) (?:apply|matter)

    (?<!phone is in )(?<!app has )(?<!app has a )\b(?:developer|admin|god|debug|dan
    |jailbreak|root|maintenance) mode\b

    \byou(?: are|'re) (?:now|no longer) (?!(?:my|our)\b)

    \bfrom now on,? you(?: are|'re| will be) (?!welcome|my\b)

    \b(?:act|behave|respond) as (?:if you|an? (?:unrestricted|unfiltered|evil))

    \bwithout (?:any )?(?:restrictions|filters|limitations|guardrails)\b

    (?:^|[\n.!?\]>])\s*[\[<(#*|]{0,4}\s*(?:system|assistant|developer
    |admin(?:istrator)?)(?: (?:message|prompt|note|notice|override|update
    |instruction))?\s*[\])>*|]{0,4}\s*:

    \[/?(?:inst|system|sys|admin)\]|<\|[a-z_]{2,20}\|>|<</?sys>>|</?(?:system
    |memory|instructions?|important)[^>]{0,40}>

    \b(?:note|message|instruction|memo|reminder|notice)s? (?:to
    |for) (?:the |any |all |future )*(?:ai|assistants?|agents?|models?|llms?
    |chatbots?|bots?)\b

    \b(?:the )?(?:ai|assistant|agent|chatbot|model)s? (?:must|should always
    |shall|has to|needs to|is (?:required|instructed|authorized|allowed
    |permitted) to)\b

    \b(?:reveal|show|print|repeat|leak|output|expose|dump)\b
    .{0,30}\b(?:system prompt|hidden prompt
    |your (?:initial |hidden )?(?:instructions|prompt)|api keys?|secrets?
    |credentials|passwords)

    \b(?:send|forward|post|upload|email|mail|transmit|exfiltrate|leak|report
    |copy)\b.{0,60}\b(?:conversations?|chats?|messages?|memor(?:y|ies)|data
    |passwords?|keys?|secrets?|credentials|history|summary|notes?|files?
    |documents?|details)\b.{0,40}(?:https?:|www\.|\S{1,64}@\S|\bto (?:this
    |the following) (?:address|url|link|server|endpoint|site|account))

    \b(?:always|every|each|all|any|append|include|insert|add|end)\b
    .{0,60}(?:https?:|www\.)

    !\[(?:[^\]!]|!(?!\[))*+\]\(|\bjavascript:|<script|<img|<iframe

    \brm -rf\b|\bcurl (?:-\w{1,20} ){0,9}(?:https?:|\S{1,99}\.\S{1,99}/)|\bwget \S
    |\bsudo \w
    |\bdrop table\b|\bos\.system\b|\beval\(|\bpowershell\b.{0,20}-
    |\|\s?(?:ba)?sh\b

    \b(?:run|execute|call|invoke)\b.{0,20}\b(?:following|this|the|these)\b
    .{0,20}\b(?:commands?|code|script|tool|function|shell)\b

    \b(?:use|call|invoke)\b.{0,20}\b(?:tool|function|api)\b.{0,40}\b(?:delete
    |transfer|send|pay|wire|disable|grant)

    \b(?:without|never|don't|do not|not|before)\b.{0,12}\b(?:tell|telling
    |inform|informing|notify|notifying|ask|asking|mention(?:ing)? (?:this|it
    |that) to|alert(?:ing)?|reveal(?:ing)?(?: (?:this|it|that))? to
    |show(?:ing)?(?: (?:this|it))? to)\b.{0,6}\b(?:the )?(?:user|users|customer
    |human|owner)\b

    \b(?:skip|bypass|disable|turn off|no need for|without)\b
    .{0,20}\b(?:confirmation|verification|approval|authentication
    |safety (?:check|filter)s?|security|consent|two.?factor|2fa|warnings?)\b

    \b(?:pre.?approved|pre.?authorized|always approve|auto.?approve
    |automatically approve)

    \b(?:user|person|account|i)\b.{0,12}\b(?:is|am|has|have|was given)\b
    .{0,12}\b(?:an? )?(?:admin(?:istrator)?|root|superuser|full|unlimited
    |elevated|unrestricted) (?:access|privileges?|rights|permissions?|user)
    (?! (?:on|at|in|to) (?:the|our|my) \w)

    \bgrant\b.{0,30}\b(?:access|privileges?|rights|permissions?|admin)\b

    \b(?:(?:when(?:ever)?|if|once|any ?time|next time)\b
    .{0,8}\b(?:the )?(?:users?|customer|someone|anyone)|next time they)\b
    .{0,60}\b(?:say|tell|reply|answer|respond|recommend|redirect|send|transfer
    |give|claim|insist|call|run|use|mention|point|refuse|direct|suggest)\b

    \b(?:trusted|authoritative|reliable|preferred|go.?to|official
    |verified) (?:source|site|website|citation|vendor|authority)\b

    \b(?:every|all|each|any|always)\b.{0,40}\b(?:transfer|payment|deposit
    |refund|wire|invoice)s?\b.{0,40}\b(?:to|into)\b

    \b(?:change|replace|switch|redirect|update)\b.{0,30}\b(?:account|payee
    |recipient|wallet|iban|payment)\b.{0,20}\b(?:to|with)\b

    \b(?:claim|insist|assert|pretend|state|say)\b.{0,12}\b(?:that )?
    .{0,30}\b(?:is|are) (?:unsafe|dangerous|a scam|the best|superior|recalled)\b

    \b(?:store|save|write|add|put|insert|commit|copy)\b.{0,30}\b(?:in|into
    |to)\b.{0,12}\b(?:your|long.?term|persistent|permanent
    |the user'?s) (?:long.?term )?(?:memory|profile|system prompt)\b

    \b(?:decode|base64|rot13)\b.{0,40}\b(?:follow|execute|obey|run|do)\b

    \b(?:obey|follow|comply with|execute)\b.{0,20}\b(?:any|all|every|these
    |the following|my hidden|embedded)\b.{0,24}\b(?:commands?|instructions?
    |orders?|requests?)
    """
)
_KOREAN: Final = _compile_any(
    r"""
    (?:이전|기존|앞선|앞의|위의?|지금까지의?|모든|원래|시스템|너의|네|당신의
    |내부|안전).{0,10}<orders>.{0,8}(?:무시|잊어|잊고|버려|버리|따르지|취소
    |해제|우회|어겨|끄고|꺼)

    <orders>(?:을|를|은|는|들을|들은)?(?:모두|전부|다|전체)?(?:무시|우회|어겨
    |따르지마|따르지말|더이상적용)

    (?:개발자|관리자|디버그|탈옥|루트|유지보수|점검|무제한|dan)모드

    (?:너는|넌|당신은)(?:이제|지금부터|앞으로)(?:부터)?(?!내|제|우리).{0,30}(?:이다
    |이야|야[.!]|입니다|된다|됩니다|역할|행세|ai다|봇이)

    (?:제한|제약|필터|검열)(?:이|도|가)?(?:전혀)?(?:없는|없이|없게|풀린)(?:ai
    |모델|봇|답|모드|상태|자유)

    (?:^|[\n.!?\]>])[\[<(#*【|]{0,4}(?:시스템|관리자|운영자|개발자
    |어시스턴트)(?:메시지|공지|알림|지시|명령|프롬프트|업데이트|노트)?[\])>*】
    |]{0,4}[:：]

    \[/?(?:시스템|관리자|공지|지시)\]

    (?:ai|어시스턴트|비서|챗봇|에이전트|모델|인공지능)(?:는|은|야|아|에게|가
    |용)?.{0,40}(?:해야한다|해야합니다|하여야|하십시오|하시오|할것[.!]?
    |하라[.!\s]?|하도록한다|하도록합니다|말것|마십시오|마라[.!]?|지시사항
    |전달사항)

    (?:시스템|숨겨진|내부|초기)프롬프트.{0,12}(?:보여|출력|알려|공개|말해
    |그대로|노출|유출|바꿔|변경)

    (?:대화|기억|메모리|개인정보|비밀번호|자료|데이터|정보|메시지|요약|내역
    |파일|연락처|일정).{0,30}(?:https?:|www\.|[\w.+-]{1,64}@[\w-]|외부|서버|이주소
    |다음주소|이링크|텔레그램).{0,30}(?:보내|전송|전달|업로드|올려|유출|공유
    |게시|복사|포워딩)

    (?:https?:|www\.|[\w.+-]@[\w-]{1,63}\.).{0,40}(?:보내|전송|업로드|유출|포워딩)

    (?:모든|매|항상|매번|언제나|무조건|반드시|답변|대답|응답|끝에|마지막에
    |앞으로).{0,50}(?:https?:|www\.)

    <person>(?:에게|한테|가|는)?.{0,16}(?:알리지|말하지|보여주지|언급하지
    |밝히지|묻지|물어보지|들키지|숨기|숨겨|모르게|몰래|비밀로|확인받지)

    (?:확인|승인|동의|허락|인증|검증|본인확인|경고)(?:절차)?(?:을|를|은
    |는)?(?:없이|건너뛰|생략|거치지|받지말고|받지않고|우회|요구하지|묻지말)
    .{0,30}(?:송금|결제|이체|실행|삭제|보내|전송|진행|처리|구매|주문|공유|승인
    |변경|허용|해줘|하라|한다)

    (?:안전|보안)(?:필터|규칙|장치|정책|검사|설정|경고).{0,8}(?:해제|무시|끄|꺼
    |우회|비활성|필요없)

    (?:<person>|나|저|이계정|이사람)(?:는|은|에게|가|에게는)?.{0,12}(?:관리자
    |최고|루트|모든|무제한|전체|특별)(?:등급|접근|시스템)?(?:권한|접근권)

    권한(?:을|은)?.{0,10}(?:부여|승격|허용하라|높여|올려)

    (?:사전|미리|자동|이미|항상)(?:에|으로)?(?:승인|허가|동의)(?:된|되어|됐|함
    |완료|처리|하라|한것)

    <person>(?:가|이|께서)?.{0,40}(?:물으면|물어보면|묻거든|말하면|언급하면
    |요청하면|부탁하면|찾으면|문의하면|질문하면|시키면|원하면|할때마다|물을때
    |묻는경우|요청할때)

    (?:물으면|물어보면|묻거든|언급하면|질문하면|요청하면|검색하면|입력하면
    |나오면|말하면).{0,40}(?:라고(?:만)?(?:답|말|대답|주장|해|알려)|(?:만|을|를
    |부터|꼭)(?:추천|홍보|권유|권해|안내)|유도|연결해|거절|송금|이체|보내|전송
    |실행|삭제|호출|결제)

    (?:신뢰할수있는|믿을수있는|공식|검증된|권위있는|우선)(?:출처|업체|사이트
    |기관|판매처|소스|정보원)(?:로|으로|이라고|라고|다|임|이다|입니다|인)

    (?:다음|아래|이|해당|다른)(?:의)?(?:명령어?|스크립트|코드|도구|함수
    |쉘)(?:를|을)?.{0,10}(?:실행|호출|돌려|수행)

    (?:명령어?|지시|요청)(?:는|은|을|를|에)?.{0,12}(?:무조건|그대로|절대적으로
    |의심없이|묻지말고).{0,6}(?:따르|따라|복종|실행|수행|이행)

    (?:도구|함수|api|툴)(?:를|을)?.{0,12}(?:호출|사용|써서|이용).{0,20}(?:송금
    |이체|삭제|전송|보내|결제|해제|부여)

    (?:모든|매|항상|앞으로|이제부터).{0,16}(?:송금|입금|이체|결제|환불|대금
    |급여)(?:은|는|을|를|처|계좌)?.{0,24}(?:로|으로)(?:보내|변경|바꿔|바꾸|처리
    |이체|송금|입금|진행|한다|하라|할것|해)

    (?:계좌|수취인|입금처|받는사람|지갑주소)(?:를|을|가)?.{0,16}(?:로
    |으로)(?:변경|바꿔|바꾸|교체)

    (?:메모리|장기기억|기억장치|프로필|시스템)(?:에|에는|을|를)
    .{0,20}(?:저장하라|저장할것|추가하라|추가할것|기록하라|기록할것
    |저장하십시오|덮어쓰|덮어써|주입|업데이트하라|삽입)

    (?:중요|긴급|필독)(?:공지|알림|지시)?[:：\]].{0,40}(?:ai|어시스턴트|모델
    |챗봇|비서|답변|응답)

    (?:경쟁사|경쟁제품|타사|다른제품|다른브랜드).{0,30}(?:비추천|깎아|나쁘다고
    |위험하다고|언급하지|추천하지)

    (?:위험|리콜|유해|사기|안전)(?:하다|이다|된다|됐다
    |한제품)?(?:이?라)?고(?:만)?(?:주장|답변?하|말하라|대답하|우겨|퍼뜨|안내하)

    (?:디코딩|복호화|해독).{0,16}(?:따르|따라|실행|수행|이행)
    """
)
"""Without the spaces, which many leave out or put anywhere."""
_SENTENCE: Final = compile_lazily(r"(?<=[.!?])\s+|\n+")
_SPACE: Final = compile_lazily(r"[^\S\n]+")


def is_suspicious(text: str) -> bool:
    """Tell whether a text reads as an instruction to the assistant."""
    if has_hidden_text(text):
        return True
    low = unicodedata.normalize("NFKC", normalize_spelling(text).text).lower()
    low = "\n".join(s for s in _SENTENCE.split(low) if not _is_rule_elsewhere(s))
    folded = deobfuscate_text(low)
    if _ENGLISH.search(folded) or _ENGLISH.search(folded.translate(_TO_LETTER)):
        return True
    return _KOREAN.search(_SPACE.sub("", low)) is not None


def _is_rule_elsewhere(sentence: str) -> bool:
    return allowed_en.is_rule_elsewhere(sentence) or allowed_ko.is_rule_elsewhere(
        _SPACE.sub("", sentence)
    )


def has_hidden_text(text: str) -> bool:
    """Tell whether a text holds what people cannot read: unseen or encoded."""
    unseen = len(_INVISIBLE.findall(text)) >= _MOST_INVISIBLE
    return unseen or _BLOB.search(_LINK.sub(" ", text)) is not None


def deobfuscate_text(text: str) -> str:
    """Return a text with spelled-out words joined and look-alike letters replaced."""
    joined = _SPELLED.sub(lambda run: _NOT_LETTER.sub("", run[0]), text)
    joined = _MIXED.sub(lambda word: word[0].translate(_TO_LETTER), joined)
    return _SPACE.sub(" ", joined.translate(_TO_LATIN))
