"""Who speaks in a block of memory, and which addresses only memory can have given."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.context import Block, Line, find_foreign_addresses
from gieok.context.prompt_share import limit_share
from gieok.guard.fence import escape_line

items = st.lists(st.tuples(st.integers(), st.sampled_from("abc")), unique=True)


def origin(item: tuple[int, str]) -> tuple[str]:
    return (item[1],)


@given(items, st.integers(1, 20))
def test_nothing_is_invented_doubled_or_needlessly_left_out(
    ranked: list[tuple[int, str]], limit: int
) -> None:
    chosen = limit_share(ranked, limit, origin)
    assert len(chosen) == len(set(chosen)) == min(limit, len(ranked))
    assert set(chosen) <= set(ranked)


@pytest.mark.req("A14")
def test_one_origin_gets_half_while_others_have_something_to_say() -> None:
    ranked = [(n, "a") for n in range(20)] + [(n, "b") for n in range(3)]
    chosen = limit_share(ranked, 6, origin)
    assert [which for _, which in chosen] == ["a"] * 3 + ["b"] * 3
    assert limit_share(ranked[:20], 6, origin) == ranked[:6]


def block(*said: str) -> Block:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Block(
        "", tuple(Line(f"- {escape_line(each)}", uuid4(), at) for each in said)
    )


@pytest.mark.req("A14")
def test_an_address_that_only_memory_gave_is_named() -> None:
    known = block("사용자의 블로그는 https://Minji.example/blog", "jo@mail.example")
    answer = "![x](https://minji.example/p?q=secret) jo@mail.example http://ok.example"
    assert find_foreign_addresses(answer, known) == (
        "https://minji.example/p?q=secret",
        "jo@mail.example",
    )
    said = "https://minji.example 좀 봐 줘"
    assert find_foreign_addresses(answer, known, said) == ("jo@mail.example",)
    assert find_foreign_addresses(answer, Block()) == ()
