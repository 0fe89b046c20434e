"""What asks to save the conversation, with the real e5 and the shipped weights (E03).

The figures on sentences of writers who did not see each other's: training/README.md.
"""

import pytest

from gieok.models.e5 import E5Embedder
from gieok.models.rules.save_request import LONGEST, SaveRequestDetector

DETECTOR = SaveRequestDetector(E5Embedder())


@pytest.mark.req("E03")
@pytest.mark.parametrize(
    "message",
    [
        "대화 저장해줘",
        "오늘 얘기한 거 저장해 줘",
        "이 대화 기록으로 남겨줄래?",
        "Please save this conversation.",
        "can you save our chat for me",
        "내일 다시 얘기하게 지금까지 나눈 대화 저장해 둬",
    ],
)
async def test_a_request_to_save_the_conversation_is_heard(message: str) -> None:
    assert await DETECTOR.is_save_request(message)


@pytest.mark.req("E03")
@pytest.mark.parametrize(
    "message",
    [
        "",
        "사진 저장해줘",
        "카톡 대화는 어떻게 저장해?",
        "이 대화 저장하지 마",
        "저장 공간이 부족하대",
        "나 커피 좋아하는 거 기억해 줘",
        "Save the file before you close it.",
        "How do I save a chat in WhatsApp?",
        "I need to save money for the trip",
        "오늘 날씨 어때?",
    ],
)
async def test_what_only_comes_near_is_not(message: str) -> None:
    assert not await DETECTOR.is_save_request(message)


async def test_the_end_of_a_long_message_is_read() -> None:
    assert await DETECTOR.is_save_request("음 " * LONGEST + "이 대화 저장해줘")
