"""What stands over and under each part of a block: how our own text is known again."""

from typing import Final

FACTS_HEADING: Final = {
    "ko": "## 사용자 정보 (이전 대화에서 기억)",
    "en": "## About the user (remembered from earlier conversations)",
}
EXCERPTS_HEADING: Final = {
    "ko": "## 이전 대화에서 사용자가 한 말 (그때는 그랬음)",
    "en": "## What the user said in earlier conversations (true at that time)",
}
QUESTIONS_HEADING: Final = {
    "ko": "## 사용자에게 확인할 것 (잊어 달라는 것이 이것인지 한 번만 물어볼 것)",
    "en": "## To ask the user, once (whether this is what they want forgotten)",
}
SUMMARIES_HEADING: Final = {
    "ko": "## 이전 대화의 요약 (그때는 그랬음)",
    "en": "## What earlier conversations were about (true at that time)",
}
EPISODES: Final = {
    "ko": (
        "[과거 대화 기록]\n당신은 사용자와 다음과 같은 대화를 나눴습니다:\n",
        """이 정보를 바탕으로 자연스럽게 대화를 이어가세요.
예: "어제 본 영화 어땠어?" 같은 질문으로 관심 표현""",
    ),
    "en": (
        "[Past conversations]\nYou had these conversations with the user:\n",
        """Carry on naturally from here.
For example, show interest: "How was the film yesterday?\"""",
    ),
}
CARD_HEADING: Final = "[User Memory - Things you know about this user]"
CARD_CLOSING: Final = "Use this information naturally in conversation when relevant."
LIST_HEADINGS: Final = (
    *FACTS_HEADING.values(),
    *EXCERPTS_HEADING.values(),
    *QUESTIONS_HEADING.values(),
    *SUMMARIES_HEADING.values(),
    CARD_HEADING,
)
"""Over lines that follow at once."""
