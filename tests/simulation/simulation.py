"""Histories of devices and a cloud from a seed, every invariant checked at every step.

The devices are the production classes on SQLite in memory; clock, ids, chance, network
and storage are the simulation's. A seed is replayed, and told step by step, by

    make sim SEEDS=1 FIRST=<seed>
"""

import random
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import apsw
from cloud_model import MEMORY, PAIR, SETTINGS, CloudModel, CloudState
from torn_disk import PowerGoneError, TornDisk

from gieok.device import Device, DeviceFault, DeviceStatus, SpokenTurn
from gieok.device.connection import RowConnection
from gieok.device.device import MaskedTurn
from gieok.device.engine import (
    build_next_request,
    describe_conflict,
    refresh_status,
)
from gieok.device.file import DeviceFile, open_rows
from gieok.device.sealing import BodySealer
from gieok.device.wire import NO_ANSWER, SyncReply, SyncRequest
from gieok.kernel.errors import DataDirectoryError

STEPS = 70
TORN = 3
"""Every so many histories are on disks that tear what was not synced."""
AHEAD = 2
"""Every so many histories ask for the next page while one is applied."""
RESOLVING, RESOLVED = 4, 3
"""Of so many histories one has devices that wait for somebody to decide."""
ROUNDS = 40
TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000
DAY_MS = 24 * 60 * 60 * 1000
SEALER = BodySealer(bytes(32))
HALF, REST, HIDDEN = "앞 ", "뒤 ", "가림"
"""What two parts of a number begin with, and what is left once both are said."""


class PowerCutError(Exception):
    """The device lost its power here."""


class ViolationError(AssertionError):
    """A history in which an invariant does not hold."""


@dataclass(slots=True)
class SimulatedFile(DeviceFile):
    """Loses its power before or after a commit, when the world says so."""

    cut: Callable[[], str | None] = field(default=lambda: None)

    @contextmanager
    def begin(self) -> Generator[RowConnection]:
        when = self.cut()
        # Not super(): a slotted dataclass is another class than the one it names.
        with DeviceFile.begin(self) as rows:
            yield rows
            if when == "before":
                raise PowerCutError
        if when == "after":
            raise PowerCutError


@dataclass
class Lineage:
    """A device in somebody's hand, and what the world remembers of it."""

    device: Device
    name: str
    jump_ms: int = 0
    backup: bytes | None = None
    place: tuple[str | None, int] = (None, 0)
    was_withheld: bool = False
    disk: TornDisk | None = None
    """What its file is on; None in memory, where a power cut tears nothing."""
    ahead: tuple[SyncRequest, SyncReply] | None = None
    """What was asked while the last answer was applied, and what came back."""


