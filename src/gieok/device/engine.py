"""What a device asks next, and what it does on an answer: pure, without any input.

A step reads the cursor, asks one thing, and applies the answer in one transaction.
Nothing here reads a clock to order anything; whatever is asked twice, or answered late,
changes nothing that was not to be changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from gieok.device.model import (
    DeviceCursor,
    DeviceFault,
    DeviceStatus,
    DownloadedItem,
    LocalPair,
)
from gieok.device.wire import (
    NO_ANSWER,
    ConflictChoice,
    HelloAnswer,
    PageAnswer,
    PartAnswer,
    PushAnswer,
    RequestKind,
    SyncReply,
    SyncRequest,
    encode_hello,
    encode_identity,
    encode_position,
    encode_push,
)
from gieok.kernel.chain import Position

LONGEST_WAIT_S: Final = 25.0
"""After a failure. A request that hangs is given up after 30 s: so however long the
cloud was away, a device is heard again within a minute of its coming back."""
_VERSION_WAIT_S: Final = 300.0
MAX_FORKS: Final = 4
"""Forks in a row that a device resolves by itself."""
_CLOCK_DRIFT_MS: Final = 60 * 60 * 1000
_UNAUTHORIZED: Final = frozenset({401, 403})
_LATER: Final = frozenset({NO_ANSWER, 408, 425, 429})
_TOO_SLOW: Final = frozenset({NO_ANSWER, 408, 504})
"""What comes back where a body does not get through in time."""
_TOO_LARGE: Final = 413
_ENCODING: Final = "content-encoding"
_PAIR_FIELDS: Final = "pairs."
"""What the name of a field of a pair begins with."""


@dataclass(frozen=True, slots=True)
class Link:
    """What is known of the cloud since it last greeted; lost with the process."""

    is_greeted: bool = False
    epoch: str | None = None
    needs_snapshot: bool = False
    head: int = 0
    acked: int = -1
    failures: int = 0
    offered_pairs: int = 50
    max_pairs: int = 50
    """That a push has now: half once one is refused or too slow, twice as many once one
    is kept."""
    max_bytes: int = 262_144
    encodings: tuple[str, ...] = ()
    is_plain: bool = False
    """A compressed body was refused: none is sent any more."""
    wait_s: int = 0
    hears_waiting: bool = False
    """It may be told what waits for somebody to resolve a conflict."""
    was_told_waiting: bool = False


# What is done on an answer, all of it in one transaction.


@dataclass(frozen=True, slots=True)
class SetCursor:
    """Keep other figures of the cursor."""

    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AcceptPairs:
    """The cloud has taken what was said up to here, but for what it rejects."""

    up: Position
    rejected: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class BeginIncarnation:
    """Become another installation that sends all it still has, under the same ids."""

    conflict: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ResolveConflict:
    """Do what somebody decided about the conflict, as another installation."""

    resolution: ConflictChoice


@dataclass(frozen=True, slots=True)
class SetAsidePair:
    """The cloud cannot read the pair that is next: put it aside, number the rest."""

    seq: int


@dataclass(frozen=True, slots=True)
class NumberAnew:
    """Number what the cloud lacks by the words that it will be sent."""


@dataclass(frozen=True, slots=True)
class StagePart:
    """Keep a part of a whole copy; with `is_last`, put the copy in place."""

    part: PartAnswer
    is_first: bool


@dataclass(frozen=True, slots=True)
class ApplyPage:
    """Apply a page wholly, and stand where it ends."""

    items: tuple[DownloadedItem, ...]
    to: int


@dataclass(frozen=True, slots=True)
class WipeItems:
    """Erase what came down: nothing may be here."""

    epoch: str


@dataclass(frozen=True, slots=True)
class DropOld:
    """Note what the cloud has by this time, and erase what it has had for long."""

    server_ms: int


@dataclass(frozen=True, slots=True)
class EmptyFile:
    """Erase everything, the key too, and begin empty."""

    is_gone: bool = True
    """Nothing is asked any more; else what is said from then on goes up again."""


_RESTAGE: Final = SetCursor({"staged_epoch": None, "staged_page": None})
_WITHHOLD: Final = SetCursor({"is_withheld": True})
Effect = (
    SetCursor
    | AcceptPairs
    | BeginIncarnation
    | ResolveConflict
    | SetAsidePair
    | NumberAnew
    | StagePart
    | ApplyPage
    | WipeItems
    | DropOld
    | EmptyFile
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do on an answer, what is then known of the cloud, how long to wait."""

    link: Link
    effects: tuple[Effect, ...] = ()
    wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class PairHistory:
    """What the rule asks of the pairs that were said: nothing of their words."""

    find_position: Callable[[int, UUID], Position | None]
    has_words: Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Reception:
    """An answer that came in, and all that is decided by; `draw` is from 0 to 1."""

    request: SyncRequest
    reply: SyncReply
    cursor: DeviceCursor
    link: Link
    history: PairHistory
    draw: Callable[[], float]

    def find_own_position(self, seq: int) -> Position | None:
        """Return where this installation itself stands at a number, if it was there."""
        return self.history.find_position(seq, self.cursor.incarnation)

    def move_link(self, **known: Any) -> Link:
        """Return the link with what is known by the answer: the cloud is there."""
        return replace(self.link, failures=0, **known)

    def restart(self, *effects: Effect) -> Decision:
        """Return to say hello at once: the answer fits nothing that is here."""
        return Decision(replace(self.link, is_greeted=False), effects)

    def fail(
        self,
        min_s: float = 0.0,
        *,
        error: DeviceFault | None = None,
        effects: tuple[Effect, ...] = (),
    ) -> Decision:
        """Return to wait, longer each time, and then to say hello."""
        failures = self.link.failures + 1
        wait = max(min_s, compute_wait(failures, self.draw))
        if error is not None:
            effects = (*effects, SetCursor({"error": error}))
        after = replace(self.link, is_greeted=False, failures=failures)
        return Decision(after, effects, wait)

    def fail_patiently(self, *effects: Effect) -> Decision:
        """Return to say hello at once where nothing failed before, or else as `fail`.

        One hello answers one refusal; only what is refused again and again waits.
        """
        waited = self.fail(effects=effects)
        return waited if self.link.failures else replace(waited, wait_s=0.0)


