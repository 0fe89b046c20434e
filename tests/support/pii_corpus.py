"""Invented people's numbers in invented sentences, and sentences that look alike.

Nothing here is anybody's: every digit comes from a seeded generator.
"""

import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

RRN_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
DISGUISES = ("", "full", "hidden", "dots", "spaces", "dash", "aloud", "apart")


@dataclass(frozen=True, slots=True)
class Case:
    """Messages, and for each what must be covered whole ("" for nothing)."""

    kind: str
    style: str
    messages: tuple[str, ...]
    values: tuple[str, ...]


class Corpus:
    """Cases in an order that a seed decides."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret depends on it

    def positives(self, each: int) -> list[Case]:
        """Return as many cases of every kind."""
        makers = {
            "rrn": self._rrn,
            "foreigner": self._foreigner,
            "phone": self._phone,
            "card": self._card,
            "account": self._account,
            "passport": self._passport,
            "driver_license": self._licence,
            "ssn": self._ssn,
            "email": self._email,
            "password": self._password,
            "secret": self._secret,
            "address": self._address,
        }
        return [
            self._case(kind, make())
            for kind, make in makers.items()
            for _ in range(each)
        ]

    def splits(self, count: int) -> list[Case]:
        """Return numbers of which two messages hold a part each."""
        return [self._split() for _ in range(count)]

    def negatives(self, count: int) -> list[str]:
        """Return sentences with numbers that are nobody's."""
        return [self._harmless() for _ in range(count)]

    def _digits(self, count: int, first: str = "0123456789") -> str:
        rest = "".join(self._random.choices("0123456789", k=count - 1))
        return self._random.choice(first) + rest

    def _born(self) -> str:
        pick = self._random.randint
        return f"{pick(40, 99):02d}{pick(1, 12):02d}{pick(1, 28):02d}"

    def _checked(self, digits: str, base: int) -> str:
        total = sum(w * int(d) for w, d in zip(RRN_WEIGHTS, digits, strict=True)) % 11
        return digits + str((base - total) % 10)

    def _rrn(self) -> tuple[str, bool]:
        head = self._born() + self._digits(6, "12")
        valid = self._random.random() < 0.5
        whole = self._checked(head, 11) if valid else head + self._digits(1)
        return f"{whole[:6]}-{whole[6:]}", True

    def _foreigner(self) -> tuple[str, bool]:
        head = self._born() + self._digits(6, "5678")
        whole = self._checked(head, 13) if self._random.random() < 0.5 else head + "4"
        return f"{whole[:6]}-{whole[6:]}", True

    def _phone(self) -> tuple[str, bool]:
        code = self._random.choice(("010", "010", "010", "011", "02", "031", "070"))
        return f"{code}-{self._digits(4, '23456789')}-{self._digits(4)}", True

    def _card(self) -> tuple[str, bool]:
        whole = self._digits(16, "45")
        if whole[0] == "5":
            whole = f"5{self._random.randint(1, 5)}{whole[2:]}"
        if self._random.random() < 0.7:
            whole = whole[:-1] + _luhn(whole[:-1])
        return "-".join(whole[i : i + 4] for i in range(0, 16, 4)), True

    def _account(self) -> tuple[str, bool]:
        layout = self._random.choice(
            ((3, 6, 2, 3), (4, 3, 6), (3, 4, 4, 2), (4, 2, 7), (6, 2, 6), (3, 3, 6))
        )
        return "-".join(self._digits(size, "123456789") for size in layout), False

    def _passport(self) -> tuple[str, bool]:
        if self._random.random() < 0.5:
            letter = self._random.choice("ABCDEFGHJK")
            return f"M{self._digits(3)}{letter}{self._digits(4)}", False
        return f"{self._random.choice('MS')}{self._digits(8)}", False

    def _licence(self) -> tuple[str, bool]:
        area = self._random.randint(11, 28)
        return f"{area}-{self._digits(2)}-{self._digits(6)}-{self._digits(2)}", False

    def _ssn(self) -> tuple[str, bool]:
        pick = self._random.randint
        return f"{pick(1, 665):03d}-{pick(1, 99):02d}-{pick(1, 9999):04d}", False

    def _email(self) -> tuple[str, bool]:
        name = self._word(6) + self._random.choice(("", ".", "_")) + self._word(4)
        return (
            f"{name}@{self._random.choice(('example.com', 'mail.example.org'))}",
            False,
        )

    def _password(self) -> tuple[str, bool]:
        symbol = self._random.choice("!@#$%")
        return self._random.choice(
            (
                f"{self._word(5)}{self._digits(4)}",
                f"{self._word(4)}{symbol}{self._digits(4)}",
                self._digits(6),
                f"{self._word(3).title()}-{self._word(4)}{self._digits(2)}{symbol}",
            )
        ), False

    def _secret(self) -> tuple[str, bool]:
        body = "".join(
            self._random.choices("abcdefghijkmnpqrsABCDEFGH0123456789", k=36)
        )
        return self._random.choice(
            (f"sk-{body}", f"ghp_{body}", f"AKIA{body[:16].upper()}", f"xoxb-{body}")
        ), False

    def _address(self) -> tuple[str, bool]:
        pick = self._random.choice
        road = pick(("솔마루", "느티", "푸른들", "가람", "한별", "새터"))
        where = pick(
            ("서울 마포구", "부산 해운대구", "경기도 용인시 수지구", "대전광역시 서구")
        )
        flat = pick(("", " 302호", ", 104동 1203호", " 3층"))
        number = self._random.randint(1, 300)
        return f"{where} {road}{pick(('로', '길'))} {number}{flat}", False

    def _word(self, size: int) -> str:
        return "".join(self._random.choices("abcdefghijklmnoprstuvwy", k=size))

    def _case(self, kind: str, made: tuple[str, bool]) -> Case:
        value, numeric = made
        style = self._random.choice(DISGUISES) if numeric else ""
        shown = _disguised(value, style, self._random)
        template = self._random.choice(TOLD[kind])
        return Case(kind, style, (template.format(shown),), (shown,))

    def _split(self) -> Case:
        whole, _ = self._rrn()
        head, tail = whole.split("-")
        first, between, second = self._random.choice(SPLIT)
        return Case(
            "rrn",
            "split",
            (first.format(head), *between, second.format(tail)),
            (head, *("" for _ in between), tail),
        )

    def _harmless(self) -> str:
        pick, number = self._random.choice, self._random.randint
        day = f"{number(2019, 2027)}-{number(1, 12):02d}-{number(1, 28):02d}"
        values = {
            "d4": self._digits(4, "123456789"),
            "d6": self._digits(6),
            "d7": self._digits(7),
            "d8": self._digits(8),
            "d10": self._digits(10),
            "d12": self._digits(12),
            "d13": self._digits(13),
            "day": day,
            "dots": day.replace("-", "."),
            "run": day.replace("-", ""),
            "ms": str(number(1_500_000_000_000, 1_800_000_000_000)),
            "word": self._word(3).upper(),
            "groups": "-".join(self._digits(4, "1278") for _ in range(4)),
            "n": str(number(2, 30)),
        }
        return pick(HARMLESS).format(**values)


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    reach = z * ((share * (1 - share) + z * z / (4 * total)) / total) ** 0.5
    scale = 1 + z * z / total
    return (middle - reach) / scale, min(1.0, (middle + reach) / scale)