@dataclass
class World:
    seed: int
    broken: frozenset[str] = frozenset()
    tell: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 - a seeded one is wanted
        self.cloud = CloudModel(self.broken)
        self.neighbour = CloudModel(self.broken)
        """Another person's memory on the same server."""
        self.neighbour.put(MEMORY, str(UUID(int=1)), {"content": "남의 것"})
        if "people_share_devices" in self.broken:
            self.neighbour.state.cursors = self.cloud.state.cursors
        self.lineages: list[Lineage] = []
        self.words: dict[str, str] = {}
        self.owed: set[str] = set()
        """Pairs that may not be lost."""
        self.halves: dict[str, set[str]] = {}
        """By the rest of a number, which pairs had its first part."""
        self.sent_open: set[str] = set()
        self.may_fork = False
        """Something happened of which a device may become another one."""
        self.late: list[SyncRequest] = []
        self.backups: list[CloudState] = []
        self.faults = 0.25
        self.cuts = 0.05
        self.is_torn = self.seed % TORN == 0
        self.is_ahead = self.seed % AHEAD == 1
        for name in ("speaker", "phone"):
            self._add(name)

    # devices

    def new_id(self) -> UUID:
        return UUID(int=self.rng.getrandbits(128), version=4)

    def _add(self, name: str, data: bytes | None = None) -> Lineage:
        disk, rows = self._open_rows(data)
        lineage = Lineage(self._boot(rows, name), name, disk=disk)
        self.lineages.append(lineage)
        lineage.device.clock_ms = lambda: self.cloud.now_ms + lineage.jump_ms
        return lineage

    def _open_rows(self, data: bytes | None) -> tuple[TornDisk | None, RowConnection]:
        """Return rows that hold what is given, or nothing, and the disk they are on."""
        if self.is_torn:
            disk = TornDisk()
            return disk, disk.open(data)
        return None, open_rows(":memory:") if data is None else _load(data)

    def _lose_power(self, lineage: Lineage) -> None:
        """Start a device again, with what its disk still has."""
        self.tell(f"{lineage.name}: power cut")
        if lineage.disk is None:
            self._reboot(lineage)
            return
        lineage.disk = lineage.disk.survive(self.rng)
        self._reboot(lineage, lineage.disk.open())

    def _boot(self, rows: RowConnection, name: str) -> Device:
        file = SimulatedFile(rows, SEALER)
        device = Device(
            file,
            name,
            lambda: self.cloud.now_ms,
            self.new_id,
            self.rng.random,
            _mask_parts,
        )
        file.cut = self._draw_cut
        return device

    def _draw_cut(self) -> str | None:
        if self.rng.random() >= self.cuts:
            return None
        return self.rng.choice(["before", "after"])

    def _reboot(self, lineage: Lineage, rows: RowConnection | None = None) -> None:
        clock = lineage.device.clock_ms
        lineage.device = self._boot(
            rows or lineage.device.file.connection, lineage.name
        )
        lineage.device.clock_ms = clock

    @contextmanager
    def _powered(self, lineage: Lineage) -> Generator[None]:
        disk, is_cut = lineage.disk, False
        if disk is not None and self.rng.random() < self.cuts * 2:
            disk.left = self.rng.randrange(16)
        try:
            yield
        except PowerCutError:
            is_cut = True
        except (PowerGoneError, DataDirectoryError):
            if disk is None or not disk.is_dead:
                raise
        if is_cut or (disk is not None and disk.is_dead):
            self._lose_power(lineage)
        elif disk is not None:
            disk.left = None

    # what happens

    def says(self, lineage: Lineage) -> None:
        pair_id, text = self.new_id(), f"말 {self.rng.getrandbits(32)}"
        text = self.rng.choice([HALF, REST, "", ""]) + text
        if self.rng.random() < 0.08:
            text += " BAD"
        if lineage.device.cursor.error is DeviceFault.GONE:
            return
        was_returned, before = False, _list_words(lineage.device)
        shown = _list_texts(lineage.device)
        with self._powered(lineage):
            lineage.device.record(SpokenTurn(text, "네"), pair_id=pair_id)
            was_returned = True
        there = _list_words(lineage.device)
        _require(before <= there, "P7: a power cut took what was on the disk")
        if str(pair_id) in there:
            self.words[str(pair_id)] = text
            self.owed.add(str(pair_id))
            now = _list_texts(lineage.device)
            self.halves[str(pair_id)] = {
                each for each in shown if now[each] != shown[each]
            }
        _require(
            not was_returned or str(pair_id) in there, "P7: what was returned is lost"
        )

    def exchange(self, lineage: Lineage, *, is_polling: bool = False) -> bool:
        """Ask one thing over a bad network; return whether anything was asked."""
        request = lineage.device.find_request(is_polling=is_polling)
        if request is None:
            return False
        self._check_sent(request)
        request, reply = self._ask(lineage, request)
        reply = replace(reply, at_ms=lineage.device.clock_ms())
        self.tell(f"{lineage.name}: {request.kind} -> {reply.status} {reply.code}")
        gone = reply.status == 410
        if gone or "discard" in reply.body.get("actions", ()):
            self._forgive(lineage)
        is_whole = _has_all_words(lineage.device)
        with self._powered(lineage):
            wait_s = lineage.device.apply_reply(request, reply)
            if is_whole and not self.may_fork:
                self._check_fork(lineage, request)
            _require(0 <= wait_s <= 300, "back-off out of bounds")
        return True

    def _check_sent(self, request: SyncRequest) -> None:
        for pair in request.fields.get("pairs", ()):
            pair_id, text = pair["pair_id"], pair["user_text"]
            if text.startswith(HALF):
                self.sent_open.add(pair_id)
            halves = self.halves.get(pair_id)
            is_joined = not halves or halves & self.sent_open
            is_open = text.startswith(REST)
            _require(not is_open or bool(is_joined), "P14: a part that nothing joins")

    def _ask(
        self, lineage: Lineage, request: SyncRequest
    ) -> tuple[SyncRequest, SyncReply]:
        """Return the answer, or one that was asked for ahead and comes only now.

        `SyncLoop` throws that away unless it is to just this; the engine holds it
        against where the device stands, even after a power cut.
        """
        ahead = lineage.ahead
        if ahead is not None and ahead[0].kind == request.kind:
            lineage.ahead = None
            request, reply = ahead
        else:
            reply = self._carry(request)
        following = build_next_request(request, reply) if self.is_ahead else None
        if following is not None:
            lineage.ahead = following, self._carry(following)
        return request, reply

    def _carry(self, request: SyncRequest) -> SyncReply:
        chance = self.rng.random
        if chance() < self.faults:
            if chance() < 0.3:
                self.late.append(request)
            return SyncReply(self.rng.choice([NO_ANSWER, 503, 429]))
        if chance() < self.faults / 2:
            self.cloud.handle(request)
        reply = self.cloud.handle(request)
        return SyncReply(NO_ANSWER) if chance() < self.faults else reply

    def _check_fork(self, lineage: Lineage, request: SyncRequest) -> None:
        device = lineage.device
        state = device.cursor.conflict_state or {}
        has_forked = request.incarnation != device.cursor.incarnation
        is_copy = has_forked and state.get("kind") == "fork"
        _require(not is_copy, "P15: a fork of what nobody copied")

    def delivers_late(self) -> None:
        if self.late:
            self.may_fork = True
            at = self.rng.randrange(len(self.late))
            self.cloud.handle(self.late.pop(at))

    def skips_numbers(self, lineage: Lineage) -> None:
        """A hostile client: what it sends does not follow what it has sent."""
        request = lineage.device.find_request()
        if request is None or request.kind != "push":
            return
        pairs = [each | {"seq": each["seq"] + 3} for each in request.fields["pairs"]]
        base = request.fields["base"]
        skipped = base | {"seq": base["seq"] + 3}
        fields = {**request.fields, "base": skipped, "pairs": pairs}
        self.cloud.handle(SyncRequest(request.kind, request.incarnation, fields))

    def asks_as_neighbour(self, lineage: Lineage) -> None:
        """Ask with another person's token for what this device asks."""
        request = lineage.device.find_request(is_polling=True)
        if request is None or request.kind == "hello":
            return
        before = self.neighbour.back_up()
        reply = self.neighbour.handle(request)
        _require(400 <= reply.status < 500, "P8: another person's device is served")
        _require(self.neighbour.state == before, "P8: another person's memory changed")

    def clones(self, lineage: Lineage) -> None:
        self.may_fork = True
        if len(self.lineages) < 5:
            clone = self._add(lineage.name, _serialize(lineage.device))
            clone.was_withheld = lineage.was_withheld

    def backs_up(self, lineage: Lineage) -> None:
        lineage.backup = _serialize(lineage.device)

    def is_restored(self, lineage: Lineage) -> None:
        """The phone is restored from its backup: what it said since is lost there."""
        if lineage.backup is None:
            return
        self.may_fork = True
        self._forgive(lineage)
        lineage.disk, rows = self._open_rows(lineage.backup)
        self._reboot(lineage, rows)
        lineage.place = (None, 0)

    def is_installed_anew(self, lineage: Lineage) -> None:
        self._forgive(lineage)
        lineage.disk, rows = self._open_rows(None)
        self._reboot(lineage, rows)
        lineage.place, lineage.backup = (None, 0), None

    def _forgive(self, lineage: Lineage) -> None:
        """What only this device has may be lost now."""
        others = [each for each in self.lineages if each is not lineage]
        self._forgive_all_but(others)

    def _forgive_all_but(self, lineages: list[Lineage]) -> None:
        found = {item_id for _, item_id in self.cloud.state.items if item_id}
        for each in lineages:
            found |= _list_words(each.device)
        self.owed &= found

    def cloud_changes(self) -> None:
        cloud, rng = self.cloud, self.rng
        memories = [each for each in cloud.state.items if each[0] == MEMORY]
        which = rng.random()
        if which < 0.5:
            item_id = str(self.new_id())
            cloud.put(MEMORY, item_id, {"id": item_id, "content": "좋아하는 것"})
        elif which < 0.7 and memories:
            entity, item_id = rng.choice(memories)
            cloud.put(entity, item_id, {"id": item_id, "content": rng.random()})
        else:
            cloud.put(SETTINGS, None, {"version": rng.getrandbits(16)})

    def cloud_forgets(self) -> None:
        found = [each for each in self.cloud.state.items if each[0] in {MEMORY, PAIR}]
        if found:
            entity, item_id = self.rng.choice(found)
            assert item_id is not None
            self.cloud.erase(entity, item_id)

    def cloud_trims(self) -> None:
        state = self.cloud.state
        self.cloud.trim(self.rng.randint(state.floor, max(state.floor, state.head - 1)))

    def cloud_backs_up(self) -> None:
        self.backups.append(self.cloud.back_up())

    def cloud_is_restored(self) -> None:
        if self.backups:
            backup = self.rng.choice(self.backups)
            self.cloud.restore(backup, f"{self.rng.getrandbits(60):x}")
            self._forgive_all_but(self.lineages)

    def consent_changes(self) -> None:
        state = self.cloud.state
        if self.rng.random() < 0.5:
            state.keeps = not state.keeps
        else:
            state.syncs = not state.syncs

    def person_is_erased(self) -> None:
        self.cloud.erase_person()

    def device_is_shut_out(self, lineage: Lineage) -> None:
        self.cloud.state.revoked.add(lineage.name)

    def time_passes(self) -> None:
        self.cloud.now_ms += self.rng.randrange(3 * DAY_MS)

    def clock_jumps(self, lineage: Lineage) -> None:
        lineage.jump_ms = self.rng.randrange(-TEN_YEARS_MS, TEN_YEARS_MS)

    def somebody_resolves(self, lineage: Lineage) -> None:
        with self._powered(lineage):
            if lineage.device.cursor.error is DeviceFault.GONE:
                lineage.device.resolve()

    def waits_for_somebody(self, lineage: Lineage) -> None:
        """It forked so often that it goes on only when somebody decides."""
        rows, cursor = lineage.device.rows, lineage.device.cursor
        if cursor.error is DeviceFault.GONE:
            return
        conflict = describe_conflict(cursor, "fork", None)
        conflict["resolution"] = "needs_user"
        with DeviceFile.begin(lineage.device.file):
            waiting = replace(cursor, conflict_state=conflict)
            rows.save_cursor(refresh_status(waiting, lineage.device.link))

    def somebody_decides(self) -> None:
        self.cloud.resolve(lambda: self.rng.choice(["send", "discard"]))

    # histories

    def run(self) -> None:
        one: dict[Callable[[Lineage], Any], float] = {
            self.says: 26,
            self.exchange: 50,
            self.skips_numbers: 2,
            self.asks_as_neighbour: 2,
            self.clones: 0.6,
            self.backs_up: 1.5,
            self.is_restored: 1.2,
            self.is_installed_anew: 0.6,
            self.device_is_shut_out: 0.15,
            self.clock_jumps: 1,
            self._lose_power: 2,
            self.somebody_resolves: 0.5,
        }
        whole: dict[Callable[[], None], float] = {
            self.cloud_changes: 8,
            self.cloud_forgets: 4,
            self.cloud_trims: 2,
            self.cloud_backs_up: 1.5,
            self.cloud_is_restored: 1,
            self.consent_changes: 0.8,
            self.person_is_erased: 0.15,
            self.time_passes: 2,
            self.delivers_late: 3,
        }
        if self.seed % RESOLVING == RESOLVED:
            one[self.waits_for_somebody] = 2
            whole[self.somebody_decides] = 2
        events = [*one, *whole]
        weights = [*one.values(), *whole.values()]
        for _ in range(STEPS):
            (event,) = self.rng.choices(events, weights)
            lineage = self.rng.choice(self.lineages)
            name = event.__name__
            self.tell(f"{lineage.name}: {name}" if event in one else name)
            if event in one:
                for _ in range(self.rng.choice([1, 1, 6]) if "exch" in name else 1):
                    event(lineage)  # pyright: ignore[reportCallIssue]
            else:
                event()  # pyright: ignore[reportCallIssue]
            self.check()
        self.quiesce()

    def quiesce(self) -> None:
        """Stop all faults: everything drains, and everybody has the same (P4, P9)."""
        self.tell("--- faults stop")
        self.faults = self.cuts = 0.0
        self.may_fork |= bool(self.late)
        for request in self.late:
            self.cloud.handle(request)
        for _ in range(ROUNDS):
            self.somebody_decides()
            for each in self.lineages:
                for _ in range(60):
                    if not self.exchange(each):
                        break
                    self.check()
                self.exchange(each, is_polling=True)
                self.check()
            if all(self._is_at_rest(each) for each in self.lineages):
                break
        else:
            raise ViolationError("P9: queues do not drain")
        self.check_end()

    def _is_at_rest(self, lineage: Lineage) -> bool:
        cursor = lineage.device.cursor
        if cursor.error is DeviceFault.GONE:
            return True
        is_current = cursor.is_withheld or (
            cursor.last_cloud_update_seq == self.cloud.state.head
        )
        return cursor.sync_status is DeviceStatus.OK and is_current

    # invariants

    def check(self) -> None:
        cloud = self.cloud
        live = {item_id for _, item_id in cloud.state.items if item_id}
        _require(not live & cloud.erased, "P5: an erased thing is in the cloud again")
        _require(not cloud.kept_twice, "P2: a pair is kept twice")
        for (entity, item_id), body in cloud.state.items.items():
            if entity == PAIR and item_id:
                said = self.words.get(item_id)
                is_same = body["user_text"] in {said, _hide(said or "")}
                _require(is_same, "P2: not what was said")
        for cursor in cloud.state.cursors.values():
            count = len(cursor.taken)
            _require(cursor.taken == list(range(1, count + 1)), "P3: a gap")
        for each in self.lineages:
            self._check_device(each)
            if each.device.cursor.sync_status is DeviceStatus.OK:
                bodies = [pair.body for pair in each.device.rows.list_pairs(0)]
                is_open = any("said" in body for body in bodies)
                _require(not is_open, "P14: what was sent is left open")

    def _check_device(self, lineage: Lineage) -> None:
        device, cloud = lineage.device, self.cloud
        cursor = device.cursor
        if cursor.epoch == cloud.epoch:
            known = cloud.state.cursors.get((lineage.name, str(cursor.incarnation)))
            taken = known.up.seq if known else 0
            _require(cursor.last_pair_seq <= taken, "P1: acknowledged, and not there")
        seqs = [
            row[0]
            for row in device.file.connection.execute(
                "SELECT seq FROM conversation_pairs ORDER BY seq"
            )
        ]
        if seqs:
            whole = list(range(seqs[0], cursor.newest_seq + 1))
            _require(seqs == whole, "P3: a number is missing on the device")
        epoch, down = lineage.place
        if cursor.epoch == epoch and not cursor.is_withheld:
            is_back = cursor.last_cloud_update_seq < down
            was_emptied = cursor.last_cloud_update_seq == 0
            _require(not is_back or was_emptied, "P6: it went back")
        lineage.place = (cursor.epoch, cursor.last_cloud_update_seq)
        lineage.was_withheld |= cursor.is_withheld
        if not lineage.was_withheld:
            cleared = {
                row[0]
                for row in device.file.connection.execute(
                    "SELECT pair_id FROM conversation_pairs WHERE body IS NULL"
                )
            }
            lost = cleared - cloud.erased - cloud.unwanted
            _require(not lost, "P12: words are not retained")
        if cursor.sync_status is DeviceStatus.OK:
            _require(cursor.last_pair_seq == cursor.newest_seq, "P13: not all is up")
            _require(cursor.conflict_state is None, "P13: a conflict is left")

    def check_end(self) -> None:
        cloud = self.cloud
        expected = {
            (entity, item_id or ""): _strip(body)
            for (entity, item_id), body in cloud.state.items.items()
        }
        rejected: set[str] = set()
        for each in self.lineages:
            device = each.device
            items = {
                (item.entity, item.item_id): _strip(item.body or {})
                for item in device.rows.iterate_items()
            }
            is_gone = device.cursor.error is DeviceFault.GONE
            is_empty = is_gone or not cloud.state.syncs
            # What was masked here comes down again only where the cloud masks it.
            masked = set[str]().union(*self.halves.values()) - {key[1] for key in items}
            there = {k: body for k, body in expected.items() if k[1] not in masked}
            _require(items == ({} if is_empty else there), "P4: not the same")
            left = _list_words(device)
            _require(not left & cloud.erased, "P5: erased words on a device")
            rejected |= {
                row[0]
                for row in device.file.connection.execute(
                    "SELECT pair_id FROM rejected_pairs"
                )
            }
            if is_gone:
                _require(not left, "P5: words on a device that was shut out")
        there = {item_id for _, item_id in cloud.state.items if item_id}
        lost = self.owed - there - cloud.erased - rejected - cloud.unwanted
        _require(not lost, f"P11, P12: {len(lost)} pairs are lost")


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ViolationError(what)


