"""Archives of other products, read as what a person has: pure.

mem0: what `get_all()` returns, or a list of its memories.
ChatGPT: `conversations.json`; of each conversation, the branch that was shown last.
Claude: `conversations.json`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NoReturn, TypeVar, cast

from gieok.kernel.language import Role
from gieok.portability.checking import check_json, locate_errors, reject_file

T = TypeVar("T")
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
MAX_MESSAGE_BYTES: Final = 1_000_000
SPEAKERS: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
}


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message of an archive."""

    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """One conversation of an archive, under the name it has there."""

    name: str
    messages: Sequence[ImportedMessage]


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """One memory of an archive, under the name it has there."""

    name: str
    text: str
    created_at: datetime
    updated_at: datetime


def read_mem0(archive: Any, now: datetime) -> Iterator[ImportedMemory]:
    """Yield the memories of a mem0 export.

    Raises:
        InvalidFileError: it is not one; it names the first entry that is not.
    """
    entries = archive
    if isinstance(archive, dict):
        fields = cast("dict[str, Any]", archive)
        entries = fields.get("results", fields.get("memories"))

    def read(name: str, entry: Mapping[str, Any]) -> ImportedMemory | None:
        text = entry.get("memory") or entry.get("data") or entry.get("text")
        if not isinstance(text, str):
            _reject_archive()
        if not (usable := _clean_text(text)):
            return None
        created = _parse_time(entry.get("created_at")) or now
        changed = _parse_time(entry.get("updated_at")) or created
        return ImportedMemory(name, usable, min(created, now), min(changed, now))

    return _iterate_entries(entries, ("id",), read)


def read_chatgpt(archive: Any, now: datetime) -> Iterator[ImportedConversation]:
    """Yield the conversations of a ChatGPT export; raises as `mem0`."""

    def read(name: str, entry: Mapping[str, Any]) -> ImportedConversation | None:
        nodes = entry.get("mapping")
        if not isinstance(nodes, dict):
            _reject_archive()
        begun = _parse_time(entry.get("create_time")) or now
        branch = _select_branch(
            cast("dict[str, Any]", nodes), entry.get("current_node")
        )
        said = [each for node in branch for each in _read_chatgpt_messages(node, begun)]
        return ImportedConversation(name, _clip_times(said, now)) if said else None

    return _iterate_entries(archive, ("conversation_id", "id"), read)


def read_claude(archive: Any, now: datetime) -> Iterator[ImportedConversation]:
    """Yield the conversations of a Claude archive; raises as `mem0`."""

    def read(name: str, entry: Mapping[str, Any]) -> ImportedConversation | None:
        begun = _parse_time(entry.get("created_at")) or now
        said = [
            ImportedMessage(role, text, _parse_time(message.get("created_at")) or begun)
            for message in map(
                _require_object, _require_list(entry.get("chat_messages"))
            )
            if (role := SPEAKERS.get(str(message.get("sender"))))
            and (text := _extract_claude_text(message))
        ]
        return ImportedConversation(name, _clip_times(said, now)) if said else None

    return _iterate_entries(archive, ("uuid",), read)


def _select_branch(nodes: Mapping[str, Any], leaf: Any) -> list[Mapping[str, Any]]:
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
            _reject_archive()
        branch.append(cast("dict[str, Any]", node))
        at = branch[-1].get("parent")
    return branch[::-1]


def _read_chatgpt_messages(
    node: Mapping[str, Any], begun: datetime
) -> Iterator[ImportedMessage]:
    message = _get_object(node.get("message"))
    role = SPEAKERS.get(str(_get_object(message.get("author")).get("role")))
    if role is None or _get_object(message.get("metadata")).get(
        "is_visually_hidden_from_conversation"
    ):
        return
    parts = _get_object(message.get("content")).get("parts")
    if isinstance(parts, list):
        shown = [each for each in cast("list[Any]", parts) if isinstance(each, str)]
        if text := _clean_text("\n".join(shown)):
            yield ImportedMessage(
                role, text, _parse_time(message.get("create_time")) or begun
            )


def _extract_claude_text(message: Mapping[str, Any]) -> str:
    text = message.get("text")
    if isinstance(text, str) and text.strip():
        return _clean_text(text)
    blocks = message.get("content")
    if not isinstance(blocks, list):
        return ""
    return _clean_text(
        "\n".join(
            str(block.get("text", ""))
            for each in cast("list[Any]", blocks)
            if (block := _get_object(each)).get("type") == "text"
        )
    )


def _clip_times(
    said: Sequence[ImportedMessage], now: datetime
) -> list[ImportedMessage]:
    """Return messages at times that do not go back and are not to come."""
    kept: list[ImportedMessage] = []
    for each in said:
        last = kept[-1].at if kept else each.at
        kept.append(ImportedMessage(each.role, each.text, min(max(each.at, last), now)))
    return kept


def _clean_text(text: str) -> str:
    """Return a text without what no message may hold."""
    clean = text.replace("\x00", "").encode("utf-8", "replace")
    return clean[:MAX_MESSAGE_BYTES].decode("utf-8", "ignore").strip()


def _parse_time(value: Any) -> datetime | None:
    try:
        if isinstance(value, int | float):
            value = datetime.fromtimestamp(value, UTC).isoformat()
        at = datetime.fromisoformat(value)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return at if at >= _EARLIEST else None


def _iterate_entries(
    entries: Any,
    names: Sequence[str],
    read: Callable[[str, Mapping[str, Any]], T | None],
) -> Iterator[T]:
    """Yield what is read of each entry of a list; one of `names` holds its name."""
    known = set[str]()
    for number, each in enumerate(_require_list(entries), start=1):
        with locate_errors(entry=number):
            entry = _require_object(each)
            name = next((entry[field] for field in names if entry.get(field)), None)
            if not isinstance(name, str):
                _reject_archive()
            check_json(name)
            if name in known:
                reject_file("two entries have the same id")
            known.add(name)
            found = read(name, entry)
        if found is not None:
            yield found


def _require_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        _reject_archive()
    return cast("list[Any]", value)


def _require_object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _reject_archive()
    return cast("dict[str, Any]", value)


def _get_object(value: Any) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _reject_archive() -> NoReturn:
    reject_file("it is not an archive of this product")
