"""How many lines a block holds: the documents' ten, or what a given budget takes."""

import pytest

from gieok import Gieok, Scope
from gieok.text.korean import has_hangul


async def know_many(memory: Gieok, me: Scope) -> None:
    for number in range(25):
        await memory.memories.remember(me, f"사용자는 {number}번 책을 좋아함")


@pytest.mark.req("D07", "D08")
async def test_ten_lines_at_most_unless_a_budget_is_given(
    memory: Gieok, me: Scope
) -> None:
    await know_many(memory, me)
    assert len((await memory.context.build(me, "좋아하는 책")).lines) == 10
    large = await memory.context.build(me, "좋아하는 책", token_budget=1_500)
    assert len(large.lines) > 10
    assert large.tokens <= 1_500
    assert len({line.memory_id for line in large.lines}) == len(large.lines)


@pytest.mark.req("D07", "D08")
async def test_the_plain_form_holds_ten_lines_whatever_the_budget(
    memory: Gieok, me: Scope
) -> None:
    await know_many(memory, me)
    plain = await memory.context.build(
        me, "좋아하는 책", token_budget=1_500, excerpts=0
    )
    assert len(plain.lines) == 10


async def test_a_small_budget_holds_fewer(memory: Gieok, me: Scope) -> None:
    await know_many(memory, me)
    small = await memory.context.build(me, "좋아하는 책", token_budget=200)
    assert 0 < len(small.lines) < 10
    assert small.tokens <= 200


async def test_english_talk_has_an_english_frame_unless_korean_is_asked_for(
    memory: Gieok, me: Scope
) -> None:
    await memory.memories.remember(me, "The user lives in Leeds")
    question = "what do you know about me?"
    english = await memory.context.build(me, question)
    assert "## About the user" in english.text
    assert not has_hangul(english.text)
    asked = await memory.context.build(me, question, language="ko")
    assert "## 사용자 정보" in asked.text
    await memory.memories.remember(me, "사용자는 홍차를 좋아함")
    mixed = await memory.context.build(me, question)
    assert "## 사용자 정보" in mixed.text