def _strip(body: Any) -> dict[str, Any]:
    return {name: body[name] for name in body if name != "retention_until"}


def _list_words(device: Device) -> set[str]:
    return {str(pair.pair_id) for pair in device.rows.list_pairs(0)}


def _list_texts(device: Device) -> dict[str, str]:
    pairs = device.rows.list_pairs(0)
    return {str(pair.pair_id): pair.body["user_text"] for pair in pairs}


def _has_all_words(device: Device) -> bool:
    """Tell whether the words of every number are there."""
    row = device.file.connection.execute(
        "SELECT count(*) FROM conversation_pairs WHERE body IS NOT NULL"
    ).fetchone()
    return row is not None and row[0] == device.cursor.newest_seq


def _hide(text: str) -> str:
    return HIDDEN if text.startswith((HALF, REST)) else text


def _mask_parts(turn: SpokenTurn, before: Sequence[str]) -> MaskedTurn:
    """Mask both parts of a number where the second follows the first."""
    has_half = any(each.startswith(HALF) for each in before)
    if not has_half or not turn.user_text.startswith(REST):
        return MaskedTurn(turn, before)
    heard = [HIDDEN if each.startswith(HALF) else each for each in before]
    return MaskedTurn(replace(turn, user_text=HIDDEN), heard)


