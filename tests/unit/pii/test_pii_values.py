"""Values of any shape are masked in place, and stay themselves if nothing is (A19)."""

from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.types import Interrupt, Send
from pydantic import BaseModel, ConfigDict, SecretStr

from gieok.pii import S3_ONLY, CleanDigests, TextMasker, find

pytestmark = pytest.mark.req("A19")

CARD = "4539 1488 0343 6467"
SAID = f"my card is {CARD}"
KEPT = "my card is [card number]"

json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**7), 10**7) | st.text(max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
)


class Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")

    text: str
    inner: list[Any] = []


@dataclass(frozen=True, slots=True)
class Held:
    text: str
    inner: object = None


class Pair(NamedTuple):
    text: str
    number: int


class Kind(StrEnum):
    CARD = "4539 1488 0343 6467"


def screened(value: Any) -> Any:
    return TextMasker(S3_ONLY).mask_value(value)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (SAID, KEPT),
        ({"a": [{"b": (SAID, 1)}]}, {"a": [{"b": (KEPT, 1)}]}),
        ({SAID: 1, f"{SAID} ": 2}, {KEPT: 1, f"{KEPT} ": 2}),
        ({CARD: 1, "4111111111111111": 2}, {"[card number]": 1, "[card number] 2": 2}),
        ({"password": "tiger!Moon482"}, {"password": "[password]"}),
        ({"password_hint": "a cat"}, {"password_hint": "a cat"}),
        ({"account_id": "123456789012"}, {"account_id": "123456789012"}),
        ([4539148803436467, 1_732_245_123], ["[card number]", 1_732_245_123]),
        ({SAID}, {KEPT}),
        (frozenset({SAID}), frozenset({KEPT})),
        (deque([SAID], maxlen=3), deque([KEPT], maxlen=3)),
        (defaultdict(list, a=[SAID]), defaultdict(list, a=[KEPT])),
        (OrderedDict(a=SAID), OrderedDict(a=KEPT)),
        (Pair(SAID, 7), Pair(KEPT, 7)),
        (Held(SAID, Held("x", [SAID])), Held(KEPT, Held("x", [KEPT]))),
        (Note(text=SAID, inner=[SAID]), Note(text=KEPT, inner=[KEPT])),
        (HumanMessage(SAID, id="1"), HumanMessage(KEPT, id="1")),
        (ToolMessage(SAID, tool_call_id="1"), ToolMessage(KEPT, tool_call_id="1")),
        (Send("node", {"a": SAID}), Send("node", {"a": KEPT})),
        (Interrupt(SAID, id="1"), Interrupt(KEPT, id="1")),
        (Kind.CARD, Kind.CARD),
        (b"4539148803436467", b"4539148803436467"),
    ],
)
def test_a_value_is_masked_in_place_and_keeps_its_type(value: Any, kept: Any) -> None:
    found = screened(value)
    assert found == kept
    assert type(found) is type(kept)
    assert screened(found) is found


def test_of_models_extra_fields_and_secrets_are_masked_and_the_rest_is_shared() -> None:
    inner = ["x"]
    note = Note.model_validate({"text": "x", "inner": inner, "more": SAID})
    kept = screened(note)
    assert kept.model_extra == {"more": KEPT}
    assert note.model_extra == {"more": SAID}, "the given one is as it was"
    assert kept.inner is note.inner
    assert screened(SecretStr(CARD)).get_secret_value() == "[card number]"


def test_the_arguments_of_a_tool_are_masked() -> None:
    call = {"name": "pay", "args": {"card": CARD}, "id": "call_1"}
    said = AIMessage(content=[{"type": "text", "text": SAID}], tool_calls=[call])
    kept = screened(said)
    assert kept.content == [{"type": "text", "text": KEPT}]
    assert kept.tool_calls[0]["args"] == {"card": "[card number]"}
    assert kept.tool_calls[0]["id"] == "call_1"


def test_an_error_is_masked_as_what_it_prints() -> None:
    error = ValueError("no such thing")
    assert screened(error) is error
    assert screened(ValueError(SAID)) == f"ValueError('{KEPT}')"


@pytest.mark.parametrize("clean", [None, CleanDigests()])
def test_messages_of_a_list_are_looked_at_together_again_and_again(
    clean: CleanDigests | None,
) -> None:
    said: list[Any] = [
        HumanMessage("안녕"),
        {"role": "user", "content": "카드 4539 1488"},
    ]
    for _ in range(2):
        assert TextMasker(S3_ONLY, clean=clean).mask_value(said) is said
    said += [AIMessage("네"), HumanMessage("0343"), "다른 것", HumanMessage("6467")]
    for _ in range(2):
        kept = TextMasker(S3_ONLY, clean=clean).mask_value(said)
        assert kept[1]["content"] == "카드 [카드번호]"
        assert "6467" not in repr(kept)
        assert kept[0] is said[0]
        assert kept[4] == "다른 것"


def test_what_was_clean_is_forgotten_when_it_gets_too_much() -> None:
    clean = CleanDigests(most=10)
    for number in range(100):
        TextMasker(clean=clean).mask_text(f"text {number}")
        assert TextMasker(clean=clean).mask_text(SAID) == KEPT
    assert len(clean._digests) <= 11  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is bounded


@given(json)
def test_what_holds_nothing_is_handed_back_itself(value: Any) -> None:
    screen = TextMasker(S3_ONLY)
    kept = screen.mask_value(value)
    if not screen.is_masked:
        assert kept is value


@given(json, st.sampled_from([MappingProxyType, dict]))
def test_a_number_is_masked_wherever_it_stands(value: Any, shape: Any) -> None:
    kept = screened(shape({"a": [value, {"b": SAID}], "c": value}))
    assert kept["a"][1] == {"b": KEPT}


@pytest.mark.parametrize(
    "text",
    [
        "043a2b94-2974-5918-8163-43dd029333de",
        "agent:e0945e55-052b-0be2-29b4-302597704838|tools:e4271096-6a5c-a085-6ca3-d7ef2",
        "call_ca16f27073e5fd18345d5f28",
        "cc4087b4d8eacf2439c44b0edd1661cb",
    ],
)
def test_ids_of_machines_are_nobodys_number(text: str) -> None:
    assert find(text) == ()


def test_what_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(RecursionError):
        screened(loop)
