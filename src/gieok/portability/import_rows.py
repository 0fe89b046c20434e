"""Writes rows of an export into a person's tables, sealed with that person's key."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString, cast
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as accounts
from gieok.database import Change, Transaction
from gieok.items.names import validate_name, validate_namespace
from gieok.items.sealed import derive_item_id, derive_namespace_id, derive_prefix_ids
from gieok.kernel.clock import is_time_zone
from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.offload import run_in_thread
from gieok.memories import Trust
from gieok.pii import TextMasker
from gieok.portability.checking import check_document, reject_file
from gieok.portability.export_rows import to_json_value
from gieok.portability.model import RowProgress, ignore_progress
from gieok.portability.parts import (
    ACCOUNT,
    CONSENTS,
    DEVICES,
    ITEMS,
    MEMORIES,
    MESSAGES,
    PERSONAS,
    SESSIONS,
    SETTINGS,
    ExportPart,
)
from gieok.privacy import PersonKey
from gieok.sessions import reader_store
from gieok.text.cleaning import clean_name

ID_COLUMNS = {PERSONAS.name: "persona_id", DEVICES.name: "device_id"}
ARCHIVED = "imported"
"""Why a session of another product's archive ended; nothing of it is summed up."""
ImportRow = dict[str, Any]


@dataclass(slots=True)
class RowWriter:
    """Takes the rows of one import, part by part, inside one transaction."""

    tx: Transaction
    key: PersonKey
    accounts: Accounts
    progress: RowProgress = ignore_progress
    skips_known: bool = False
    """Whether rows that are there already are left out; otherwise they are an error."""
    imports_consents: bool = True
    base_change_number: int = 0
    """The person's change number before the import."""
    counts: dict[str, int] = field(default_factory=dict[str, int])
    _renamed: dict[str, str] = field(default_factory=dict[str, str])
    _unsummarized: dict[str, range] = field(default_factory=dict[str, range])
    """Positions that are never summed up, by session."""
    _sealed: dict[UUID, bytes] = field(default_factory=dict[UUID, bytes])
    """Seals of the rows at hand that cover their provenance."""
    _numbered: int = 0

    async def write_rows(
        self, part: ExportPart, rows: Sequence[ImportRow]
    ) -> Sequence[UUID]:
        """Write rows of one part; return the ids of those that are new.

        What only the installation may say (the plan, the audit log) is left out, and
        states of LangGraph, which may run code when they are opened.

        Raises:
            InvalidInputError, psycopg.DataError, psycopg.IntegrityError: a row that
                cannot be.
        """
        if not part.is_imported or (part is CONSENTS and not self.imports_consents):
            return ()
        if part is ACCOUNT:
            await self._update_account(rows[0])
            return ()
        built = await run_in_thread(
            lambda: [self._build_row(part, row) for row in rows]
        )
        written = await self._insert_rows(part, built)
        await self._insert_positions(part, built, written)
        self.counts[part.name] = self.counts.get(part.name, 0) + len(written)
        self.progress(sum(self.counts.values()))
        if named := {each: self._sealed[each] for each in written if self._sealed}:
            self.tx.record_sealed_rows(part.table, named)
        self._sealed.clear()
        if part.entity:
            self.tx.record_changes(*(Change(part.entity, each) for each in written))
        return written

    async def _update_account(self, row: ImportRow) -> None:
        _check_zone(row["time_zone"])
        await accounts.restore_person(
            self.tx,
            language=row["language"],
            time_zone=row["time_zone"],
            created_at=row["created_at"],
        )

    def _build_row(self, part: ExportPart, row: ImportRow) -> ImportRow:
        """Return a row as it will stand: ids of this person, digests, sealed texts."""
        made = {**row, **self._build_own_values(part, row)}
        for digest, text in part.digests.items():
            made[digest] = _to_hex(self.key.compute_digest(_mask_text(row[text])))
        named = _parse_id(made[part.row]) if part.sealed else self.tx.scope.user_id
        for column in part.sealed:
            if made[column] is None:
                continue
            revision = made.get(part.revisions.get(column, ""), 0)
            if revision is None:
                reject_file("a revision is not a whole number")
            at = part.get_sealed_column(column)
            bound = [
                to_database_value(part.plain[each], made[each])
                for each in at.provenance
            ]
            made |= dict(zip(at.provenance, map(to_json_value, bound), strict=True))
            sealed = self.key.seal_text(
                at.bound_to,
                named,
                self._encode_text(part, column, made[column]),
                revision=revision,
                bound=at.to_provenance(bound),
            )
            if at.provenance:
                self._sealed[named] = sealed
            made[column] = _to_hex(sealed)
        for column, kind in part.plain.items():
            if kind == "bytea" and made[column] is not None:
                made[column] = f"\\x{made[column]}"
        return made

    def _build_own_values(self, part: ExportPart, row: ImportRow) -> ImportRow:
        """Return what depends on whose row it is."""
        if part is ITEMS:
            return self._build_item_values(row)
        if part is MEMORIES:
            return {"trust": _limit_trust(row["trust"])}
        if part is MESSAGES:
            return {"is_withheld": self._is_withheld(row)}
        own: ImportRow = {}
        for column in ("persona_id", "device_id"):
            if ID_COLUMNS.get(part.name) == column:
                name = clean_name(column, row["name"])
                own[column] = str(self._derive_id(column, name))
                self._renamed[str(row[column])] = own[column]
            elif row.get(column) in self._renamed:
                own[column] = self._renamed[row[column]]
        if part is SESSIONS:
            self._note_unsummarized(row)
            own["named"] = self._derive_session_name(own.get("persona_id"), row)
        return own

    def _note_unsummarized(self, row: ImportRow) -> None:
        start, stop = row["unsummed_from"] or 0, row["unsummed_until"] or 0
        if stop > start and row["ended_reason"] != ARCHIVED:
            self._unsummarized[row["session_id"]] = range(start, stop)

    def _is_withheld(self, row: ImportRow) -> bool:
        """Tell whether a message was said while memory was off.

        Where a file of before does not say so, its session does: all between the first
        time and the last.
        """
        if row["is_withheld"] is None:
            span = self._unsummarized.get(row["session_id"], range(0))
            return row["position"] in span
        return row["is_withheld"]

    def _derive_id(self, column: str, name: str) -> UUID:
        scope, accounts = self.tx.scope, self.accounts
        if column == "persona_id":
            return accounts.persona_id(scope, name)
        return accounts.device_id(scope, name)

    def _derive_session_name(self, persona: str | None, row: ImportRow) -> str | None:
        if row["named"] is None:
            return None
        persona = persona or row["persona_id"]
        config = row["config"]
        name = (
            cast("ImportRow", config).get("name") if isinstance(config, dict) else None
        )
        if persona is None or not isinstance(name, str):
            return None
        person = self.tx.scope.user_id.hex
        secret, clean = self.accounts.naming_secret, clean_name("session_id", name)
        return str(
            derive_pseudonym(secret, "session", person, _parse_id(persona).hex, clean)
        )

    def _build_item_values(self, row: ImportRow) -> ImportRow:
        """Return ids and numbers of an item of a store, whose ids are digests."""
        if row["name"] is None:
            reject_file("an item has no name")
        space = validate_namespace(row["name"][0], empty=False)
        item = validate_name("key", row["name"][1])
        self._numbered += 1
        number = self.base_change_number + self._numbered
        return {
            "item_id": str(derive_item_id(self.key, space, item)),
            "namespace_id": str(derive_namespace_id(self.key, space)),
            "prefix_ids": [str(each) for each in derive_prefix_ids(self.key, space)],
            "seq": number,
            "position": number,
        }

    def _encode_text(self, part: ExportPart, column: str, value: Any) -> str:
        """Return what is to be sealed, without what may never be kept (A19)."""
        if column == "name":
            return value if isinstance(value, str) else json.dumps(value)
        if column in part.texts:
            return _mask_text(value)
        screened = TextMasker().mask_value(value)
        check_document(part, column, screened)
        text = json.dumps(screened, ensure_ascii=False)
        for old, new in self._renamed.items():
            text = text.replace(old, new)
        return text

    async def _insert_rows(
        self, part: ExportPart, rows: Sequence[ImportRow]
    ) -> list[UUID]:
        kinds = _get_column_types(part)
        names = ", ".join(kinds)
        columns = ", ".join(part.reads.get(name, name) for name in kinds)
        spelled = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
        conflict = _build_conflict_clause(part, skips=self.skips_known)
        row = part.row if part.row in kinds else "user_id"
        found = await self.tx.fetch_all(
            f"""
            INSERT INTO {part.table} (user_id, {columns})
            SELECT %s, {names} FROM jsonb_to_recordset(%s::jsonb) AS new ({spelled})
            {conflict} RETURNING {row}
            """,
            [self.tx.scope.user_id, json.dumps(rows)],
        )
        return [each[0] for each in found]

    async def _insert_positions(
        self, part: ExportPart, rows: Sequence[ImportRow], written: Sequence[UUID]
    ) -> None:
        """Take over how far readers had read the sessions that are new."""
        new = set(written)
        for column, reader in part.positions.items():
            positions = {_parse_id(row[part.row]): row[column] for row in rows}
            await reader_store.insert_positions(
                self.tx,
                reader,
                {each: position for each, position in positions.items() if each in new},
            )