def _serialize(device: Device) -> bytes:
    rows: Any = device.file.connection
    return bytes(rows.serialize("main"))


def _load(data: bytes) -> RowConnection:
    rows: Any = apsw.Connection(":memory:")
    rows.deserialize("main", data)
    return rows


def run_seed(
    seed: int,
    broken: frozenset[str] = frozenset(),
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Run one history.

    Raises:
        ViolationError: an invariant does not hold in it.
    """
    World(seed, broken, tell).run()


def main(arguments: list[str]) -> int:
    """Run `count` histories from `first` on; with one of them, tell it.

    Further words are rules that the cloud leaves out; `--stop` ends at the first fault.
    """
    count, first = int(arguments[0]), int(arguments[1])
    is_stopping = "--stop" in arguments
    broken = frozenset(arguments[2:]) - {"--stop"}
    failed = 0
    for seed in range(first, first + count):
        told: list[str] = []
        try:
            run_seed(seed, broken, told.append)
        except Exception as error:  # noqa: BLE001 - any of them fails the seed
            failed += 1
            print(f"seed {seed}: {error!r}", flush=True)  # noqa: T201
            if count == 1:
                print("\n".join(told))  # noqa: T201
            if is_stopping:
                break
    print(f"{count} histories from {first}: {failed} failed")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