def compute_wait(failures: int, draw: Callable[[], float]) -> float:
    """Return seconds to wait after so many failures; `draw` is from 0 to 1.

    Exponential with full jitter, from a second to `LONGEST_WAIT_S`; never given up.
    """
    return draw() * min(LONGEST_WAIT_S, 2.0 ** min(failures - 1, 16))


def decide_request(
    cursor: DeviceCursor,
    link: Link,
    read_pairs: Callable[[int, int], Sequence[LocalPair]],
    *,
    is_polling: bool = False,
) -> SyncRequest | None:
    """Return what to ask next; None when all is in step, or a person must act.

    With `is_polling`, something is asked when all is in step too.
    """
    if cursor.error is DeviceFault.GONE:
        return None
    kind = _find_next(cursor, link, is_polling=is_polling)
    if kind is None:
        return None
    if kind is RequestKind.HELLO:
        fields = encode_hello(cursor, tells_waiting=link.hears_waiting)
    elif kind is RequestKind.SNAPSHOT:
        fields = encode_identity(cursor, link.epoch)
        if cursor.staged_epoch == link.epoch and cursor.staged_page is not None:
            fields["page"] = cursor.staged_page
    elif kind is RequestKind.PUSH:
        pairs = read_pairs(cursor.last_pair_seq, link.max_pairs)
        fields = encode_push(cursor, slice_batch(pairs, link.max_bytes))
    elif kind is RequestKind.PULL:
        fields = encode_identity(cursor, cursor.epoch)
        fields["since"] = cursor.last_cloud_update_seq
    else:
        down = {"down": cursor.last_cloud_update_seq}
        fields = encode_identity(cursor, cursor.epoch) | down
    return SyncRequest(kind, cursor.incarnation, fields)


def _find_next(  # noqa: PLR0911 - the order in which things are asked
    cursor: DeviceCursor, link: Link, *, is_polling: bool
) -> RequestKind | None:
    is_told = link.was_told_waiting or not link.hears_waiting
    if not link.is_greeted or (cursor.needs_person and not is_told):
        return RequestKind.HELLO
    if link.needs_snapshot:
        return RequestKind.SNAPSHOT
    if cursor.last_pair_seq < cursor.newest_seq and not cursor.needs_person:
        return RequestKind.PUSH
    if cursor.is_withheld:
        return RequestKind.HELLO if is_polling else None
    if cursor.last_cloud_update_seq < link.head:
        return RequestKind.PULL
    if link.acked != cursor.last_cloud_update_seq:
        return RequestKind.ACK
    return RequestKind.PULL if is_polling else None


