"""Where sealed values lie: what a rotation of keys has to go through.

A new column that holds something sealed is entered here; a test compares the list with
the schema.
"""

from collections.abc import Sequence
from typing import Any, Final, LiteralString, NamedTuple

from gieok.privacy.provenance import encode_provenance
from gieok.privacy.vault import PersonKey, Place, unpad_text


class SealedColumn(NamedTuple):
    """A column of sealed values, and what they are bound to besides the person."""

    table: LiteralString
    column: LiteralString
    row: LiteralString
    """Expression for the id of the row, a uuid."""
    revision: LiteralString = "0"
    place: Place | None = None
    read: LiteralString | None = None
    """Expression for the sealed bytes; the column itself if None."""
    write: LiteralString = "new.sealed"
    """Expression for the column with other sealed bytes in it."""
    provenance: tuple[LiteralString, ...] = ()
    """The columns beside it that its seal covers, in order."""

    @property
    def stored(self) -> LiteralString:
        """Return the expression for the sealed bytes."""
        return self.read or self.column

    @property
    def selected(self) -> LiteralString:
        """Return the expressions for what `open` takes: id, revision, bytes, rest."""
        return ", ".join((self.row, self.revision, self.stored, *self.provenance))

    @property
    def width(self) -> int:
        """Return how many values `selected` gives."""
        return 3 + len(self.provenance)

    def open(self, key: PersonKey, row: Sequence[Any]) -> bytes:
        """Return what the value of a row holds, which `selected` gave.

        Raises:
            TamperedError: it, or its provenance, was changed.
        """
        row_id, revision, sealed, *beside = row
        return key.open(
            self.bound_to,
            row_id,
            sealed,
            revision=revision,
            bound=self.to_provenance(beside),
        )

    def open_text(self, key: PersonKey, row: Sequence[Any]) -> str:
        """Return the text that the value of a row holds; raises as `open`."""
        return unpad_text(self.open(key, row))

    def to_provenance(self, values: Sequence[Any]) -> bytes:
        """Return the provenance that these values of its columns are."""
        return encode_provenance(*values) if self.provenance else b""

    @property
    def bound_to(self) -> Place:
        """Return the place the values are sealed for."""
        return self.place or Place(self.table, self.column)


_STATE: Final = Place("checkpoints", "state")
SEALED_COLUMNS: Final = (
    SealedColumn("personas", "name", "persona_id"),
    SealedColumn("devices", "name", "device_id"),
    SealedColumn("memory_sync_cursors", "chain", "cursor_id"),
    SealedColumn("sessions", "config", "session_id"),
    SealedColumn("sessions", "session_summary", "session_id", "summary_revision"),
    SealedColumn(
        "session_messages",
        "content",
        "message_id",
        provenance=("session_id", "role", "created_at"),
    ),
    SealedColumn("session_messages", "metadata", "message_id"),
    SealedColumn("conversation_pairs", "planner_summary", "pair_id"),
    SealedColumn("recall_items", "item", "item_id"),
    SealedColumn("summary_entries", "item", "item_id", "revision"),
    SealedColumn("memory_candidates", "claim", "candidate_id"),
    SealedColumn("memory_candidates", "embedding", "candidate_id"),
    SealedColumn(
        "user_memories",
        "content",
        "memory_id",
        "revision",
        provenance=(
            "category",
            "confidence",
            "source_type",
            "source_session_id",
            "source_message_ids",
            "source_candidate_ids",
            "extractor",
            "trust",
            "is_active",
            "last_confirmed_at",
            "created_at",
        ),
    ),
    SealedColumn("user_memories", "content_embedding", "memory_id", "revision"),
    SealedColumn("user_memories", "source_message_preview", "memory_id"),
    SealedColumn("user_memories", "subcategory", "memory_id"),
    SealedColumn("profile_documents", "document", "user_id"),
    SealedColumn("memory_history", "old_content", "history_id"),
    SealedColumn("memory_history", "new_content", "history_id"),
    SealedColumn("short_term_summaries", "summary_text", "summary_id", "revision"),
    SealedColumn("short_term_summaries", "details", "summary_id", "revision"),
    SealedColumn("mid_term_summaries", "summary_text", "summary_id", "revision"),
    SealedColumn("mid_term_summaries", "details", "summary_id", "revision"),
    SealedColumn("episodes", "summary", "episode_id", "revision"),
    SealedColumn("episodes", "topics", "episode_id", "revision"),
    SealedColumn("episodes", "tags", "episode_id", "revision"),
    SealedColumn("store_items", "name", "item_id"),
    SealedColumn("store_items", "content", "item_id"),
    SealedColumn("store_items", "search", "item_id"),
    SealedColumn(
        "checkpoints",
        "metadata",
        "thread_id::uuid",
        read="decode(metadata->>'gieok', 'base64')",
        write="jsonb_set(metadata, '{gieok}', "
        "to_jsonb(translate(encode(new.sealed, 'base64'), E'\\n', '')))",
    ),
    SealedColumn("checkpoint_blobs", "blob", "thread_id::uuid", place=_STATE),
    SealedColumn("checkpoint_writes", "blob", "thread_id::uuid", place=_STATE),
)
UNSEALED_COLUMNS: Final = frozenset(
    {
        ("memory_candidates", "claim_digest"),
        ("user_memories", "content_digest"),
        ("short_term_summaries", "source_digest"),
        ("mid_term_summaries", "source_digest"),
        ("user_counters", "audit_hash"),
        ("memory_audit_log", "hash"),
        ("user_memories", "value"),
        ("erasure_receipts", "audit_hash"),
        ("erasure_receipts", "signature"),
        ("exports", "sealed"),
        ("sign_ins", "digest"),
    }
)
"""Columns of bytes that the person's key does not seal: digests, signatures, exports
under a key of their own, and a column that stays empty."""