def _luhn(digits: str) -> str:
    odd = sum(map(int, digits[-2::-2]))
    even = sum(sum(divmod(2 * int(d), 10)) for d in digits[::-2])
    return str(-(odd + even) % 10)


def _disguised(value: str, style: str, source: random.Random) -> str:
    digits = value.replace("-", "")
    return {
        "": lambda: value,
        "full": lambda: value.translate({48 + d: 0xFF10 + d for d in range(10)}),
        "hidden": lambda: "\u200b".join(value),
        "dots": lambda: value.replace("-", "."),
        "spaces": lambda: value.replace("-", " "),
        "dash": lambda: value.replace("-", source.choice("–—‐−ㅡ")),
        "aloud": lambda: value.translate(
            str.maketrans("0123456789-", "공일이삼사오육칠팔구 ")
        ),
        "apart": lambda: " ".join(digits),
    }[style]()


def decomposed(text: str) -> str:
    """Return a text as macOS writes it."""
    return unicodedata.normalize("NFD", text)


def covered(message: str, value: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether every letter and digit of a value lies in one of the spans."""
    start = message.index(value)
    places = (i for i in range(start, start + len(value)) if message[i].isalnum())
    return all(any(a <= place < b for a, b in spans) for place in places)


def styles(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """Yield the cases of every kind, then of every disguise."""
    for key in ("kind", "style"):
        for name in dict.fromkeys(getattr(case, key) for case in cases):
            if name:
                yield name, [case for case in cases if getattr(case, key) == name]


TOLD = {
    "rrn": (
        "보험 들려면 주민번호 필요하대서 {} 적어 냈어",
        "내 주민등록번호 {} 맞는지 봐줄래?",
        "동생 민증 보니까 {} 이더라",
        "My Korean resident registration number is {}, is that format ok?",
    ),
    "foreigner": (
        "외국인등록번호 {} 로 본인인증 하려는데",
        "my alien registration card says {} on it",
    ),
    "phone": (
        "바뀐 번호 {} 로 연락 줘",
        "엄마 전화번호가 {} 인데 저장해줘",
        "{} 여기로 전화하면 돼",
        "you can call me at {} after six",
    ),
    "card": (
        "카드번호 {} 결제가 안 돼",
        "이 신용카드 {} 해지하고 싶어",
        "my card {} was declined again",
        "{} 이 카드 한도 얼마야",
    ),
    "account": (
        "월세는 국민은행 {} 으로 보내면 돼",
        "내 계좌 {} 로 입금해줘",
        "{} 신한 계좌로 송금했어",
        "wire it to my bank account {} please",
    ),
    "passport": (
        "여권번호 {} 로 항공권 발권했어",
        "passport number {} expires in May",
        "새 여권은 {} 이렇게 생겼네",
    ),
    "driver_license": (
        "운전면허 번호 {} 입력하래",
        "렌터카 면허 {} 등록했는데 오류야",
        "my driver's license is {} from Korea",
    ),
    "ssn": (
        "my SSN is {} for the tax form",
        "they asked my social security number, {}",
    ),
    "email": (
        "메일은 {}으로 보내줘",
        "reach me at {} anytime",
        "{} 이거 내 계정이야",
        "제 이메일 주소는 {}입니다.",
    ),
    "password": (
        "와이파이 비밀번호는 {} 이야",
        "넷플릭스 비번 {} 로 바꿨어",
        "the password is {} by the way",
        "password: {}",
        "현관 비번 {} 기억해줘",
    ),
    "secret": ("키는 {} 이거 쓰면 돼", "export KEY={}", "here is the token: {} ok?"),
    "address": ("집 주소는 {} 이야", "{}로 배달시켜줘", "나 {} 살아"),
}
SPLIT = (
    ("주민번호 앞자리는 {}", ("네, 뒷자리는요?",), "뒷자리는 {}"),
    ("앞자리 {}이고", (), "뒷자리는 {}이야"),
    ("민증 앞에 {}", ("네, 이어서 말씀해 주세요.",), "{}"),
    ("{}-", (), "{}"),
    ("first six digits are {}", ("And the last seven?",), "{}"),
)
HARMLESS = (
    "주문번호 {groups} 배송 언제 와?",
    "운송장 {d12} 조회해줘",
    "송장번호는 {d10}이래",
    "예약번호 {d8}-{d4} 확인 부탁해",
    "접수번호 {run}-{d6} 로 문의했어",
    "모델명 {word}-010-{d4} 필터 어디서 사?",
    "시리얼 {word}{d8} 이라고 써 있어",
    "제조번호 {run}-{d7} 이거 정품 맞아?",
    "여행 기간은 {dots}~{dots} 이야",
    "{day} 부터 {day} 까지 휴가야",
    "바코드 880{d10} 찍으면 돼",
    "타임스탬프 {ms} 이게 몇 시야?",
    "로그에 {ms} 라고 찍혔어",
    "사건번호 2024가단{d6} 어떻게 됐지",
    "버전 1.{n}.{d4} 으로 올렸어",
    "{d4}번 버스 타고 {n}정거장 가",
    "{n}만 {d4}원 나왔어",
    "1588-{d4} 여기 전화하면 상담 돼?",
    "좌표 37.{d6}, 126.{d6} 근처야",
    "비밀번호 {n}번 틀려서 잠겼어",
    "비밀번호는 8자리 이상이어야 한대",
    "암호화폐 {d4}달러 됐대",
    "카드 {n}장 게임에서 이겼어",
    "국민 {n}명 중 {d4}명이 봤대",
    "우리 {n}시 {n}분에 만나",
    "하나 둘 셋 하고 {n}초 세",
    "공일이 형이랑 사이 좋아",
    "앞으로 {n}일 남았어",
    "서울로 {n}시에 출발해",
    "학번 {d10} 인데 성적 조회 되나",
    "회원번호 {d10} 로 로그인",
    "order number {groups} is late",
    "tracking {d12} says delivered",
    "booking ref {word}{d4}, gate {n}",
    "the invoice #{d8} is wrong",
    "model {word}-{d4}-{d4} manual please",
    "ISBN 978-89-{d4}-{d4}-{n} is out of print",
    "serial no. {d13} on the back",
    "from {day} to {day} I am away",
    "my confirmation code is {word}-{d4}-{d4}-55",
    "the password must have {n} characters",
    "I forgot my password on {day}",
    "the score was {n}-{n} in the end",
    "chapter {n}, page {d4}",
    "build {d4}.{n}.{d4} crashes",
    "case number {d4}-{d6} was closed",
    "a commit like {d7}a",
    "timestamp {ms} in the log",
    "UUID 550e8400-e29b-41d4-a716-44665544{d4}",
    "I ran {n} km in {n} minutes",
    "flight KE{d4} leaves at {n}:30",
    "it cost {d4} dollars in {n} parts",
    "wifi 6E router AX{d4} is on sale",
)