def build_next_request(request: SyncRequest, reply: SyncReply) -> SyncRequest | None:
    """Return what is asked once a page or part is applied that has more behind it.

    None where the answer does not say so. It may be asked ahead: the answer to it is
    held against the cursor as any other.
    """
    body = reply.body
    if reply.status != 200 or body.get("wipe") is True:  # noqa: PLR2004 - HTTP
        return None
    if request.kind is RequestKind.PULL:
        to, head = body.get("to"), body.get("head")
        if type(to) is int and type(head) is int and to < head:
            return replace(request, fields={**request.fields, "since": to})
    if request.kind is RequestKind.SNAPSHOT and isinstance(body.get("next_page"), str):
        return replace(request, fields={**request.fields, "page": body["next_page"]})
    return None


def slice_batch(pairs: Sequence[LocalPair], max_bytes: int) -> Sequence[LocalPair]:
    """Return the first pairs that one body may hold; at least one."""
    size = 1_024
    for count, pair in enumerate(pairs):
        size += 512 + sum(len(str(each).encode()) for each in pair.body.values())
        if size > max_bytes and count:
            return pairs[:count]
    return pairs


def is_level(cursor: DeviceCursor, link: Link) -> bool:
    """Tell whether the cloud has all that was said, and all of it is here."""
    has_all = cursor.last_cloud_update_seq == link.head or cursor.is_withheld
    return (
        link.is_greeted
        and not link.needs_snapshot
        and cursor.last_pair_seq == cursor.newest_seq
        and has_all
    )


def refresh_status(cursor: DeviceCursor, link: Link) -> DeviceCursor:
    """Return the cursor with its status; a resolved conflict ends when all is level."""
    if cursor.error is not None:
        return replace(cursor, sync_status=DeviceStatus.ERROR)
    if is_level(cursor, link) and not cursor.needs_person:
        return replace(cursor, sync_status=DeviceStatus.OK, conflict_state=None)
    if cursor.conflict_state is not None:
        return replace(cursor, sync_status=DeviceStatus.CONFLICT)
    return replace(cursor, sync_status=DeviceStatus.PENDING)


def decide_effects(received: Reception) -> Decision:
    """Return what an answer asks for: nothing, if it is to another installation."""
    cursor, link = received.cursor, received.link
    if received.request.incarnation != cursor.incarnation:
        return Decision(Link(failures=link.failures))
    if received.reply.status == 200:  # noqa: PLR2004 - HTTP: it was done
        try:
            decision = _ANSWERED[received.request.kind](received)
        except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
            return received.fail(error=DeviceFault.REFUSED)
        if cursor.error is None:
            return decision
        cleared = SetCursor({"error": None})
        return replace(decision, effects=(cleared, *decision.effects))
    return _decide_refused(received)


