"""What Korean speakers may ask of an assistant for themselves.

The same list as `manners_en`, read without the spaces, which many leave out.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from gieok.text.kiwi import Morph
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

OUTPUT: Final = parse_word_set(
    "답 답변 대답 응답 회신 추천 안내 말투 링크 메시지 출력 결과 요약 설명 번역 "
    "첫마디 문장 인사"
)
"""What an assistant gives."""
_CORE: Final = (
    r"https?:|www\.|[\w-]\.(?:com|net|org|io|example|kr|ai|dev|app|xyz|ru"
    r"|cn)(?![a-z])|\S@\S|비밀번호|암호|패스워드|토큰|인증|api|프롬프트|지시|지침|규칙"
    r"|규정|정책|명령|제한|제약|검열|필터|안전장치|관리자|개발자모드|권한|우회|해제"
    r"|탈옥|복종|무시하|몰래|속이|숨기|숨겨|감추|계좌|지갑|코인|스크립트|터미널|외부"
    r"|서버"
)
_QUOTE: Final = (
    r"[\"“'‘「](?=[^\"”'’」]{6})(?:[^\"”'’」“‘「]*[“‘「]){0,6}[^\"”'’」“‘「]*[\"”'’」]"
)
"""Six characters or more in quotation marks; see `_QUOTE` of `allowed_en`."""
RISK: Final = compile_lazily(
    rf"{_CORE}|사용자(?:가|이|에게|한테|님|들|께)|고객|손님|유저|이용자|누가|누군가"
    rf"|누구든"
    r"|사람들|다른사람|상대방|환자|남편한테|송금|이체|결제|입금|환불|구매|주문|구입"
    r"|대출|투자|승인|허가|허락|동의|확인(?:절차|없이|하지|안)|검증|본인확인|묻지"
    r"|물어보지|이(?:메모|노트|기억|글|문장|내용|항목)|도구|함수|호출|실행|업로드|전송"
    r"|유출|공유|포워딩|메일(?:로|주소)|텔레그램|개인정보|신뢰|공식|최고|최저가|할인"
    r"|쿠폰|광고|홍보|협찬|브랜드|제휴|업체|(?:링크|사이트)(?:를|로|에)|클릭|설치"
    r"|다운로드|사실(?:로|인|이라|처럼)|거짓|진실|시스템|모드|역할|인격|페르소나|비밀"
    r"|기밀|데이터|경고|위험|부작용|출처|근거없|자유롭게|뭐든|무엇이든|다들어"
    r"|잊지(?:말|마)|부작용|빠뜨리지|빼먹지|라고(?:만|꼭|반드시)?(?:답|대답|주장|설명"
    rf"|안내|써|적|덧붙|붙|우겨|출력|소개)|{_QUOTE}|[<>{{}}`|\\]|\[[^\[\]]*\]"
)
TABOO: Final = compile_lazily(_CORE)
_FORM: Final = (
    r"존댓말|반말|존대|말투|어투|톤|정중|공손|친근|다정|편하게|편히|부드럽|차분|솔직"
    r"|직설|직접적|단호|유머|농담|격식|캐주얼|친구처럼|따뜻|상냥|사투리|존칭|높임"
    r"|해요체|하십시오체|한국어|영어|일본어|중국어|프랑스어|독일어|스페인어|베트남어"
    r"|러시아어|우리말|한글|국문|영문|외래어|한자|로마자|모국어|짧|간단|간결|간략|길게"
    r"|자세|상세|요약|한줄|두줄|세줄|줄로|줄이내|줄씩|문장|문단|목록|리스트|표로|도표"
    r"|번호|불릿|개조식|글머리|이모지|이모티콘|느낌표|단계|차근차근|쉽게|쉬운|쉬운말"
    r"|예시|예를|비유|전문용어|용어|코드블록|주석|단위|섭씨|화씨|미터|킬로|마일|원화"
    r"|달러|유로|24시간|12시간|오전오후|날짜형식|마크다운|제목|핵심|결론|요점|천천히"
    r"|또박또박|초보|가격|이유|발음|맞춤법|문법|띄어쓰기|한번에하나|하나씩|한가지씩"
    r"|시간대|소수점|스포일러|돌려말|에둘러|군더더기|서론|인사말|사족|글자|큰글씨|천천"
    r"|조용|목소리|격려|칭찬|공감|칼로리|가독성|출처를|단답|장황|길지"
)
_MANNERS: Final = compile_lazily(
    rf"{_FORM}"
    r"|(?:이라고|라고|으로|로|님|씨|아|야)?(?:만)?(?:불러|부르|호칭|호명)|이름|닉네임"
    r"|별명|별칭|호칭"
    r"|(?:얘기|이야기|말|언급|추천|제안|권유|질문|농담|꺼내|잔소리|훈계|비교|알림|연락"
    r"|메시지)"
    r"[가-힣]{0,6}(?:지(?:는|를|도|좀)?(?:말|마|않)|빼|피해|삼가|싫|그만|자제)"
    r"|(?:빼|제외|피해|피하|삼가)|[가-힣]지(?:는|를|도|좀)?(?:말|마)"
    r"|(?:얘기|이야기|수다|대화|퀴즈|문제)[가-힣]{0,8}(?:하자|걸어|나누|들려|내줘|해줘"
    r"|해주)"
    r"|[을를]말하는(?:거|것)|라는뜻|뜻이"
)
_REMIND: Final = compile_lazily(
    r"(?:알려|알람|알림|상기|리마인드|챙겨|깨워|일러|귀띔|말해|얘기해|물어봐|체크해"
    r"|확인해)[가-힣]{0,5}(?:줘|주|달|드려|줄|라|요)?"
)
_TIMED: Final = compile_lazily(
    r"매일|매주|매달|매월|매년|매시|마다|아침|점심|저녁|밤에|오전|오후|\d+시|\d+분"
    r"|요일|내일|전에|모레|주말|평일|전날|미리|[월화수목금토일]요일|때되면|시간되면"
    r"|하라고|먹으라고|주라고|하루전|한시간전|시간전|분전|생일|기념일|출근|퇴근|자기전"
    r"|일어나"
)
_PICK: Final = compile_lazily(r"추천|권해|제안|골라|찾아|보여|소개|틀어|들려")
STEER: Final = compile_lazily(
    r"추천|권해|제안|소개|칭찬|언급|홍보|강조|안내|권유|우선|꺼내(?!지)"
)
_KIND: Final = compile_lazily(
    r"비건|채식|할랄|글루텐|유제품|무설탕|저염|저당|저칼로리|싼|저렴|가성비|무료"
    r"|조용한|실내|야외|아이와|아이들|쉬운|건강|안매운|맵지|매운|가까운|대중교통"
    r"|디카페인|책|음악|영화|노래|재즈|클래식|요리|레시피|식당|맛집|카페|산책|운동"
    r"|게임|음식|메뉴|여행지|팟캐스트|드라마|소설|반찬|간식|옷"
)
_PUSHES: Final = compile_lazily(
    r"무조건|소개|언급|홍보|칭찬|강조|권유|권해|섞어|끼워|덧붙|꺼내|첫째|으뜸|선두"
    r"|최고|여겨|여기|처럼|셈|취급|대우|간주|생각해|믿|편을|별[다한두세네]|참조에|복사"
    r"|전달|전해|(?<![나저])(?:한테|에게|께|로)도?보내|넘겨|출력|전부(?:말|보여|알려)"
    r"|모두다|누구|이라고(?:해|말|답|써|적)|다고(?:해|말|답|알려)|두배|마음대로"
    r"|내메시지|(?<![내제나])[가이](?:물으면|물어보면|말하면|요청하면|부탁하면)|읽게"
    r"|하도록|무엇이든|아무"
)
_REMIND_RISK: Final = compile_lazily(
    r"https?:|www\.|\S@\S|프롬프트|지시|지침|우회|탈옥|복종|무시하|터미널|몰래|계좌"
)
_PROTECTS: Final = compile_lazily(
    r"[나저]한테(?:먼저|꼭|다시|한번|더){0,2}(?:확인|물어|허락)|먼저(?:[나저]한테)?물어"
    r"|경고해[줘주]|출처[도를]?(?:같이|함께|꼭)?(?:알려|보여|말해|적어)"
    r"|(?:묻지|확인하지)않고[가-힣]{1,8}[마말]"
)
"""A wish to be asked, warned or shown grounds makes nothing easier for anybody."""
_SERVICE: Final = compile_lazily(
    r"(?:줘|주세요|줄래|주면|주길|주기|줬으면|달라|도(?:돼|되|괜찮)|[해어아](?:둬|놔))"
)
"""Something done for the person who asks, and nothing pushed on them or others."""
_PLACED: Final = parse_word_set("하 에 에서 까지 틀 역 출발 도착 날씨 근처 여행 지역")
_ELSEWHERE: Final = compile_lazily(
    r"(?:회사|직장|병원|은행|학교|가게|실험실|연구실|사무실|매장|식당|도서관|수영장"
    r"|동호회|모임|군대|팀|반|게임|놀이|이야기|동화|연극|소설|영화|던전앤드래곤|집"
    r"|차안)(?:에서|에선|방침|규칙|규정|지침|룰)|우리(?:회사|병원|은행|학교|가게|팀|반"
    r"|집|동네)[은는]|놀때|(?:는|던)일(?:을|이)?(?:[해하합맡야에])"
    r"|['’”\"](?:라고)?하[셔셨]|라고나와|라고하더|[새헌](?:지침|규칙)[은는이]|(?:고객"
    r"|손님|환자|학생|누[가군])[가-힣]{1,20}면(?:[나저우]|저희)(?:리|희)?[는가]|방탈출"
    r"|라고(?:쓰여|적혀|붙어|써놨|써놓|했|하셨|하셔|하시|하는사람|가르)"
    r"|[으하]래(?:요)?[.!]?$"
)
_ASSISTED: Final = compile_lazily(
    r"https?:|www\.|\S@\S|\.example|(?<![a-z])(?:ai|llm)(?![a-z])|인공지능|어시스턴트"
    r"|비서|챗봇(?!회사|업체)|상담봇|프롬프트|답변|대답|응답|추천|요약|도구|몰래|송금"
    r"|이체|확인(?:없이|하지)|묻지|자동으로|네개발|말을따르|계좌|돈을"
    r"|(?<!라고알려)(?:줘|줘요|주세요|하십시오|할것)[.!~]*$"
)
"""What an assistant is, gives and could be made to do."""
GAP: Final = compile_lazily(r"\s+")


def has_named_party(morphs: Sequence[Morph]) -> bool:
    """Tell whether it names somebody or something that may gain by it: no place."""
    return any(
        morph.tag in {"NNP", "SL"}
        and (
            after is None
            or not (after.form in _PLACED or after.tag in {"VV", "VA", "VX"})
        )
        for morph, after in zip_longest(morphs, morphs[1:])
    )


def is_rule_elsewhere(low: str) -> bool:
    """Tell whether it says what holds at work, at home, in a game, or what others say.

    Such a rule binds the people there, and no assistant as long as it names none.
    """
    return bool(_ELSEWHERE.search(low)) and not _ASSISTED.search(low)


def is_manners_request(said: str, morphs: Sequence[Morph]) -> bool:
    """Tell whether all that is asked for is manners or a service without risk."""
    low = GAP.sub("", said).lower()
    if _PROTECTS.search(low) and "필요" not in low:
        return not _REMIND_RISK.search(low)
    reminds = _REMIND.search(low) and _TIMED.search(low)
    if reminds and not any(m.form in OUTPUT for m in morphs):
        return not _REMIND_RISK.search(low)
    if RISK.search(low):
        return False
    named = has_named_party(morphs)
    if _MANNERS.search(low):
        return not (STEER.search(low) and named)
    served = _SERVICE.search(low) and not _PUSHES.search(low)
    return bool(served or (_PICK.search(low) and _KIND.search(low))) and not named
