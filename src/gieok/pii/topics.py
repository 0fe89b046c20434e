"""Labels special categories (GDPR 9, PIPA 23): named for consent, never masked."""

from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.vocabulary import build_vocabulary

_WORDS: Final = {
    PiiKind.HEALTH: (
        (
            "우울증, 공황_장애, 조현병, 조울증, 불면증, 당뇨, 고혈압, 고지혈, 항암,"
            "암_진단, 암_투병, 암_수술, 암_판정, 위암, 폐암, 간암, 대장암, 유방암,"
            "췌장암, 전립선암, 백혈병, 치매, 간염, 결핵, 에이즈, 임신, 유산했, 낙태,"
            "난임, 정신과, 확진, 진단_받, 진단을_받, 투석, 심근경색, 뇌졸중, 협심증,"
            "부정맥, 처방_받, 처방을_받, 복용, 알코올_중독, 자폐, 뇌전증"
        ),
        (
            "hiv, adhd, diagnosed, depression, bipolar, schizophreni*, diabet*,"
            "cancer, chemo*, pregnan*, miscarriage, abortion, hepatitis, tuberculosis,"
            "dementia, dialysis, antidepressant*, epilep*, hypertension, autis*,"
            "insulin"
        ),
    ),
    PiiKind.SEX_LIFE: (
        (
            "성_정체성, 성적_지향, 동성애, 레즈비언, 양성애, 트랜스젠더, 커밍아웃,"
            "성관계, 성병, 성생활"
        ),
        (
            "bisexual, lesbian, transgender, homosexual, sexual orientation,"
            "my sex life, came out as"
        ),
    ),
    PiiKind.BELIEF: (
        (
            "천주교, 기독교, 개신교, 불교_신자, 불자, 무교, 이슬람, 무슬림, 여호와,"
            "신천지, 세례, 교회_다, 교회에_다, 성당_다, 성당에_다, 절에_다, 신앙"
        ),
        (
            "i'm christian, i'm a christian, i'm catholic, i'm a catholic, i'm muslim,"
            "i'm a muslim, i'm jewish, i'm buddhist, i'm a buddhist, i'm hindu,"
            "i'm an atheist, baptized, baptised, my church, my mosque, my synagogue,"
            "my faith, my religion"
        ),
    ),
    PiiKind.POLITICS: (
        (
            "민주당, 국민의힘, 정의당, 개혁신당, 진보당, 당원, 정치_성향, 지지_정당,"
            "보수_성향, 진보_성향"
        ),
        (
            "i vote, i voted, voted for, republican*, democrat, democrats,"
            "labour party, tory, my politics"
        ),
    ),
    PiiKind.UNION: (
        "노조, 노동_조합, 민주노총, 한국노총",
        "trade union*, labor union*, labour union*, union member*, union rep*",
    ),
    PiiKind.CRIME: (
        (
            "전과가, 전과자, 범죄_경력, 집행유예, 구속_됐, 구속되, 징역, 벌금형,"
            "교도소, 출소, 음주_운전,"
            "보호관찰"
        ),
        "convicted, criminal record, felony, on parole, probation, in prison, dui",
    ),
    PiiKind.BIOMETRICS: (
        "지문_등록, 지문_인식, 지문이, 지문을, 홍채, 안면_인식, 유전자_검사",
        "dna, fingerprint*, iris scan*, face id",
    ),
}
WORDS: Final = tuple(part for parts in _WORDS.values() for part in parts)
_ANY: Final = build_vocabulary(*WORDS)
_KINDS: Final = {kind: build_vocabulary(*parts) for kind, parts in _WORDS.items()}


def find_topics(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every word that touches a special category."""
    if _ANY.search(said.low):
        for kind, words in _KINDS.items():
            for match in words.finditer(said.low):
                yield PiiFinding(*match.span(), kind, 0.7)
