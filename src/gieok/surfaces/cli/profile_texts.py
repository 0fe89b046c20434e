"""Texts of `profile`: (Korean, English)."""

from typing import Final

PROFILE: Final[dict[str, tuple[str, str]]] = {
    "help.profile": (
        "한 사람의 프로필: 이름, 직업, 관심사, 학습 목표, 선호, 사실.",
        "A person's card: name, occupation, interests, goals, preferences, facts.",
    ),
    "help.profile.show": ("프로필을 봅니다.", "Show the card."),
    "help.profile.set": (
        "프로필에 더합니다. 예: occupation=기획자 interests=AI interests=여행",
        "Add to the card, e.g. occupation=planner interests=AI interests=travel",
    ),
    "help.profile.forget": (
        "프로필의 값을, 그 근거인 기억과 함께 완전히 지웁니다.",
        "Erase a value of the card for good, with the memories it rests on.",
    ),
    "arg.card_values": (
        "항목=값. 목록에는 여러 번.",
        "field=value; several times for a list.",
    ),
    "arg.card_field": (
        "항목 이름: occupation, interests 따위.",
        "The field, such as occupation or interests.",
    ),
    "arg.card_value": (
        "목록의 어느 값. 없으면 항목 전체.",
        "Which value of a list; all of the field without it.",
    ),
    "profile.empty": ("아직 아는 것이 없습니다.", "Nothing is known yet."),
    "card.name": ("이름", "name"),
    "card.occupation": ("직업", "occupation"),
    "card.interests": ("관심사", "interests"),
    "card.learning_goals": ("학습 목표", "learning goals"),
    "card.preferences": ("선호", "preferences"),
    "card.mentioned_facts": ("사실", "mentioned facts"),
}