def _decide_refused(  # noqa: PLR0911 - the table of the specification
    received: Reception,
) -> Decision:
    request, reply = received.request, received.reply
    status = reply.status
    if request.kind is RequestKind.PUSH and status in _TOO_SLOW:
        half = max(1, len(request.fields["pairs"]) // 2)
        link = received.link
        link = replace(link, max_pairs=min(link.max_pairs, half))
        received = replace(received, link=link)
    if status in _LATER or status >= 500:  # noqa: PLR2004 - HTTP: the server's fault
        return received.fail(reply.retry_after_s)
    if status == 409:  # noqa: PLR2004 - HTTP: conflict
        return _decide_conflict(received)
    # A proxy may say 410 of anything; only the cloud's own word may empty a file.
    if status == 410 and reply.code == "device_gone":  # noqa: PLR2004 - HTTP: gone
        return Decision(Link(), (EmptyFile(is_gone=reply.field != "content"),))
    if status in _UNAUTHORIZED:
        return received.fail(reply.retry_after_s, error=DeviceFault.TOKEN)
    if status == 426:  # noqa: PLR2004 - HTTP: another version
        return received.fail(_VERSION_WAIT_S, error=DeviceFault.PROTOCOL)
    if request.kind is RequestKind.PUSH:
        return _decide_push_refused(received)
    return received.fail(error=DeviceFault.REFUSED)


def _decide_push_refused(received: Reception) -> Decision:
    """Send less, or in plain; put a single pair aside only where the cloud blames it.

    What something before the cloud refuses is retained, and sent again later.
    """
    link, reply = received.link, received.reply
    pairs = received.request.fields["pairs"]
    is_blamed = _is_pair_blamed(reply)
    if reply.field == _ENCODING and link.encodings:
        return Decision(replace(link, encodings=(), is_plain=True))
    if len(pairs) > 1 and (is_blamed or reply.status == _TOO_LARGE):
        return Decision(replace(link, max_pairs=len(pairs) // 2))
    if not is_blamed:
        return received.fail(error=DeviceFault.REFUSED)
    after = received.fail()
    return replace(after, effects=(SetAsidePair(pairs[0]["seq"]),), wait_s=0.0)


def _is_pair_blamed(reply: SyncReply) -> bool:
    """Tell whether the cloud says that a pair of a push cannot be read."""
    if reply.code == "invalid_input":
        return reply.field.startswith(_PAIR_FIELDS)
    return reply.code == "body_too_large"


def _decide_conflict(received: Reception) -> Decision:
    if received.reply.code == "sync_fork":
        return _decide_fork(received, None)
    return received.fail_patiently(_RESTAGE)


def _decide_fork(received: Reception, server: Position | None) -> Decision:
    """Become another installation; after some in a row, a person has to say so."""
    if received.cursor.needs_person:
        return received.fail()
    return received.fail_patiently(_begin_fork(received.cursor, server))


def _begin_fork(cursor: DeviceCursor, server: Position | None) -> BeginIncarnation:
    before = cursor.conflict_state or {}
    attempts = int(before.get("attempts", 0)) + 1
    resolution = "new_incarnation" if attempts < MAX_FORKS else "needs_user"
    return BeginIncarnation(
        describe_conflict(cursor, "fork", server)
        | {"attempts": attempts, "resolution": resolution}
    )


def describe_conflict(
    cursor: DeviceCursor, kind: str, server: Position | None
) -> dict[str, Any]:
    """Return what a cursor keeps of a conflict: ids and numbers, no content."""
    return {
        "v": 1,
        "kind": kind,
        "since": cursor.last_sync_ms,
        "local": {
            "incarnation": str(cursor.incarnation),
            "up": encode_position(cursor.up),
            "newest": encode_position(cursor.newest),
        },
        "server": server and {"up": encode_position(server)},
        "items": [],
        "attempts": 1,
        "resolution": "resend",
    }


def _apply_hello(received: Reception) -> Decision:
    cursor, reply = received.cursor, received.reply
    answer = HelloAnswer.from_body(reply.body)
    if answer.resolution is not None:
        # A copy of the one that was decided about is over with it, and loses nothing.
        choice = answer.resolution if cursor.needs_person else "send"
        return received.fail_patiently(ResolveConflict(choice))
    greeted = _note_greeting(received.link, answer, received.request)
    compared = _compare_up(received, answer.up)
    if compared is None:
        # Who waits for somebody has to know whether the cloud may be told so.
        heard = replace(received.link, hears_waiting=answer.hears_waiting)
        return _decide_fork(replace(received, link=heard), answer.up)
    offset = answer.server_ms - reply.at_ms
    # What a wrong clock had erased too early comes down again.
    is_lacking = cursor.swept_ms - answer.server_ms > _CLOCK_DRIFT_MS
    effects: list[Effect] = [
        SetCursor(
            {
                **compared,
                "last_sync_ms": answer.server_ms,
                "is_withheld": answer.wipe,
                "swept_ms": cursor.swept_ms if is_lacking else 0,
                "clock_offset_ms": offset,
            }
        ),
        DropOld(answer.server_ms),
    ]
    if answer.up.seq < cursor.last_pair_seq:
        # It had taken them as they were said; more of them may be masked since.
        effects.append(NumberAnew())
    if answer.wipe:
        effects.append(WipeItems(answer.epoch))
        return Decision(replace(greeted, needs_snapshot=False), tuple(effects))
    is_other = answer.epoch != cursor.epoch or cursor.last_cloud_update_seq == 0
    # So does what an answer said that cannot be asked for again.
    is_skipping = compared.get("last_pair_seq", 0) > cursor.last_pair_seq
    needed = answer.snapshot or is_other or is_lacking or is_skipping
    return Decision(replace(greeted, needs_snapshot=needed), tuple(effects))


def _note_greeting(link: Link, answer: HelloAnswer, request: SyncRequest) -> Link:
    return Link(
        is_greeted=True,
        epoch=answer.epoch,
        head=answer.head,
        failures=link.failures,
        offered_pairs=answer.max_pairs,
        max_pairs=min(link.max_pairs, answer.max_pairs),
        max_bytes=answer.max_bytes,
        encodings=() if link.is_plain else answer.encodings,
        is_plain=link.is_plain,
        wait_s=answer.wait_s,
        hears_waiting=answer.hears_waiting,
        was_told_waiting="waiting" in request.fields,
    )


def _compare_up(received: Reception, server: Position) -> dict[str, Any] | None:
    """Return what the cursor becomes by hello's `up`; None of a fork.

    It is one if somebody else has sent under this name, or if what the cloud lacks is
    not here any more.
    """
    if received.find_own_position(server.seq) != server:
        return None
    cursor, has_words = received.cursor, received.history.has_words
    known = cursor.last_pair_seq
    moved: dict[str, Any] = {"last_pair_seq": server.seq, "chain": server.chain}
    if server.seq > known and has_words(known, server.seq):
        # The answer that was lost is asked for again: it may have rejected something.
        moved = {}
    start = moved.get("last_pair_seq", known)
    if not has_words(start, cursor.newest_seq):
        return None
    if server.seq < known:
        moved["conflict_state"] = describe_conflict(cursor, "cloud_behind", server)
    return moved


def _apply_push(received: Reception) -> Decision:
    link, cursor = received.link, received.cursor
    answer = PushAnswer.from_body(received.reply.body)
    up = answer.up
    if received.find_own_position(up.seq) != up or up.seq < cursor.last_pair_seq:
        return received.restart()
    heard = received.move_link(
        head=max(link.head, answer.head),
        max_pairs=min(2 * link.max_pairs, link.offered_pairs),
    )
    # A clone may have sent more: what became of that is heard by sending it again.
    last = min(up.seq, received.request.fields["pairs"][-1]["seq"])
    taken = received.find_own_position(last) or cursor.up
    return Decision(heard, (AcceptPairs(taken, answer.rejected),))


def _apply_part(received: Reception) -> Decision:
    link, cursor = received.link, received.cursor
    part = PartAnswer.from_body(received.reply.body)
    if part.epoch != link.epoch:
        return received.restart()
    if part.wipe:
        wiped = replace(link, needs_snapshot=False)
        return Decision(wiped, (_WITHHOLD, WipeItems(part.epoch)))
    fields = received.request.fields
    is_first = "page" not in fields
    is_next = is_first or (
        fields["page"] == cursor.staged_page and part.seq == cursor.staged_seq
    )
    if not is_next:
        return received.restart(_RESTAGE)
    after = received.move_link(
        needs_snapshot=part.next_page is not None, head=max(link.head, part.seq)
    )
    return Decision(after, (StagePart(part, is_first),))


def _apply_page(received: Reception) -> Decision:
    cursor = received.cursor
    page = PageAnswer.from_body(received.reply.body)
    if page.epoch != cursor.epoch:
        return received.restart()
    if page.wipe:
        return Decision(received.link, (_WITHHOLD, WipeItems(page.epoch)))
    if page.since != cursor.last_cloud_update_seq or page.to < page.since:
        return received.restart()
    after = received.move_link(head=page.head)
    return Decision(after, (ApplyPage(page.items, page.to),))


def _apply_ack(received: Reception) -> Decision:
    acked = int(received.request.fields["down"])
    return Decision(received.move_link(acked=acked))


_ANSWERED: Final = {
    RequestKind.HELLO: _apply_hello,
    RequestKind.PUSH: _apply_push,
    RequestKind.SNAPSHOT: _apply_part,
    RequestKind.PULL: _apply_page,
    RequestKind.ACK: _apply_ack,
}
