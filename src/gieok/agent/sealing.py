"""What LangGraph writes, masked, sealed with the person's key and bound to the thread.

The library hands states to its serializer hook, except what it writes as JSON: values
that are plain words or numbers, and the metadata of a checkpoint. Both are led here.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import UUID

from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde.base import SerializerProtocol

from gieok.kernel.errors import InvalidInputError, TamperedError
from gieok.pii import TextMasker
from gieok.privacy import PersonKey, Place

STATE: Final = Place("checkpoints", "state")
METADATA: Final = Place("checkpoints", "metadata")
SEALED: Final = "gieok"
"""What stands in the library's `type` column, and the key of the sealed metadata."""
STRUCTURAL: Final = frozenset(
    {"source", "step", "parents", "counters_since_delta_snapshot"}
)
"""Metadata that the library's own statements read: ids and numbers of the run."""


@dataclass(frozen=True, slots=True)
class HiddenValue:
    """A plain word or number, led to the serializer instead of into JSON."""

    value: str | float


def hide_plain_values(
    checkpoint: Checkpoint, versions: Mapping[str, Any]
) -> Checkpoint:
    """Return a checkpoint whose new values all go through the serializer.

    A value that did not change stands sealed under its version already.
    """
    values = checkpoint["channel_values"]
    led = {
        name: HiddenValue(value) if isinstance(value, str | int | float) else value
        for name, value in values.items()
        if name in versions or not isinstance(value, str | int | float)
    }
    return cast("Checkpoint", {**checkpoint, "channel_values": led})


@dataclass(frozen=True, slots=True)
class SealingSerializer(SerializerProtocol):
    """A serializer whose bytes only this person's key opens, in this thread only.

    `screen` masks what may not be kept before it is serialised, in a copy: the run
    that holds the value goes on with it.
    """

    key: PersonKey
    thread: UUID
    plain: SerializerProtocol
    screen: TextMasker

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return a value, masked, serialised and sealed together with its type.

        Raises:
            InvalidInputError: it is nested too deeply.
        """
        bare = obj.value if isinstance(obj, HiddenValue) else obj
        kind, data = self.plain.dumps_typed(self._mask_value(bare))
        name = kind.encode()
        whole = len(name).to_bytes(1, "big") + name + data
        return SEALED, self.key.seal(STATE, self.thread, whole)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return a sealed value.

        Raises:
            TamperedError: it was changed or moved, or was never sealed.
        """
        kind, sealed = data
        if kind != SEALED:
            raise TamperedError(".".join(STATE))
        whole = self.key.open(STATE, self.thread, sealed)
        end = 1 + whole[0]
        return self.plain.loads_typed((whole[1:end].decode(), whole[end:]))

    def seal_metadata(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return metadata as it may lie on disk: all but `STRUCTURAL` sealed."""
        shown = {name: value for name, value in given.items() if name in STRUCTURAL}
        rest = {name: value for name, value in given.items() if name not in STRUCTURAL}
        if rest:
            text = json.dumps(self._mask_value(rest), default=str)
            sealed = self.key.seal_text(METADATA, self.thread, text)
            shown[SEALED] = base64.b64encode(sealed).decode()
        return shown

    def open_metadata(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return metadata as it was given; raises as `loads_typed`."""
        shown = {name: value for name, value in stored.items() if name != SEALED}
        if SEALED not in stored:
            return shown
        try:
            sealed = base64.b64decode(stored[SEALED], validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise TamperedError(".".join(METADATA)) from error
        return shown | json.loads(self.key.open_text(METADATA, self.thread, sealed))

    def _mask_value(self, value: Any) -> Any:
        try:
            return self.screen.mask_value(value)
        except RecursionError:
            field = "checkpoint"
            raise InvalidInputError(field, "it is nested too deeply") from None


def is_filter_match(stored: Any, wanted: Any) -> bool:
    """Tell whether metadata holds what a filter wants, as JSON containment does."""
    if isinstance(wanted, dict):
        return isinstance(stored, dict) and all(
            name in stored and is_filter_match(stored[name], value)
            for name, value in cast("dict[str, Any]", wanted).items()
        )
    if isinstance(wanted, list):
        return isinstance(stored, list) and all(
            any(is_filter_match(entry, each) for entry in cast("list[Any]", stored))
            for each in cast("list[Any]", wanted)
        )
    return isinstance(stored, bool) == isinstance(wanted, bool) and stored == wanted
