"""The parts of an export, in the order of the file: what stands in a row of each.

A column's kind is its PostgreSQL type. Texts that lie sealed stand here in the clear.
Vectors, search entries and digests are not exported: an import makes them anew, and
the profile card too. What LangGraph keeps is exported and never imported: opening it
may run code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, LiteralString

from gieok.kernel.entities import Entity
from gieok.privacy.sealed_columns import SEALED_COLUMNS, SealedColumn
from gieok.sessions.reader_store import Reader, build_position_sql

FORMAT: Final = "gieok.export"
VERSION: Final = 1

ColumnTypes = Mapping[LiteralString, LiteralString]
_SEALED: Final = {(each.table, each.column): each for each in SEALED_COLUMNS}


@dataclass(frozen=True, slots=True, eq=False)
class ExportPart:
    """One kind of thing; `row` is what tells its rows apart and orders them."""

    name: str
    table: LiteralString
    row: LiteralString
    plain: ColumnTypes
    texts: tuple[LiteralString, ...] = ()
    """Sealed columns that hold text."""
    documents: tuple[LiteralString, ...] = ()
    """Sealed columns that hold JSON."""
    binaries: tuple[LiteralString, ...] = ()
    """Sealed columns that hold bytes; in an export they stand in base64."""
    reads: ColumnTypes = field(default_factory=dict[LiteralString, LiteralString])
    """What a plain field is read from, if not from a column of its name; an import
    writes it there, but for `positions`."""
    revisions: ColumnTypes = field(default_factory=dict[LiteralString, LiteralString])
    """The column with the revision that a sealed column is bound to, if any."""
    digests: ColumnTypes = field(default_factory=dict[LiteralString, LiteralString])
    """Keyed digests that an import makes, by the text they are made of."""
    quotes: ColumnTypes = field(default_factory=dict[LiteralString, LiteralString])
    """The field with a message's id, by the name under which its text stands here once
    more. An import takes the text from the message and not from here."""
    positions: Mapping[LiteralString, Reader] = field(
        default_factory=dict[LiteralString, Reader]
    )
    """How far readers have read a session, by the plain field that says so."""
    names_device: bool = False
    """Whether `device` stands here too: the app's own id of the device. An import takes
    it from the devices."""
    later: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields that earlier files of this version lack, and what an import takes of a
    row without one."""
    derived: Mapping[str, Callable[[Mapping[str, Any]], Any]] = field(
        default_factory=dict[str, Callable[[Mapping[str, Any]], Any]]
    )
    """What it takes instead where the rest of such a row tells, by later field."""
    needs: Mapping[str, "ExportPart"] = field(default_factory=dict[str, "ExportPart"])
    """The parts of which a row has to be there, by the column that names it."""
    entity: Entity | None = None
    """What the change feed calls it; None is not announced."""
    is_imported: bool = True
    """Whether an import takes it over."""

    @property
    def repeated(self) -> frozenset[str]:
        """Return the fields that only repeat what other parts hold."""
        return frozenset({*self.quotes, *({"device"} if self.names_device else ())})

    @property
    def sealed(self) -> tuple[LiteralString, ...]:
        """Return the sealed columns."""
        return (*self.texts, *self.documents, *self.binaries)

    def get_sealed_column(self, column: str) -> SealedColumn:
        """Return where the values of a sealed column stand."""
        return _SEALED[self.table, column]


_TYPES: Final[Mapping[str, LiteralString]] = {
    "uuid": "uuid",
    "ids": "uuid[]",
    "text": "text",
    "texts": "text[]",
    "integer": "integer",
    "bigint": "bigint",
    "numeric": "numeric",
    "double": "double precision",
    "flag": "boolean",
    "date": "date",
    "time": "timestamptz",
    "jsonb": "jsonb",
    "bytea": "bytea",
}


def _build_column_types(**kinds: LiteralString) -> ColumnTypes:
    """Return columns by kind: each argument names a type and lists its columns."""
    return {
        column: _TYPES[kind]
        for kind, columns in kinds.items()
        for column in columns.split()
    }


def _derive_worded_at(row: Mapping[str, Any]) -> str | None:
    """Return when a memory was learned, if it was confirmed since: no day is older."""
    learned, confirmed = row["created_at"], row["last_confirmed_at"]
    if not learned or not confirmed:
        return None
    is_later = datetime.fromisoformat(confirmed) > datetime.fromisoformat(learned)
    return learned if is_later else None


