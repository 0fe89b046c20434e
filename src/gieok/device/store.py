"""SQL of a device's file: one function, one statement where it can be.

All take the rows of an open transaction, or the connection to read from.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final
from uuid import UUID

from gieok.device.connection import RowConnection
from gieok.device.file import DeviceFile
from gieok.device.model import (
    BEFORE_PAIRS,
    DeviceCursor,
    DeviceFault,
    DeviceStatus,
    DownloadedItem,
    LocalPair,
    PairState,
)
from gieok.device.sealing import BodySealer
from gieok.kernel.chain import Position, advance_chain, hash_words, start_chain
from gieok.kernel.errors import TamperedError

PAIRS: Final = "conversation_pairs"
ITEMS: Final = "memory_items"
STAGED: Final = "staged_items"
REJECTED: Final = "rejected_pairs"
WORKFLOWS: Final = "active_workflow_cache"
_COLUMNS: Final = tuple(each.name for each in fields(DeviceCursor))
_PAIR: Final = "seq, pair_id, session_id, turn_index, chain, at_ms, body"


@dataclass(frozen=True, slots=True)
class RowDamage:
    """Which bodies do not open."""

    pairs: Sequence[int]
    """Their numbers."""
    items: Sequence[tuple[str, str]]
    workflows: Sequence[str]
    """The sessions that are in the midst of them."""
    opened: int
    """How many bodies do open."""


@dataclass(frozen=True, slots=True)
class DeviceRows:
    """The rows of a device's file, and what opens their bodies."""

    rows: RowConnection
    sealer: BodySealer

    @classmethod
    def from_file(cls, file: DeviceFile) -> "DeviceRows":
        """Return the rows of a file."""
        return cls(file.connection, file.sealer)

    # the cursor

    def find_cursor(self) -> DeviceCursor | None:
        """Return where the device stands; None in a new file."""
        names = ", ".join(_COLUMNS)
        row = self.rows.execute(f"SELECT {names} FROM sync_cursor").fetchone()
        if row is None:
            return None
        found: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
        conflict, fault = found["conflict_state"], found["error"]
        found["incarnation"] = UUID(found["incarnation"])
        found["sync_status"] = DeviceStatus(found["sync_status"])
        found["conflict_state"] = conflict and json.loads(conflict)
        found["error"] = fault and DeviceFault(fault)
        found["is_withheld"] = bool(found["is_withheld"])
        return DeviceCursor(**found)

    def save_cursor(self, cursor: DeviceCursor) -> None:
        """Keep where the device stands."""
        values = {name: getattr(cursor, name) for name in _COLUMNS}
        values["incarnation"] = str(cursor.incarnation)
        if cursor.conflict_state is not None:
            values["conflict_state"] = json.dumps(dict(cursor.conflict_state))
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        self.rows.execute(
            f"INSERT OR REPLACE INTO sync_cursor (one, {', '.join(_COLUMNS)})"
            f" VALUES (1, {marks})",
            {
                name: str(value) if isinstance(value, str) else value
                for name, value in values.items()
            },
        )

    # what was said

    def insert_pair(self, pair: LocalPair) -> None:
        """Keep a pair under its number."""
        sealed = self.sealer.seal(PAIRS, str(pair.pair_id), pair.body)
        self.rows.execute(
            f"INSERT INTO conversation_pairs ({_PAIR}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                pair.seq,
                str(pair.pair_id),
                pair.session_id,
                pair.turn_index,
                pair.chain,
                pair.at_ms,
                sealed,
            ),
        )

    def rewrite_pair(self, pair: LocalPair) -> None:
        """Keep another body of a pair; its number and chain stay."""
        sealed = self.sealer.seal(PAIRS, str(pair.pair_id), pair.body)
        self.rows.execute(
            "UPDATE conversation_pairs SET body = ? WHERE seq = ?", (sealed, pair.seq)
        )

    def has_pair(self, pair_id: UUID) -> bool:
        """Tell whether a pair has this id, with its words or without."""
        row = self.rows.execute(
            "SELECT 1 FROM conversation_pairs WHERE pair_id = ?", (str(pair_id),)
        ).fetchone()
        return row is not None

    def list_pairs(self, after: int, most: int = -1) -> list[LocalPair]:
        """Return pairs with their words after a number, in order."""
        found = self.rows.execute(
            f"SELECT {_PAIR} FROM conversation_pairs"
            " WHERE seq > ? AND body IS NOT NULL ORDER BY seq LIMIT ?",
            (after, most),
        )
        return [self._open_pair(row) for row in found]

    def drop_sent_words(self, after: int, until: int) -> None:
        """Drop what was only kept to be sent of pairs up to a number.

        Those after another number are meant, and the few before that whose next ones
        they are.
        """
        row = self.rows.execute(
            "SELECT min(seq) FROM (SELECT seq FROM conversation_pairs"
            " WHERE seq <= ? AND body IS NOT NULL ORDER BY seq DESC LIMIT ?)",
            (after, BEFORE_PAIRS),
        ).fetchone()
        first = after if row is None or row[0] is None else row[0] - 1
        for pair in self.list_pairs(first, until - first):
            if pair.seq <= until and "said" in pair.body:
                self.rewrite_pair(replace(pair, body=pair.local_body))

    def list_pairs_without_copy(self) -> list[LocalPair]:
        """Return pairs with their words that did not come down, in order."""
        found = self.rows.execute(
            f"SELECT {_PAIR} FROM conversation_pairs WHERE body IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM memory_items"
            " WHERE entity = 'conversation_pair' AND item_id = pair_id) ORDER BY seq"
        )
        return [self._open_pair(row) for row in found]

    def list_session_pairs(self, session_id: str) -> list[LocalPair]:
        """Return the pairs of a session that still have their words, in order."""
        found = self.rows.execute(
            f"SELECT {_PAIR} FROM conversation_pairs WHERE session_id = ?"
            " AND body IS NOT NULL ORDER BY turn_index",
            (session_id,),
        )
        return [self._open_pair(row) for row in found]

    def find_position(self, seq: int, incarnation: UUID) -> Position | None:
        """Return the position at a number; None if it is not retained."""
        if seq == 0:
            return start_chain(incarnation)
        row = self.rows.execute(
            "SELECT chain FROM conversation_pairs WHERE seq = ?", (seq,)
        ).fetchone()
        return Position(seq, row[0]) if row else None

    def has_words(self, after: int, until: int) -> bool:
        """Tell whether every pair of a range still has its words."""
        row = self.rows.execute(
            "SELECT count(*) FROM conversation_pairs"
            " WHERE seq > ? AND seq <= ? AND body IS NOT NULL",
            (after, until),
        ).fetchone()
        return row is not None and row[0] == until - after

    def mark_sent(self, until: int, at_ms: int) -> None:
        """Note that the cloud has what was said up to a number, and no more.

        Of what it had before, since then.
        """
        self.rows.execute(
            "UPDATE conversation_pairs SET sent_ms = ?"
            " WHERE seq <= ? AND sent_ms IS NULL",
            (at_ms, until),
        )
        self.rows.execute(
            "UPDATE conversation_pairs SET sent_ms = NULL"
            " WHERE seq > ? AND sent_ms IS NOT NULL",
            (until,),
        )

    def reject_pair(self, seq: int, code: str, at_ms: int) -> None:
        """Put the words of a pair aside, under the reason."""
        for pair in self.list_pairs(seq - 1, 1):
            if pair.seq == seq:
                self._put_aside(pair, code, at_ms)
        self.clear_pair(seq, PairState.REJECTED)

    def clear_pair(self, seq: int, state: PairState) -> None:
        """Erase the words of a pair; its number stays."""
        self.rows.execute(
            "UPDATE conversation_pairs SET body = NULL, state = ?"
            " WHERE seq = ? AND state = 'recorded'",
            (str(state), seq),
        )

    def erase_pair(self, pair_id: str) -> None:
        """Erase the words of a pair wherever they are; its number stays."""
        self.rows.execute(
            "UPDATE conversation_pairs SET body = NULL, state = 'erased'"
            " WHERE pair_id = ?",
            (pair_id,),
        )
        self.rows.execute("DELETE FROM rejected_pairs WHERE pair_id = ?", (pair_id,))

    def erase_pairs_until(self, seq: int, *, but_staged: bool = False) -> None:
        """Erase the words of all pairs up to a number, but for those in the copy."""
        spared = (
            " AND pair_id NOT IN (SELECT item_id FROM staged_items"
            " WHERE entity = 'conversation_pair')"
        )
        self.rows.execute(
            "UPDATE conversation_pairs SET body = NULL, state = 'erased'"
            " WHERE seq <= ? AND body IS NOT NULL" + (spared if but_staged else ""),
            (seq,),
        )

    def renumber_pairs(self, after: Position) -> Position:
        """Give all that has its words new numbers after a position; return the last.

        What has no words any more, and was not taken by the cloud under this chain, is
        dropped with its number.
        """
        pairs = self.list_pairs(after.seq)
        self.rows.execute("DELETE FROM conversation_pairs WHERE seq > ?", (after.seq,))
        at = after
        for pair in pairs:
            at = advance_chain(at, pair.pair_id, hash_pair(pair))
            self.insert_pair(
                LocalPair(
                    at.seq,
                    pair.pair_id,
                    pair.session_id,
                    pair.turn_index,
                    at.chain,
                    pair.at_ms,
                    pair.body,
                )
            )
        return at

    def discard_pairs(self, after: int, at_ms: int) -> None:
        """Put aside all that was said after a number, and free the numbers."""
        for pair in self.list_pairs(after):
            self._put_aside(pair, "discarded", at_ms)
        self.rows.execute("DELETE FROM conversation_pairs WHERE seq > ?", (after,))

    def drop_pairs_sent_before(self, at_ms: int, until: int) -> None:
        """Erase what the cloud has had for so long that it is in its backups."""
        self.rows.execute(
            "DELETE FROM conversation_pairs WHERE seq < min(?, coalesce(("
            "    SELECT min(seq) FROM conversation_pairs"
            "    WHERE sent_ms >= ? OR sent_ms IS NULL"
            "), ?))",
            (until, at_ms, until),
        )
        self.rows.execute("DELETE FROM rejected_pairs WHERE at_ms < ?", (at_ms,))

    def count_rejected(self) -> dict[str, int]:
        """Return how many pairs were put aside, by reason."""
        found = self.rows.execute(
            "SELECT code, count(*) FROM rejected_pairs GROUP BY 1"
        )
        return dict(found.fetchall())

    # what came down

    def put_items(self, items: Iterable[DownloadedItem], table: str = ITEMS) -> None:
        """Keep things as they are now; those that are erased are left out."""
        sealed = [
            (
                item.entity,
                item.item_id,
                item.until_ms,
                self.sealer.seal(ITEMS, f"{item.entity}|{item.item_id}", item.body),
            )
            for item in items
            if item.body is not None
        ]
        self.rows.executemany(
            f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", sealed
        )

    def delete_item(self, entity: str, item_id: str) -> None:
        """Erase one thing."""
        self.rows.execute(
            "DELETE FROM memory_items WHERE entity = ? AND item_id = ?",
            (entity, item_id),
        )

    def iterate_items(self, *entities: str) -> Iterator[DownloadedItem]:
        """Yield what came down, of some kinds or of all."""
        marks = ", ".join("?" * len(entities))
        where = f"WHERE entity IN ({marks})" if entities else ""
        for entity, item_id, until_ms, sealed in self.rows.execute(
            f"SELECT entity, item_id, until_ms, body FROM memory_items {where}",
            entities,
        ).fetchall():
            body = self.sealer.open(ITEMS, f"{entity}|{item_id}", sealed)
            yield DownloadedItem(entity, item_id, body, until_ms)

    def clear_items(self, *tables: str) -> None:
        """Erase everything that came down, or what was fetched of a copy."""
        for table in tables or (ITEMS, STAGED):
            self.rows.execute(f"DELETE FROM {table}")

    def put_staged(self) -> None:
        """Put the fetched copy in place of what came down before."""
        self.clear_items(ITEMS)
        self.rows.execute("INSERT INTO memory_items SELECT * FROM staged_items")
        self.clear_items(STAGED)

    def delete_expired(self, now_ms: int) -> int:
        """Erase what came down and is over; return how many things."""
        ids = self.rows.execute(
            "SELECT item_id FROM memory_items"
            " WHERE until_ms <= ? AND entity = 'conversation_pair'",
            (now_ms,),
        ).fetchall()
        for (pair_id,) in ids:
            self.erase_pair(pair_id)
        self.rows.execute("DELETE FROM memory_items WHERE until_ms <= ?", (now_ms,))
        return self.rows.changes()

    # sessions and workflows

    def save_session(self, session: Mapping[str, Any]) -> None:
        """Keep a session as it is now."""
        self.rows.execute(
            "INSERT OR REPLACE INTO conversation_sessions VALUES"
            " (:session_id, :status, :pair_count, :started_ms, :last_ms, :continues)",
            dict(session),
        )

    def end_session(self, session_id: str) -> None:
        """Let nothing more be said in a session, its workflow be over."""
        self.rows.execute(
            "UPDATE conversation_sessions SET status = 'completed'"
            " WHERE session_id = ?",
            (session_id,),
        )
        self.save_workflow(session_id, None)

    def list_sessions_without_copy(self, until: int) -> list[str]:
        """Return the sessions of words up to a number that are not in the copy."""
        found = self.rows.execute(
            "SELECT DISTINCT session_id FROM conversation_pairs"
            " WHERE seq <= ? AND body IS NOT NULL AND session_id NOT IN ("
            "    SELECT item_id FROM staged_items WHERE entity = 'session'"
            ")",
            (until,),
        )
        return [row[0] for row in found.fetchall()]

    def find_latest_session(self) -> dict[str, Any] | None:
        """Return the session that was last talked in."""
        names = ("session_id", "status", "pair_count", "started_ms", "last_ms")
        row = self.rows.execute(
            f"SELECT {', '.join(names)}, continues FROM conversation_sessions"
            " ORDER BY rowid DESC LIMIT 1"
        ).fetchone()
        return dict(zip((*names, "continues"), row, strict=True)) if row else None

    def save_workflow(self, session_id: str, body: Mapping[str, Any] | None) -> None:
        """Keep what a session is in the midst of, or that it is in nothing."""
        if body is None:
            self.rows.execute(
                "DELETE FROM active_workflow_cache WHERE session_id = ?", (session_id,)
            )
            return
        self.rows.execute(
            "INSERT OR REPLACE INTO active_workflow_cache VALUES (?, ?)",
            (session_id, self.sealer.seal(WORKFLOWS, session_id, body)),
        )

    def find_workflow(self, session_id: str) -> dict[str, Any] | None:
        """Return what a session is in the midst of."""
        row = self.rows.execute(
            "SELECT body FROM active_workflow_cache WHERE session_id = ?", (session_id,)
        ).fetchone()
        return self.sealer.open(WORKFLOWS, session_id, row[0]) if row else None

    # what does not open

    def find_damage(self) -> "RowDamage":
        """Return which bodies do not open; what was put aside is not looked at."""
        pairs = self.rows.execute(
            "SELECT seq, pair_id, body FROM conversation_pairs WHERE body IS NOT NULL"
        ).fetchall()
        items = self.rows.execute(
            "SELECT entity, item_id, body FROM memory_items"
        ).fetchall()
        workflows = self.rows.execute(
            "SELECT session_id, body FROM active_workflow_cache"
        ).fetchall()
        broken_pairs = [
            seq for seq, row, body in pairs if not self._is_whole(PAIRS, row, body)
        ]
        broken_items = [
            (entity, row)
            for entity, row, body in items
            if not self._is_whole(ITEMS, f"{entity}|{row}", body)
        ]
        broken_workflows = [
            row for row, body in workflows if not self._is_whole(WORKFLOWS, row, body)
        ]
        broken = len(broken_pairs) + len(broken_items) + len(broken_workflows)
        opened = len(pairs) + len(items) + len(workflows) - broken
        return RowDamage(broken_pairs, broken_items, broken_workflows, opened)

    def put_all_aside(self, code: str, at_ms: int) -> None:
        """Put the words of all pairs aside without opening them."""
        self.rows.execute(
            "INSERT OR REPLACE INTO rejected_pairs"
            " SELECT pair_id, ?, ?, body FROM conversation_pairs"
            " WHERE body IS NOT NULL",
            (str(code), at_ms),
        )

    def put_sealed_aside(self, seq: int, code: str, at_ms: int) -> None:
        """Put the words of a pair aside without opening them."""
        self.rows.execute(
            "INSERT OR REPLACE INTO rejected_pairs"
            " SELECT pair_id, ?, ?, body FROM conversation_pairs WHERE seq = ?",
            (code, at_ms, seq),
        )

    def _is_whole(self, table: str, row: str, sealed: bytes) -> bool:
        try:
            self.sealer.open(table, row, sealed)
        except TamperedError:
            return False
        return True

    def _open_pair(self, row: Iterable[Any]) -> LocalPair:
        seq, pair_id, session_id, turn_index, chain, at_ms, sealed = row
        body = self.sealer.open(PAIRS, pair_id, sealed)
        return LocalPair(seq, UUID(pair_id), session_id, turn_index, chain, at_ms, body)

    def _put_aside(self, pair: LocalPair, code: str, at_ms: int) -> None:
        pair_id = str(pair.pair_id)
        self.rows.execute(
            "INSERT OR REPLACE INTO rejected_pairs VALUES (?, ?, ?, ?)",
            (
                pair_id,
                code,
                at_ms,
                self.sealer.seal(REJECTED, pair_id, pair.local_body),
            ),
        )


def hash_pair(pair: LocalPair) -> bytes:
    """Return the digest of a pair's words, for the chain."""
    sent = pair.outgoing_body
    return hash_words(pair.session_id, sent["user_text"], sent["assistant_text"])