def _get_column_types(part: ExportPart) -> Mapping[LiteralString, LiteralString]:
    kinds: dict[LiteralString, LiteralString] = {
        column: kind
        for column, kind in part.plain.items()
        if column not in part.positions
    }
    for column in (*part.sealed, *part.digests):
        kinds[column] = "bytea"
    if part is ITEMS:
        kinds |= {"namespace_id": "uuid", "prefix_ids": "uuid[]"}
        kinds |= {"seq": "bigint", "position": "bigint"}
    return kinds


def _build_conflict_clause(part: ExportPart, *, skips: bool) -> LiteralString:
    if part is SETTINGS:
        changed = ", ".join(f"{name} = excluded.{name}" for name in part.plain)
        return f"ON CONFLICT (user_id) DO UPDATE SET {changed}"
    return "ON CONFLICT DO NOTHING" if skips else ""


def _limit_trust(told: Any) -> str | None:
    """Return how far a memory is trusted here: nobody vouches for what a file says."""
    return Trust.IMPORT.value if told in set(Trust) else told


def to_database_value(kind: str, value: Any) -> Any:
    """Return what a value of an export will be once it is read from the database."""
    if value is None:
        return None
    if kind == "uuid[]":
        return [UUID(each) for each in value]
    if kind == "double precision":
        return float(value)
    read = {"uuid": UUID, "timestamptz": datetime.fromisoformat}.get(kind)
    return read(value) if read else value


def _mask_text(text: Any) -> str:
    return TextMasker().mask_text(str(text))


def _to_hex(data: bytes) -> str:
    return f"\\x{data.hex()}"


def _parse_id(value: Any) -> UUID:
    try:
        return UUID(value)
    except (AttributeError, TypeError, ValueError):
        reject_file("a row has no id")


def _check_zone(name: Any) -> None:
    if not is_time_zone(name):
        reject_file("there is no such IANA zone")
