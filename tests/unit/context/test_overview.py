"""A question about the person as a whole is heard, and no other is taken for one."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gieok.context.overview import LONGEST, is_overview, rank_by_worth
from gieok.recall import Hit, HitKind

AT = datetime(2026, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "tell me about me",
        "what do you know about me?",
        "What do you remember about me so far?",
        "tell me everything you know about me",
        "Tell me about myself",
        "who am I?",
        "do you remember me",
        "do you know anything about me?",
        "What have you learned about me?",
        "hey what do u know about me",
        "Hi! What do you know about me?",
        "everything you know about me",
        "can you tell me what you know about me please",
        "what have i told you about myself",
        "describe me in three sentences",
        "summarize what you know about me",
        "list everything you remember about me",
        "show me my memories",
        "what's in your memory about me",
        "what kind of person am i",
        "What information do you have about me?",
        "what do you have stored about me?",
        "give me a summary of what you know about me",
        "how much do you know about me",
        "what else do you know about me?",
        "what have you got on me",
        "Could you describe me?",
        "do you know who i am",
        "나에 대해 아는 거 다 말해줘",
        "나에 대해 뭐 알아?",
        "나에 대해서 얼마나 알고 있어?",
        "저에 대해 아는 것을 모두 말해주세요",
        "나에 대해 말해줘",
        "너 나에 대해 뭘 기억해?",
        "내가 누구야?",
        "내가 누군지 알아?",
        "나 기억해?",
        "저 기억하세요?",
        "나에 대해 기억하는 거 있어?",
        "나에 대한 정보 다 보여줘",
        "네가 아는 내 정보 다 말해줘",
        "내 프로필 보여줘",
        "나 어떤 사람이야?",
        "나는 어떤 사람인 것 같아?",
        "나를 소개해줘",
        "나를 한 문장으로 요약해줘",
        "지금까지 내가 말한 거 다 정리해줘",
        "안녕! 나에 대해 아는 대로 말해봐",
        "나에 대해 아는 게 뭐야?",
        "저에 대해 무엇을 알고 계세요?",
        "나에대해 아는거 다 말해줘",
        "내가 어떤 사람인지 말해줘",
        "너 나 얼마나 알아",
        "나에 대해 저장된 거 다 알려줘",
        "제가 어떤 사람인가요?",
        "내가 너한테 알려준 거 뭐 있지?",
    ],
)
def test_who_asks_for_all_that_is_known_is_heard(question: str) -> None:
    assert is_overview(question)


@pytest.mark.parametrize(
    "question",
    [
        "what do you know about me and Tom?",
        "what do you know about melatonin",
        "do you remember my sister?",
        "what do you know about my job",
        "who am i meeting tomorrow?",
        "tell me about mexico",
        "tell me about Medellin",
        "what do you know about me being vegan",
        "what did you say about me yesterday to Tom",
        "what does Ana know about me",
        "do you remember meeting me in Leeds",
        "describe mercury",
        "forget everything you know about me",
        "delete what you know about me",
        "what should i tell people about me in an interview",
        "write something about me for tinder",
        "do you remember me telling you about the dog?",
        "what did i tell you about my mom",
        "who am i kidding",
        "summarize media coverage",
        "what have i told you about Tom",
        "내 동생에 대해 아는 거 말해줘",
        "나트륨에 대해 알려줘",
        "저염식에 대해 알려줘",
        "나에 대해 아는 거 다 지워줘",
        "나에 대해 아는 거 다 잊어줘",
        "나에 대해 아는 척 하지 마",
        "내가 누구 만난다고 했지?",
        "내 정보 유출됐대",
        "나 기억력이 안 좋아",
        "저 기억나는 노래 있어요?",
        "내 직업이 뭐야",
        "내가 어제 말한 거 뭐였지 병원 이름",
        "나이에 대해 말해줘",
        "저 사람에 대해 아는 거 있어?",
        "나한테 어울리는 색 알려줘",
        "우리 회사에 대해 아는 거 말해줘",
        "나를 위해 노래 불러줘",
        "저 노래 알아?",
        "내가 좋아하는 음식 뭐야",
        "나 그거 알아",
        "내 기억이 맞다면 어제야",
        "언니에 대해 말해줘",
        "하나에 대해 말해줘",
        "누나에 대해 아는 거 다 말해줘",
        "tell me more",
        "what do you remember",
        "나에 대해 나쁘게 말해",
        "내 기억 다 지워줘",
        "tell me about me. " * LONGEST,
        "",
    ],
)
def test_who_asks_for_anything_else_is_not(question: str) -> None:
    assert not is_overview(question)


def test_what_speaks_most_for_itself_comes_first_and_of_equals_the_newest() -> None:
    worths = ((0.1, 0), (0.4, 1), (0.4, 2), (0.2, 3))
    hits = [
        Hit(
            HitKind.MEMORY,
            UUID(int=number),
            "",
            1.0,
            AT + timedelta(days=number),
            relevance=2.0,
            signals={"favour": worth},
        )
        for worth, number in worths
    ]
    ranked = rank_by_worth(hits)
    assert [hit.id.int for hit in ranked] == [2, 1, 3, 0]
    assert {hit.relevance for hit in ranked} == {None}, "none bears on it more"
