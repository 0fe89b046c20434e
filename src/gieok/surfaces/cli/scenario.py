"""What the demo's two people say, and what must hold afterwards."""

from dataclasses import dataclass

from gieok.sessions import Turn


@dataclass(frozen=True, slots=True)
class Scenario:
    """One person over three days.

    `home`, `new_home` and `private` are words that must, or must no longer, stand in
    what is remembered, `hobby` and `drink` what the second and third day add; `event`
    is what the next day's greeting takes up. Nothing here is printed as a result.
    """

    language: str
    person: str
    zone: str
    first: tuple[Turn, ...]
    question: str
    correction: Turn
    second: Turn
    private_question: str
    forgetting: Turn
    third: Turn
    home: str
    new_home: str
    private: str
    event: str
    hobby: str
    drink: str


KOREAN = Scenario(
    language="ko",
    person="민지",
    zone="Asia/Seoul",
    first=(
        Turn("안녕! 나는 마포구에 살고 있어.", "반가워요! 동네 기준으로 안내할게요."),
        Turn("나는 땅콩 알레르기가 있어.", "그렇군요, 조심해서 권할게요."),
        Turn("내일 중요한 면접이 있어서 너무 떨려.", "잘 될 거예요! 응원할게요."),
        Turn("오늘 저녁은 뭐 먹지?", "비도 오는데 칼국수 어때요?"),
    ),
    question="우리 동네 분리수거는 무슨 요일이야?",
    correction=Turn("나 지난주에 강남구로 이사했어.", "새 동네 기준으로 안내할게요!"),
    second=Turn("참, 나 요즘 첼로를 배우고 있어.", "멋져요! 첼로 소리 좋죠."),
    private_question="간식으로 뭐 먹으면 좋을까? 내가 못 먹는 거 있어?",
    forgetting=Turn("내 땅콩 알레르기 얘기는 잊어줘.", "네, 알겠어요."),
    third=Turn("나는 커피보다 홍차를 좋아해.", "홍차 좋지요."),
    home="마포",
    new_home="강남",
    private="땅콩",
    event="면접",
    hobby="첼로",
    drink="홍차",
)
ENGLISH = Scenario(
    language="en",
    person="Alex",
    zone="America/New_York",
    first=(
        Turn("Hi! I live in Brooklyn.", "Hello! I'll keep to your neighborhood."),
        Turn("I'm allergic to peanuts.", "Thanks, I'll be careful."),
        Turn("I have a big interview tomorrow, I'm so nervous.", "You'll do well!"),
        Turn("What should I have for dinner?", "It's raining; how about noodles?"),
    ),
    question="Which day is recycling picked up where I live?",
    correction=Turn(
        "I moved to Queens last week.", "Then I'll look there from now on!"
    ),
    second=Turn("By the way, I also play the cello.", "How lovely!"),
    private_question="What could I snack on? Is there anything I can't eat?",
    forgetting=Turn("Please forget about my peanut allergy.", "All right."),
    third=Turn("I like tea better than coffee.", "Tea it is."),
    home="Brooklyn",
    new_home="Queens",
    private="peanut",
    event="interview",
    hobby="cello",
    drink="tea",
)
SCENARIOS = (KOREAN, ENGLISH)
