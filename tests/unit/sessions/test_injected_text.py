"""Memory put into a prompt is never taken for something said."""

from datetime import date
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.context import formatting
from gieok.context.formatting import (
    format_card,
    format_episodes,
    format_excerpt_line,
    format_excerpts,
    format_fact_line,
    format_facts,
    format_questions,
    format_summaries,
    format_summary_line,
)
from gieok.guard.fence import fence_block
from gieok.kernel.language import Role, Utterance
from gieok.sessions.injected import remove_injected

DAY = date(2026, 1, 5)
SAID = "오늘 뭐 먹지?\n\n- 우유\n- 빵"
LINES = [
    format_fact_line("사용자는 강남구에 거주", DAY, "0011aabb"),
    format_fact_line("b", DAY, "1"),
]
CARD = {
    "name": "영광",
    "interests": ["AI", "영어"],
    "preferences": ["천천히"],
    "mentioned_facts": ["서울에 살아요"],
}
WORDS = [format_excerpt_line("I live in Leeds", DAY)] * 2
TOLD = [format_summary_line("이사를 얘기함", DAY)] * 2
BLOCKS = {
    f"{name} {language}": build(language)
    for language in ("ko", "en")
    for name, build in {
        "facts": partial(format_facts, LINES),
        "excerpts": partial(format_excerpts, WORDS),
        "questions": partial(format_questions, ["강남구에 거주", "b"]),
        "summaries": partial(format_summaries, TOLD),
        "episodes": partial(format_episodes, [("면접을 봄", DAY), ("A film", DAY)]),
    }.items()
} | {"card": format_card(CARD)}


def heard(text: str) -> str:
    return remove_injected(Utterance(0, Role.USER, text)).content


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_fenced_block_is_taken_out(name: str, language: str) -> None:
    block = fence_block(BLOCKS[name], "0123456789abcdef", language)
    assert heard(f"{block}\n{SAID}") == SAID
    assert heard(f"{SAID}\n{block}") == SAID
    assert heard(f"앞 {block} 뒤") == "앞  뒤"
    assert heard(f"{block}\n{block}\n{SAID}") == SAID
    assert heard(f"{SAID}\n{block[:60]}") == SAID, "cut off"


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_pasted_without_its_fence_is_taken_out_whole(name: str) -> None:
    block = BLOCKS[name]
    assert heard(f"{block}\n\n{SAID}") == SAID
    assert heard(f"{SAID}\n\n{block}") == SAID
    assert heard(f"{block}\n\n{block}\n\n{SAID}") == SAID, "twice"
    assert heard(block) == ""


def test_every_form_of_a_block_is_known() -> None:
    forms = {name for name in vars(formatting) if name.startswith("format_")}
    parts = {name.split("_")[1] for name in forms if not name.endswith("_line")}
    assert parts == {name.split()[0] for name in BLOCKS}


def test_all_blocks_at_once_are_taken_out() -> None:
    assert heard("\n\n".join([*BLOCKS.values(), SAID])) == SAID


def test_index_and_role_stay() -> None:
    said = Utterance(7, Role.ASSISTANT, f"{BLOCKS['card']}\n\n네")
    assert remove_injected(said) == Utterance(7, Role.ASSISTANT, "네")


@given(st.text())
def test_what_holds_no_block_is_left_alone(text: str) -> None:
    said = Utterance(0, Role.USER, text)
    assert remove_injected(said) is said or "memory-" in text


@given(st.text(alphabet="가나다 ab\n-", max_size=80))
def test_taking_out_once_is_enough(text: str) -> None:
    once = heard(f"{text}\n\n{BLOCKS['facts ko']}\n\n{text}")
    assert heard(once) == once
