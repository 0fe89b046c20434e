"""The rule of the cloud, as small as it can be said; `test_sync_contract` holds it
against the real server over HTTP."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from gieok.device.wire import SyncReply, SyncRequest
from gieok.kernel.chain import (
    Position,
    advance_chain,
    hash_words,
    start_chain,
)
from gieok.sync.upload import Refusal, SentPair, decide_upload

PAIR = "conversation_pair"
MEMORY = "user_memory"
SETTINGS = "memory_settings"
Key = tuple[str, str | None]


class RefusedError(Exception):
    def __init__(self, status: int, code: str) -> None:
        self.status, self.code = status, code
        super().__init__(code)


@dataclass
class Cursor:
    up: Position
    taken: list[int] = field(default_factory=list)
    is_waiting: bool = False
    resolution: str | None = None


@dataclass
class CloudState:
    """What a backup of the cloud holds."""

    emptied: int = 0
    timeline: str = "0"
    head: int = 1
    floor: int = 0
    feed: list[tuple[int, str, str | None]] = field(default_factory=list)
    items: dict[Key, dict[str, Any]] = field(
        default_factory=lambda: {(SETTINGS, None): {"version": 0}}
    )
    deleted: set[str] = field(default_factory=set)
    cursors: dict[tuple[str, str], Cursor] = field(default_factory=dict)
    revoked: set[str] = field(default_factory=set)
    keeps: bool = True
    syncs: bool = True


@dataclass
class CloudModel:
    """One person's memory. `broken` names rules that a mutant leaves out."""

    broken: frozenset[str] = frozenset()
    state: CloudState = field(default_factory=CloudState)
    erased: set[str] = field(default_factory=set)
    """Outside of every backup, as the ledger is."""
    kept_twice: set[str] = field(default_factory=set)
    unwanted: set[str] = field(default_factory=set)
    """What it did not want to have, and said so."""
    now_ms: int = 1_790_000_000_000
    page: int = 4

    @property
    def epoch(self) -> str:
        return f"1.{self.state.emptied}.{self.state.timeline}"

    @property
    def floor(self) -> int:
        return 0 if "no_floor_check" in self.broken else self.state.floor

    def handle(self, request: SyncRequest) -> SyncReply:
        fields = json.loads(json.dumps(dict(request.fields)))
        try:
            body = getattr(self, f"_{request.kind}")(fields)
        except RefusedError as error:
            refused = {"error": {"code": error.code, "message": ""}}
            return SyncReply(error.status, refused)
        return SyncReply(200, json.loads(json.dumps(body)))

    # what happens in the cloud

    def put(self, entity: str, item_id: str | None, body: dict[str, Any]) -> None:
        self.state.items[entity, item_id] = body
        self._note(entity, item_id)

    def erase(self, entity: str, item_id: str) -> None:
        self.state.items.pop((entity, item_id), None)
        self.erased.add(item_id)
        self.state.deleted.add(item_id)
        self._note(entity, item_id)

    def erase_person(self) -> None:
        for entity, item_id in list(self.state.items):
            if item_id is not None:
                self.erase(entity, item_id)
        self.state.emptied = self.state.head

    def resolve(self, choose: Callable[[], str]) -> None:
        """Have somebody decide about every device that waits for that."""
        for cursor in self.state.cursors.values():
            if cursor.is_waiting and cursor.resolution is None:
                cursor.resolution = choose()

    def trim(self, floor: int) -> None:
        """Remove the oldest changes, whoever has not heard of them yet."""
        self.state.floor = floor
        self.state.feed = [each for each in self.state.feed if each[0] > floor]

    def back_up(self) -> CloudState:
        return copy.deepcopy(self.state)

    def restore(self, backup: CloudState, timeline: str) -> None:
        revoked, emptied = self.state.revoked, self.state.emptied
        self.state = copy.deepcopy(backup)
        self.state.revoked |= revoked  # the ledger is replayed before traffic
        self.state.emptied = max(emptied, self.state.emptied)
        if "no_epoch_on_restore" not in self.broken:
            self.state.timeline = timeline
        for entity, item_id in list(self.state.items):
            if item_id in self.erased:
                self.erase(entity, item_id)
        self.state.deleted |= self.erased

    def _note(self, entity: str, item_id: str | None) -> None:
        self.state.head += 1
        self.state.feed.append((self.state.head, entity, item_id))

    # the exchange

    def _hello(self, said: dict[str, Any]) -> dict[str, Any]:
        key = (said["device_id"], said["incarnation"])
        self._require_alive(said)
        start = start_chain(UUID(said["incarnation"]))
        cursor = self.state.cursors.setdefault(key, Cursor(start))
        up = _read(said["up"])
        cursor.is_waiting |= said.get("waiting") is not None
        if up.seq == cursor.up.seq and up.chain != cursor.up.chain:
            raise RefusedError(409, "sync_fork")
        oldest = max(self.floor, 1)
        is_whole = oldest <= said["down"] <= self.state.head
        stale = said["epoch"] != self.epoch or not is_whole
        actions = ["snapshot"] if stale else []
        if cursor.resolution:
            actions = [*actions, cursor.resolution]
        return {
            "epoch": self.epoch,
            "up": _spell(cursor.up),
            "head": self.state.head,
            "server_ms": self.now_ms,
            "limits": {
                "pairs": 5,
                "bytes": 1_000_000,
                "resolutions": ["send", "discard"],
            },
            "actions": actions if self.state.syncs else ["wipe", *actions],
        }

    def _push(self, said: dict[str, Any]) -> dict[str, Any]:
        cursor = self._find_cursor(said)
        base = _read(said["base"])
        sent = [_to_sent(each) for each in said["pairs"]]
        plan = decide_upload(cursor.up, base, sent)
        if plan is Refusal.GAP and "gap_accepted" in self.broken:
            at = Position(sent[-1].seq, base.chain)
            cursor.up, cursor.taken = at, [*cursor.taken, *(e.seq for e in sent)]
            return {"up": _spell(at), "head": self.state.head, "rejected": []}
        if plan is Refusal.FORK and "no_fork_detection" in self.broken:
            return {"up": _spell(_end(base, sent)), "head": 0, "rejected": []}
        if isinstance(plan, Refusal):
            raise RefusedError(409, f"sync_{plan}")
        if "ack_before_commit" in self.broken and self.state.head % 3 == 0:
            answer = _spell(plan.after)
            return {"up": answer, "head": self.state.head, "rejected": []}
        rejected: list[dict[str, Any]] = []
        for number, pair in enumerate(said["pairs"]):
            code = self._keep(pair, is_new=number >= plan.known)
            if number >= plan.known:
                cursor.taken.append(pair["seq"])
            if code:
                rejected.append({"seq": pair["seq"], "code": code})
        cursor.up = plan.after
        return {
            "up": _spell(plan.after),
            "head": self.state.head,
            "rejected": rejected,
        }

    def _keep(self, pair: dict[str, Any], *, is_new: bool) -> str | None:
        pair_id = pair["pair_id"]
        if (PAIR, pair_id) in self.state.items:
            if is_new and "no_dedup" in self.broken:
                self.kept_twice.add(pair_id)
            return None
        if pair_id in self.state.deleted and "ledger_unchecked" not in self.broken:
            return "erased"
        if not is_new:
            return "invalid" if "BAD" in pair["user_text"] else "not_kept"
        if "BAD" in pair["user_text"] or not self.state.keeps:
            self.unwanted.add(pair_id)
            return "invalid" if "BAD" in pair["user_text"] else "consent"
        words = {name: pair[name] for name in ("user_text", "assistant_text")}
        self.put(PAIR, pair_id, words | {"pair_id": pair_id})
        return None

    def _pull(self, said: dict[str, Any]) -> dict[str, Any]:
        self._find_cursor(said)
        since = int(said["since"])
        if not self.floor <= since <= self.state.head:
            raise RefusedError(409, "sync_epoch")
        found = [each for each in self.state.feed if each[0] > since][: self.page]
        to = found[-1][0] if len(found) == self.page else self.state.head
        if "visibility_gap" in self.broken and len(found) > 2:
            del found[1]
        page = {"since": since, "to": to, "head": self.state.head}
        if not self.state.syncs:
            return page | {
                "epoch": self.epoch,
                "to": since,
                "wipe": True,
                "changes": [],
            }
        changes = [self._spell_item((entity, each)) for _, entity, each in found]
        return page | {"epoch": self.epoch, "wipe": False, "changes": changes}

    def _snapshot(self, said: dict[str, Any]) -> dict[str, Any]:
        self._find_cursor(said)
        if not self.state.syncs:
            end = {"next_page": None, "wipe": True, "items": []}
            return end | {"epoch": self.epoch, "seq": 0}
        seq, at = map(int, said.get("page", f"{self.state.head}-0").split("-"))
        ids = sorted(self.state.items, key=str)
        # By the id after which it goes on, as the real one: not by a place in a list.
        if "page" in said:
            at = sum(_rank(each) <= at for each in ids)
        part = ids[at : at + self.page]
        is_last = at + self.page >= len(ids)
        return {
            "epoch": self.epoch,
            "seq": seq,
            "next_page": None if is_last else f"{seq}-{_rank(part[-1])}",
            "wipe": False,
            "items": [self._spell_item(each) for each in part],
        }

    def _ack(self, said: dict[str, Any]) -> dict[str, Any]:
        self._find_cursor(said)
        if said["down"] > self.state.head:
            raise RefusedError(409, "sync_epoch")
        return {}

    def _spell_item(self, key: Key) -> dict[str, Any]:
        item = self.state.items.get(key)
        if item is not None and key[0] == PAIR:
            until = datetime.fromtimestamp(self.now_ms / 1000 + 10**9, UTC)
            item = item | {"retention_until": until.isoformat()}
        operation = "delete" if item is None else "put"
        return {"entity": key[0], "id": key[1], "operation": operation, "item": item}

    def _require_alive(self, said: dict[str, Any]) -> None:
        if said["device_id"] in self.state.revoked:
            raise RefusedError(410, "device_gone")
        epoch = said["epoch"]
        if epoch and int(epoch.split(".")[1]) < self.state.emptied:
            raise RefusedError(410, "device_gone")

    def _find_cursor(self, said: dict[str, Any]) -> Cursor:
        self._require_alive(said)
        cursor = self.state.cursors.get((said["device_id"], said["incarnation"]))
        if cursor is None or cursor.resolution:
            raise RefusedError(409, "sync_unknown")
        if said["epoch"] != self.epoch:
            raise RefusedError(409, "sync_epoch")
        return cursor


def _rank(key: Key) -> int:
    """Return a number of an id that has the order of its spelling."""
    return int.from_bytes(str(key).encode()[:96].ljust(96, b"\0"), "big")


def _read(spelled: dict[str, Any]) -> Position:
    return Position(spelled["seq"], bytes.fromhex(spelled["chain"]))


def _spell(at: Position) -> dict[str, Any]:
    return {"seq": at.seq, "chain": at.chain.hex()}


def _to_sent(pair: dict[str, Any]) -> SentPair:
    words = hash_words(pair["session"], pair["user_text"], pair["assistant_text"])
    return SentPair(pair["seq"], UUID(pair["pair_id"]), words)


def _end(base: Position, sent: list[SentPair]) -> Position:
    at = base
    for each in sent:
        at = advance_chain(at, each.pair_id, each.words)
    return at
