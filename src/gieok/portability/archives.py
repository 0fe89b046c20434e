"""Archives of other products, read as what a person has: pure.

mem0: what `get_all()` returns, or a list of its memories.
ChatGPT: `conversations.json`; of each conversation, the branch that was shown last.
Claude: `conversations.json`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NoReturn, cast

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Role

MOST_MESSAGE_BYTES: Final = 1_000_000
SPEAKERS: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
}


@dataclass(frozen=True, slots=True)
class Said:
    """One message of an archive."""

    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of an archive, under the name it has there."""

    name: str
    said: Sequence[Said]


@dataclass(frozen=True, slots=True)
class Fact:
    """One memory of an archive, under the name it has there."""

    name: str
    text: str
    created_at: datetime
    updated_at: datetime


def mem0(archive: Any, now: datetime) -> Iterator[Fact]:
    """Yield the memories of a mem0 export.

    Raises:
        InvalidInputError: it is not one.
    """
    entries = archive
    if isinstance(archive, dict):
        fields = cast("dict[str, Any]", archive)
        entries = fields.get("results", fields.get("memories"))
    for entry in _objects(entries):
        text = entry.get("memory") or entry.get("data") or entry.get("text")
        name = entry.get("id")
        if not isinstance(text, str) or not isinstance(name, str):
            _refuse()
        if text.strip():
            created = _time(entry.get("created_at")) or now
            changed = _time(entry.get("updated_at")) or created
            yield Fact(name, _usable(text), min(created, now), min(changed, now))


def chatgpt(archive: Any, now: datetime) -> Iterator[Conversation]:
    """Yield the conversations of a ChatGPT export; raises as `mem0`."""
    for entry in _objects(archive):
        name = entry.get("conversation_id") or entry.get("id")
        nodes = entry.get("mapping")
        if not isinstance(name, str) or not isinstance(nodes, dict):
            _refuse()
        begun = _time(entry.get("create_time")) or now
        branch = _branch(cast("dict[str, Any]", nodes), entry.get("current_node"))
        said = [each for node in branch for each in _chatgpt_said(node, begun)]
        if said:
            yield Conversation(name, _in_time(said, now))


def claude(archive: Any, now: datetime) -> Iterator[Conversation]:
    """Yield the conversations of a Claude archive; raises as `mem0`."""
    for entry in _objects(archive):
        name, messages = entry.get("uuid"), entry.get("chat_messages")
        if not isinstance(name, str):
            _refuse()
        begun = _time(entry.get("created_at")) or now
        said = [
            Said(role, text, _time(message.get("created_at")) or begun)
            for message in _objects(messages)
            if (role := SPEAKERS.get(str(message.get("sender"))))
            and (text := _claude_text(message))
        ]
        if said:
            yield Conversation(name, _in_time(said, now))


def _branch(nodes: Mapping[str, Any], leaf: Any) -> list[Mapping[str, Any]]:
    """Return the nodes from the root to a leaf; the last node's, if none is named."""
    at: Any = leaf
    if not isinstance(at, str) or at not in nodes:
        at = next(iter([*nodes][::-1]), None)
    branch: list[Mapping[str, Any]] = []
    seen = set[str]()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        node = nodes[at]
        if not isinstance(node, dict):
            _refuse()
        branch.append(cast("dict[str, Any]", node))
        at = branch[-1].get("parent")
    return branch[::-1]


def _chatgpt_said(node: Mapping[str, Any], begun: datetime) -> Iterator[Said]:
    message = _object(node.get("message"))
    role = SPEAKERS.get(str(_object(message.get("author")).get("role")))
    if role is None or _object(message.get("metadata")).get(
        "is_visually_hidden_from_conversation"
    ):
        return
    parts = _object(message.get("content")).get("parts")
    if isinstance(parts, list):
        shown = [each for each in cast("list[Any]", parts) if isinstance(each, str)]
        if text := _usable("\n".join(shown)):
            yield Said(role, text, _time(message.get("create_time")) or begun)


def _claude_text(message: Mapping[str, Any]) -> str:
    text = message.get("text")
    if isinstance(text, str) and text.strip():
        return _usable(text)
    blocks = message.get("content")
    if not isinstance(blocks, list):
        return ""
    return _usable(
        "\n".join(
            str(block.get("text", ""))
            for each in cast("list[Any]", blocks)
            if (block := _object(each)).get("type") == "text"
        )
    )


def _in_time(said: Sequence[Said], now: datetime) -> list[Said]:
    """Return messages at times that do not go back and are not to come."""
    kept: list[Said] = []
    for each in said:
        last = kept[-1].at if kept else each.at
        kept.append(Said(each.role, each.text, min(max(each.at, last), now)))
    return kept


def _usable(text: str) -> str:
    """Return a text without what no message may hold."""
    clean = text.replace("\x00", "").encode("utf-8", "replace")
    return clean[:MOST_MESSAGE_BYTES].decode("utf-8", "ignore").strip()


def _time(value: Any) -> datetime | None:
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(value, list):
        _refuse()
    for each in cast("list[Any]", value):
        if not isinstance(each, dict):
            _refuse()
        yield cast("dict[str, Any]", each)


def _object(value: Any) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _refuse() -> NoReturn:
    field = "file"
    raise InvalidInputError(field, "it is not an archive of this product")
