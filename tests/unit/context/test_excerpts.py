"""Of a summary a block quotes neither what it shows already nor what is outdated."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gieok.context.excerpts import drop_stated, select_bearing
from gieok.context.momentary import is_momentary, is_pleasantry
from gieok.kernel.language import Role
from gieok.recall import Hit, HitKind
from gieok.testing import WordTokenizer

SESSION = UUID(int=1)


def _drop(
    summary: str,
    *,
    shown: tuple[str, ...] = (),
    outdated: tuple[str, ...] = (),
    kind: HitKind = HitKind.SESSION_SUMMARY,
) -> list[str]:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    hit = Hit(kind, UUID(int=2), summary, 1.0, at, SESSION)
    kept = drop_stated([hit], shown, {SESSION: outdated}, WordTokenizer())
    return [each.content for each in kept]


@pytest.mark.parametrize(
    ("summary", "shown", "left"),
    [
        ("The user lives in Leeds.", "The user lives in Leeds", []),
        (
            "The user lives in Leeds with her wife Ann and three kids.",
            "The user lives in Leeds",
            ["The user lives in Leeds with her wife Ann and three kids."],
        ),
        (
            "Likes tea. The user lives in Leeds.",
            "The user lives in Leeds",
            ["Likes tea."],
        ),
        (
            "The doctor raised the dose to 20 mg.",
            "The user is a doctor",
            ["The doctor raised the dose to 20 mg."],
        ),
        (
            "의사가 혈압약을 두 알로 늘렸다",
            "사용자는 의사이다",
            ["의사가 혈압약을 두 알로 늘렸다"],
        ),
    ],
)
def test_what_is_shown_is_not_said_again_and_what_says_more_is(
    summary: str, shown: str, left: list[str]
) -> None:
    assert _drop(summary, shown=(shown,)) == left


@pytest.mark.parametrize(
    ("summary", "outdated"),
    [
        ("Takes 10 mg of Lipitor.", "The user takes 10 mg of Lipitor every morning"),
        ("Lives in Leeds with Ann and three kids.", "The user lives in Leeds"),
    ],
)
def test_what_is_outdated_goes_however_much_either_says(
    summary: str, outdated: str
) -> None:
    assert _drop(summary, outdated=(outdated,)) == []


def test_messages_are_left_alone() -> None:
    said = "I live in Leeds"
    assert _drop(said, outdated=(said,), kind=HitKind.MESSAGE) == [said]


@pytest.mark.parametrize(
    ("said", "is_empty"),
    [
        ("ok bye", True),
        ("Right. Bed.", True),
        ("thank you honey", True),
        ("감사합니다 ㅎㅎ", True),
        ("음 고민해볼게", True),
        ("망원동", False),
        ("ok, leeds then", False),
        ("good, the surgery is on monday", False),
    ],
)
def test_a_mere_pleasantry_is_no_excerpt(said: str, *, is_empty: bool) -> None:
    assert is_pleasantry(said) == is_empty


@pytest.mark.parametrize(
    "said",
    [
        "hey whats up",
        "tell me a joke",
        "sing me a song",
        "hi",
        "Good morning!",
        "what should i cook tonight",
        "can you recommend a movie",
        "set a timer for 10 minutes",
        "how do you say hello in french",
        "how are you",
        "whats the weather like",
        "translate this sentence",
        "please explain photosynthesis",
        "play some jazz",
        "any tips for sleeping better",
        "turn on the lights",
        "hey. tell me a story",
        "what time is it",
        "오늘 날씨 알려줘",
        "면접에서 자주 나오는 질문 알려주세요",
        "노래 불러줘",
        "안녕 잘 지냈어",
        "점심 뭐 먹을까",
        "지금 몇 시야",
        "재밌는 얘기 해줘",
        "재밌는 이야기 들려줘",
        "심심해 놀아줘",
        "이거 번역해줘",
        "불 꺼줘",
        "영화 추천 좀",
        "안녕하세요! 오늘 날씨 어때요",
        "김치찌개 어떻게 해",
        "감기에 좋은 음식 추천해 주세요",
        "유튜브 틀어줘",
        "내일 비 오나요",
        "이 문장 고쳐주세요",
        "파이썬이 뭐야",
    ],
)
def test_what_is_said_for_the_moment_is_no_excerpt(said: str) -> None:
    assert is_momentary(said)


@pytest.mark.parametrize(
    "said",
    [
        "my surgery is on monday",
        "i'm so sad",
        "what goes with my green dress",
        "tell my sister i'm late",
        "recommend a gift for my wife, she loves orchids",
        "what i eat is mostly rice",
        "what a day at the hospital",
        "how i met Tom is a long story",
        "when i was five i broke an arm",
        "i work nights",
        "give up smoking is hard, i quit",
        "remind me to take metformin at 8",
        "dont recommend pork",
        "name's Maya",
        "Is, my cat, is 12",
        "set out for Leeds at dawn every day",
        "call me Jo",
        "are we there yet, i have asthma",
        "내일 면접인데 팁 알려줘",
        "엄마가 매일 책을 읽어줘",
        "매일 여덟 시에 끝나요",
        "나 새우 알레르기 있어",
        "내 차에 맞는 타이어 추천해줘",
        "앞으로 반말로 대답해줘",
        "동생이 부산에 살아요",
        "망원동",
        "별명 다람쥐 말고 다니라고 불러줘",
        "오늘부터 존댓말로 말해줘",
        "학교 앞 카페 해",
        "play guitar",
        "play bass in a band",
        "make candles for a living",
        "sing in a choir",
        "turn 40 in May",
        "did a marathon last spring",
        "was a nurse for 20 years",
        "set up a bakery in Leeds",
        "help at the food bank on sundays",
        "write novels",
        "give piano lessons",
        "name's Bo",
        "translate documents at the UN",
        "teach third grade",
        "how it went at the hospital was awful",
        "start monday at Volvo",
        "will turns six in june",
        "open the shop at 6",
        "please stop with the emojis",
        "where the kids go to school is Elm St",
        "오늘 상사한테 혼났습니다",
        "강아지가 자꾸 깨워",
        "병원에 갔어요",
        "고등학교 국어 교사",
        "쏘나타 2019년식",
        "약 먹었더니 졸리다",
        "이름은 민호",
        "일본에서 왔어요",
        "클라이밍 시작했는데 꿀잼",
        "제 직업은 간호사예요",
        "남편이 꽃을 사줘",
        "라면 끊었음",
        "하율이라고 불러줘",
        "뒤통수 보고 엉엉 울었지 뭐야",
        "직원이 하나 나가서 지금 한 명이에요 구인글 써줘요",
    ],
)
def test_what_tells_of_the_person_may_be_an_excerpt(said: str) -> None:
    assert not is_momentary(said)


def test_what_only_closes_a_talk_does_not_bear_on_anything() -> None:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    texts = ("ok bye", "hey whats up", "노래 불러줘", "the surgery is on monday")
    said = [
        Hit(HitKind.MESSAGE, UUID(int=n), text, 1.0, at, role=Role.USER, relevance=2.0)
        for n, text in enumerate(texts)
    ]
    assert [hit.content for hit in select_bearing(said)] == ["the surgery is on monday"]