_NAMED: Final = _build_column_types(time="created_at")
_SUMMARY: Final = _build_column_types(
    uuid="summary_id",
    integer="revision",
    bytea="ground",
    text="summarizer",
    time="created_at updated_at expires_at",
)
_SUMMARY_READS: Final[ColumnTypes] = {"ground": "source_digest"}
ACCOUNT: Final = ExportPart(
    "account",
    "users",
    "user_id",
    _build_column_types(text="plan language time_zone", time="created_at"),
)
SETTINGS: Final = ExportPart(
    "settings",
    "memory_settings",
    "user_id",
    _build_column_types(
        flag="is_enabled auto_extraction",
        texts="allowed_categories chosen",
        integer="max_memories retention_days words_days",
        text="promotion_policy",
        time="created_at updated_at",
    ),
    later={
        "words_days": None,
        "chosen": [
            "is_enabled",
            "allowed_categories",
            "auto_extraction",
            "max_memories",
            "retention_days",
            "promotion_policy",
            "words_days",
        ],
    },
    entity="memory_settings",
)
CONSENTS: Final = ExportPart(
    "consents",
    "consents",
    "(purpose || version)",
    _build_column_types(
        text="purpose notice actor",
        integer="version",
        flag="granted",
        time="created_at",
    ),
)
PERSONAS: Final = ExportPart(
    "personas",
    "personas",
    "persona_id",
    {"persona_id": "uuid", **_NAMED},
    texts=("name",),
    entity="persona",
)
DEVICES: Final = ExportPart(
    "devices",
    "devices",
    "device_id",
    {"device_id": "uuid", **_NAMED},
    texts=("name",),
    entity="device",
)
_POSITIONS: Final[Mapping[LiteralString, Reader]] = {
    "extracted_count": "extraction",
    "summarized_count": "summary",
    "unsummed_from": "unsummarized_start",
    "unsummed_until": "unsummarized_end",
    "remembered_count": "episode",
}
SESSIONS: Final = ExportPart(
    "sessions",
    "sessions",
    "session_id",
    _build_column_types(
        uuid="session_id device_id persona_id continues continued_by named",
        text="status current_layer language last_route active_workflow_id ended_reason",
        integer="message_count pair_count extracted_count total_turns max_pairs "
        "summarized_count summary_revision unsummed_from unsummed_until "
        "remembered_count",
        bigint="total_tokens",
        numeric="total_cost",
        flag="episode_deleted",
        jsonb="not_kept",
        time="created_at updated_at expires_at completed_at",
    ),
    documents=("config", "session_summary"),
    reads={name: build_position_sql(reader) for name, reader in _POSITIONS.items()},
    positions=_POSITIONS,
    revisions={"session_summary": "summary_revision"},
    names_device=True,
    later={"not_kept": {}},
    entity="session",
)
MESSAGES: Final = ExportPart(
    "messages",
    "session_messages",
    "message_id",
    _build_column_types(
        uuid="message_id session_id",
        integer="position",
        text="role layer",
        flag="is_withheld",
        time="created_at forgotten_at",
    ),
    texts=("content",),
    documents=("metadata",),
    later={"is_withheld": None},
    needs={"session_id": SESSIONS},
    entity="session_message",
)
PAIRS: Final = ExportPart(
    "pairs",
    "conversation_pairs",
    "pair_id",
    _build_column_types(
        uuid="pair_id session_id device_id user_message_id assistant_message_id",
        integer="turn_index",
        text="route_family",
        jsonb="sensitive_flags",
        time="retention_until created_at",
    ),
    documents=("planner_summary",),
    quotes={
        "user_text": "user_message_id",
        "assistant_text": "assistant_message_id",
    },
    names_device=True,
    needs={"session_id": SESSIONS, "user_message_id": MESSAGES},
    entity="conversation_pair",
)
DAYS: Final = ExportPart(
    "days",
    "short_term_summaries",
    "summary_id",
    {
        **_SUMMARY,
        **_build_column_types(
            uuid="device_id", date="date_key", ids="source_session_ids"
        ),
    },
    texts=("summary_text",),
    documents=("details",),
    reads=_SUMMARY_READS,
    revisions={"summary_text": "revision", "details": "revision"},
    names_device=True,
    entity="short_term_summary",
)
WEEKS: Final = ExportPart(
    "weeks",
    "mid_term_summaries",
    "summary_id",
    {**_SUMMARY, **_build_column_types(ids="source_summary_ids"), "week_key": "text"},
    texts=("summary_text",),
    documents=("details",),
    reads=_SUMMARY_READS,
    revisions={"summary_text": "revision", "details": "revision"},
    entity="mid_term_summary",
)
EPISODES: Final = ExportPart(
    "episodes",
    "episodes",
    "episode_id",
    _build_column_types(
        uuid="episode_id persona_id session_id",
        integer="revision importance first_position end_position",
        text="emotion summarizer archived_reason",
        texts="edited",
        ids="source_message_ids",
        flag="is_fallback",
        time="said_at created_at updated_at archived_at",
    ),
    texts=("summary",),
    documents=("topics", "tags"),
    needs={"persona_id": PERSONAS},
    revisions={"summary": "revision", "topics": "revision", "tags": "revision"},
    entity="episode",
)
CANDIDATES: Final = ExportPart(
    "candidates",
    "memory_candidates",
    "candidate_id",
    _build_column_types(
        uuid="candidate_id target_id memory_id wish_id",
        text="category basis operation extractor status held_reason",
        double="confidence",
        ids="session_ids message_ids",
        time="created_at reviewed_at wished_at asked_at",
    ),
    texts=("claim",),
    digests={"claim_digest": "claim"},
    later={"wished_at": None, "wish_id": None, "asked_at": None},
    entity="memory_candidate",
)
MEMORIES: Final = ExportPart(
    "memories",
    "user_memories",
    "memory_id",
    _build_column_types(
        uuid="memory_id source_session_id superseded_by contradicted_by",
        integer="revision usage_count",
        text="category source_type extractor delete_policy inactive_reason trust",
        double="confidence relevance_score",
        ids="source_message_ids source_candidate_ids",
        flag="is_active is_pinned",
        time="last_used_at last_confirmed_at worded_at expires_at created_at "
        "updated_at",
    ),
    texts=("content", "source_message_preview", "subcategory"),
    revisions={"content": "revision"},
    digests={"content_digest": "content"},
    later={
        "is_pinned": False,
        "subcategory": None,
        "worded_at": None,
        "contradicted_by": None,
    },
    derived={"worded_at": _derive_worded_at},
    entity="user_memory",
)
HISTORY: Final = ExportPart(
    "history",
    "memory_history",
    "history_id",
    _build_column_types(
        uuid="history_id memory_id session_id",
        text="action trigger",
        double="old_confidence new_confidence",
        time="created_at",
    ),
    texts=("old_content", "new_content"),
    needs={"memory_id": MEMORIES},
)
PROFILE: Final = ExportPart(
    "profile",
    "profile_documents",
    "user_id",
    {},
    documents=("document",),
    is_imported=False,
)
ITEMS: Final = ExportPart(
    "items",
    "store_items",
    "item_id",
    _build_column_types(
        uuid="item_id",
        integer="revision",
        flag="searchable",
        double="ttl_minutes",
        time="expires_at created_at updated_at",
    ),
    documents=("name", "content"),
    entity="store_item",
)
THREADS: Final = ExportPart(
    "threads",
    "checkpoints",
    "(thread_id || '/' || checkpoint_ns || '/' || checkpoint_id)",
    _build_column_types(
        text="thread_id checkpoint_ns checkpoint_id parent_checkpoint_id",
        jsonb="checkpoint run",
    ),
    documents=("metadata",),
    reads={"run": "metadata - 'gieok'"},
    is_imported=False,
)
STATES: Final = ExportPart(
    "states",
    "checkpoint_blobs",
    "(thread_id || '/' || checkpoint_ns || '/' || channel || '/' || version)",
    _build_column_types(text="thread_id checkpoint_ns channel version"),
    binaries=("blob",),
    is_imported=False,
)
WRITES: Final = ExportPart(
    "writes",
    "checkpoint_writes",
    "(thread_id || '/' || checkpoint_ns || '/' || checkpoint_id || '/' || task_id"
    " || '/' || idx)",
    _build_column_types(
        text="thread_id checkpoint_ns checkpoint_id task_id channel task_path",
        integer="idx",
    ),
    binaries=("blob",),
    is_imported=False,
)
RECEIPTS: Final = ExportPart(
    "receipts",
    "erasure_receipts",
    "receipt_id",
    _build_column_types(
        uuid="receipt_id about",
        text="kind",
        integer="number",
        time="requested_at finished_at backups_until",
        jsonb="parts counts",
        bytea="signature",
    ),
    is_imported=False,
)
AUDIT: Final = ExportPart(
    "audit",
    "memory_audit_log",
    "audit_id",
    _build_column_types(
        uuid="audit_id target_id",
        bigint="seq",
        text="event_type target_table actor reason",
        jsonb="details",
        time="created_at",
        bytea="hash",
    ),
    is_imported=False,
)
PARTS: Final = (
    ACCOUNT,
    SETTINGS,
    CONSENTS,
    PERSONAS,
    DEVICES,
    SESSIONS,
    MESSAGES,
    PAIRS,
    DAYS,
    WEEKS,
    EPISODES,
    CANDIDATES,
    MEMORIES,
    HISTORY,
    PROFILE,
    ITEMS,
    THREADS,
    STATES,
    WRITES,
    RECEIPTS,
    AUDIT,
)
BY_NAME: Final = {part.name: part for part in PARTS}
