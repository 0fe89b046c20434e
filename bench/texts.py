"""Sentences as people and assistants say them, Korean and English in turn."""

import random
from collections.abc import Iterator

from gieok import Turn

PEOPLE = (
    ("엄마", "Mom"),
    ("아빠", "Dad"),
    ("민지", "Minji"),
    ("지훈이", "Jihoon"),
    ("서연이", "Seoyeon"),
    ("팀장님", "my manager"),
    ("룸메이트", "my roommate"),
    ("사촌 동생", "my cousin"),
    ("옆집 할머니", "the lady next door"),
    ("대학 동기", "a college friend"),
    ("트레이너", "my trainer"),
    ("치과 선생님", "my dentist"),
    ("마르코", "Marco"),
    ("프리야", "Priya"),
    ("하나", "Hana"),
)
PLACES = (
    ("성수동 카페", "the café in Seongsu"),
    ("망원시장", "Mangwon market"),
    ("한강공원", "the Han river park"),
    ("회사 옥상", "the office roof"),
    ("부산역", "Busan station"),
    ("제주도 펜션", "the guesthouse on Jeju"),
    ("동네 도서관", "the public library"),
    ("헬스장", "the gym"),
    ("치과", "the dentist's"),
    ("전주 한옥마을", "the old town of Jeonju"),
    ("강남 사무실", "the Gangnam office"),
    ("외할머니 댁", "my grandmother's place"),
    ("홍대 공연장", "a concert hall in Hongdae"),
    ("수영장", "the swimming pool"),
    ("베란다", "the balcony"),
    ("동물병원", "the vet"),
    ("인천공항", "Incheon airport"),
    ("도예 공방", "the pottery studio"),
)
THINGS = (
    ("드립 커피", "pour-over coffee"),
    ("땅콩 알레르기 약", "allergy pills for peanuts"),
    ("로봇 청소기", "a robot vacuum"),
    ("전기 자전거", "an electric bike"),
    ("고양이 사료", "cat food"),
    ("김치찌개", "kimchi stew"),
    ("등산화", "hiking boots"),
    ("중고 기타", "a used guitar"),
    ("공기청정기 필터", "filters for the air purifier"),
    ("비건 케이크", "a vegan cake"),
    ("발표 자료", "the slides"),
    ("여권 사진", "passport photos"),
    ("방울토마토 모종", "tomato seedlings"),
    ("독일어 교재", "a German textbook"),
    ("무선 이어폰", "wireless earbuds"),
    ("캠핑 의자", "camping chairs"),
    ("혈압계", "a blood pressure monitor"),
    ("보드게임", "a board game"),
    ("수채화 물감", "watercolours"),
    ("디카페인 원두", "decaf beans"),
)
DAYS = (
    ("어제", "yesterday"),
    ("지난주 토요일에", "last Saturday"),
    ("오늘 아침에", "this morning"),
    ("사흘 전에", "three days ago"),
    ("지난달 초에", "early last month"),
    ("작년 여름에", "last summer"),
    ("3월 둘째 주에", "in the second week of March"),
    ("퇴근하고", "after work"),
    ("연휴에", "over the holidays"),
    ("생일날", "on my birthday"),
)
FEELINGS = (
    ("생각보다 비싸더라.", "It cost more than I thought."),
    ("진짜 마음에 들어.", "I really like it."),
    ("다음엔 안 그럴 거야.", "I will not do that again."),
    ("허리가 좀 아팠어.", "My back hurt a little."),
    ("비가 와서 고생했어.", "It rained and we got soaked."),
    ("매주 하기로 했어.", "We decided to do it every week."),
    ("예산이 40만 원이라 고민이야.", "My budget is 300 dollars, so I am not sure."),
    ("그날 이후로 잠을 잘 자.", "I have slept well ever since."),
)


class Talk:
    """An endless conversation; the same seed gives the same words."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret depends on it
        self._asked: set[str] = set()
        self._turns = 0

    def turns(self, count: int) -> list[Turn]:
        """Return the next turns."""
        return [self._turn() for _ in range(count)]

    def questions(self) -> Iterator[str]:
        """Yield questions about such turns, none of them twice."""
        while True:
            question = self._question()
            if question not in self._asked:
                self._asked.add(question)
                yield question

    def _turn(self) -> Turn:
        self._turns += 1
        pick = self._random.choice
        person, place, day = pick(PEOPLE), pick(PLACES), pick(DAYS)
        thing, other, feeling = pick(THINGS), pick(THINGS), pick(FEELINGS)
        if self._turns % 2:
            return Turn(
                f"{day[0]} {person[0]}하고 {place[0]}에 가서 {_object(thing[0])} "
                f"샀어. {feeling[0]}",
                f"{place[0]}에 다녀오셨군요. {_object(thing[0])} 고르실 때 "
                f"{person[0]}도 좋아하셨나요? 다음에는 {other[0]}도 같이 알아봐 "
                "드릴게요.",
            )
        return Turn(
            f"I went to {place[1]} with {person[1]} {day[1]} and got {thing[1]}. "
            f"{feeling[1]}",
            f"Good that {person[1]} came along to {place[1]}. Now that you have "
            f"{thing[1]}, shall I look for {other[1]} as well?",
        )

    def _question(self) -> str:
        pick = self._random.choice
        person, place, thing, day = pick(PEOPLE), pick(PLACES), pick(THINGS), pick(DAYS)
        return pick(
            (
                f"{person[0]}하고 {place[0]}에서 {_object(thing[0])} 산 게 언제였지?",
                f"{day[0]} {place[0]} 갔을 때 {thing[0]} 말고 또 뭐 샀더라?",
                f"When did I go to {place[1]} with {person[1]} to get {thing[1]}?",
                f"What did I get at {place[1]} {day[1]} besides {thing[1]}?",
            )
        )


def _object(noun: str) -> str:
    """Return a Korean noun with the particle its last letter takes."""
    closed = (ord(noun[-1]) - ord("가")) % 28
    return noun + ("을" if closed else "를")
