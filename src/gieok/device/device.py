"""A device: talks without any network, and keeps in step with the cloud when it can."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from gieok.device.applying import EffectWriter, create_cursor, resolve_conflict
from gieok.device.damage import quarantine_damage
from gieok.device.engine import (
    EmptyFile,
    Link,
    PairHistory,
    Reception,
    decide_effects,
    decide_request,
    is_level,
    refresh_status,
)
from gieok.device.file import DeviceFile, clear_tables, report_faults
from gieok.device.model import (
    BEFORE_PAIRS,
    FIRST_SET_MS,
    SESSION_PAIRS,
    DeviceCursor,
    DeviceFault,
    DeviceStatus,
    DownloadedItem,
    LocalPair,
)
from gieok.device.recalling import RECALLED, DeviceHit, rank_items
from gieok.device.requesting import (
    MAX_BYTES,
    MAX_TURNS,
    SpokenContext,
    build_request,
)
from gieok.device.store import REJECTED, DeviceRows, hash_pair
from gieok.device.wire import ConflictChoice, SyncReply, SyncRequest
from gieok.kernel.chain import advance_chain
from gieok.kernel.errors import (
    ConfigurationError,
    ConflictError,
    DataDirectoryError,
    StorageFullError,
    TamperedError,
)
from gieok.text.cleaning import clean_json, clean_name, clean_text

IDLE_MS = 30 * 60 * 1000
"""After so long in silence, what is said next begins another session."""

_SETTINGS = "memory_settings"
_TEXTS = ("user_text", "assistant_text")
_SHOWN = (*_TEXTS, "route_family")


Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def retry_without_damage(
    method: "Callable[Concatenate[Device, Asked], Answer]",
) -> "Callable[Concatenate[Device, Asked], Answer]":
    """Have a method done again once what does not open is out of its way."""

    @wraps(method)
    def run(device: "Device", *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        try:
            return method(device, *args, **kwargs)
        except TamperedError:
            device.quarantine_damage()
            return method(device, *args, **kwargs)

    return run


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What was said and answered on the device."""

    user_text: str = field(repr=False)
    assistant_text: str = field(repr=False)
    route_family: str | None = None
    planner_summary: Mapping[str, Any] = field(default_factory=dict[str, Any])
    persona: str | None = None
    speaker: str | None = None
    """Name of who spoke, where it was not the person whose memory this is."""


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """How a device is: for whoever looks after it. No content."""

    cursor: DeviceCursor
    waiting: int
    """Pairs that the cloud has not taken yet."""
    items: int
    rejected: Mapping[str, int]
    put_aside: str | None
    """The damaged file in place of which this one was begun."""


class MaskedTurn(NamedTuple):
    """What may be kept of a turn, and of what was said before, now that it is said."""

    turn: SpokenTurn
    before: Sequence[str]


TurnMasker = Callable[[SpokenTurn, Sequence[str]], MaskedTurn]
"""Returns what may be kept of a turn, given what was said before it."""


@dataclass(slots=True)
class Device:
    """One device and its file. Every method is one transaction at most; thread-safe.

    `clock_ms` is the device's own clock, in ms since 1970; it orders nothing.
    """

    file: DeviceFile
    name: str
    clock_ms: Callable[[], int]
    new_id: Callable[[], UUID]
    draw: Callable[[], float]
    """Returns a random number from 0 to 1."""
    mask: TurnMasker
    link: Link = field(default_factory=Link)
    _lock: RLock = field(default_factory=RLock, repr=False)
    _is_emptying: bool = field(default_factory=bool, init=False, repr=False)
    """Emptying began and failed: nothing else is done before it is done."""
    _fault: DeviceFault | None = field(default=None, init=False, repr=False)
    """What is the matter with the device once it is empty."""
    _offered_seq: int = field(default_factory=int, init=False, repr=False)
    """Up to here the cloud may have what was said, though it was not heard to."""

    def __post_init__(self) -> None:
        """Begin where the file stands; a new file begins empty.

        So does one whose device was shut out, under another name; what was said on it
        since is put aside.

        Raises:
            ConfigurationError: the file is another device's.
        """
        with report_faults():
            found = self.rows.find_cursor()
        if found is None or found.device_id != self.name:
            if found is not None and found.error is not DeviceFault.GONE:
                raise ConfigurationError(
                    f"The file is of the device {found.device_id}, not of {self.name}:"
                    " open it by that name, or take another file."
                )
            fault = self.file.emptied_fault
            with self.file.begin() as rows:
                self.rows.put_all_aside(DeviceFault.GONE, self.clock_ms())
                clear_tables(rows, but=REJECTED)
                self.rows.save_cursor(create_cursor(self.name, self.new_id(), fault))
        self.file.end_emptying()
        if self.cursor.last_sync_ms is not None:
            self._offered_seq = self.cursor.newest_seq

    @property
    def rows(self) -> DeviceRows:
        """The rows of the file; what is left of emptying it is done first.

        Raises:
            StorageFullError, DataDirectoryError: it still cannot be emptied.
        """
        with self._lock:
            if self._is_emptying:
                self._empty()
        return DeviceRows.from_file(self.file)

    @property
    def cursor(self) -> DeviceCursor:
        """Where the device stands, as it is on the disk."""
        with self._lock, report_faults():
            cursor = self.rows.find_cursor()
        assert cursor is not None  # noqa: S101 - it was begun with one
        return cursor

    def read_cloud_ms(self) -> int:
        """Return the cloud's time, as far as it is known."""
        cursor = self.cursor
        return max(cursor.to_cloud_ms(self.clock_ms()), cursor.last_sync_ms or 0)

    # talking

    @retry_without_damage
    def record(self, turn: SpokenTurn, *, pair_id: UUID | None = None) -> LocalPair:
        """Keep what was said, masked; it is on the disk when this returns.

        Raises:
            InvalidInputError: a text, a name or notes that the cloud would not keep.
            ConflictError: a pair of this id is here.
            StorageFullError, DataDirectoryError: nothing was kept.
        """
        turn = clean_turn(turn)
        with self._begin() as rows:
            if pair_id is not None and rows.has_pair(pair_id):
                raise ConflictError("a pair of this id exists")
            session = self._find_session(rows)
            said = _list_last_pairs(rows, session, BEFORE_PAIRS)
            kept, heard = self.mask(turn, _list_texts([pair.body for pair in said]))
            body: dict[str, Any] = {
                "user_text": kept.user_text,
                "assistant_text": kept.assistant_text,
                "route_family": kept.route_family,
                "planner_summary": kept.planner_summary,
                "persona": kept.persona,
            }
            if kept.speaker:
                body["speaker"] = kept.speaker
            if self._mask_begun(rows, said, heard):
                sent = self.mask(turn, heard).turn
                body["said"] = {name: getattr(sent, name) for name in _TEXTS}
            return self._append(rows, session, pair_id or self.new_id(), body)

    def _mask_begun(
        self, rows: DeviceRows, pairs: Sequence[LocalPair], texts: Sequence[str]
    ) -> bool:
        """Mask in earlier pairs what only shows with what is said now.

        Return whether the cloud may have some of them as they were: then it is sent
        the part that is said now, to mask both.
        """
        cursor = self.cursor
        changed = _find_changed(texts, _list_texts([pair.body for pair in pairs]))
        sent_seq = max(cursor.last_pair_seq, self._offered_seq)
        was_sent = any(pairs[at].seq <= sent_seq for at in changed)
        for at in changed:
            pair = pairs[at].mask(*texts[2 * at : 2 * at + 2], sends_said=was_sent)
            rows.rewrite_pair(pair)
            rows.delete_item("conversation_pair", str(pair.pair_id))
        if changed and not was_sent:
            newest = rows.renumber_pairs(cursor.up)
            moved = {"newest_seq": newest.seq, "newest_chain": newest.chain}
            rows.save_cursor(replace(cursor, **moved))
        return was_sent

    def _append(
        self,
        rows: DeviceRows,
        session: dict[str, Any],
        pair_id: UUID,
        body: Mapping[str, Any],
    ) -> LocalPair:
        cursor = self.cursor
        draft = LocalPair(
            cursor.newest_seq + 1,
            pair_id,
            session["session_id"],
            session["pair_count"],
            b"",
            self.clock_ms(),
            body,
        )
        newest = advance_chain(cursor.newest, pair_id, hash_pair(draft))
        pair = replace(draft, chain=newest.chain)
        rows.insert_pair(pair)
        counted = {"pair_count": session["pair_count"] + 1, "last_ms": pair.at_ms}
        rows.save_session(session | counted)
        after = replace(cursor, newest_seq=newest.seq, newest_chain=newest.chain)
        rows.save_cursor(refresh_status(after, self.link))
        return pair

    def _find_session(self, rows: DeviceRows) -> dict[str, Any]:
        """Return the session that what is said now belongs to.

        One that is full goes on in another; what goes on in none ends, its workflow
        with it.
        """
        now = self.clock_ms()
        latest, continued, last_ms = rows.find_latest_session(), None, now
        if latest is not None and self._is_under_way(latest):
            if latest["pair_count"] < SESSION_PAIRS:
                return latest
            continued, last_ms = latest["session_id"], latest["last_ms"]
        if latest is not None and latest["status"] == "active":
            rows.save_session(latest | {"status": "completed"})
            if continued is None:
                rows.save_workflow(latest["session_id"], None)
        session_id = f"{self.new_id()}"
        if continued is not None:
            workflow = rows.find_workflow(continued)
            rows.save_workflow(session_id, workflow)
            rows.save_workflow(continued, None)
        return {
            "session_id": session_id,
            "status": "active",
            "pair_count": 0,
            "started_ms": now,
            "last_ms": last_ms,
            "continues": continued,
        }

    def _is_under_way(self, session: Mapping[str, Any]) -> bool:
        """Tell whether a session was neither ended nor left in silence for long."""
        now_ms, last_ms = self.clock_ms(), session["last_ms"]
        # A clock that jumped back, or was set at last, is no reason to begin anew.
        was_set_since = last_ms < FIRST_SET_MS <= now_ms
        is_idle = now_ms - last_ms > IDLE_MS and not was_set_since
        return session["status"] == "active" and not is_idle

    def end_session(self) -> None:
        """End the conversation: what is said next begins another one."""
        with self._begin() as rows:
            latest = rows.find_latest_session()
            if latest is not None:
                rows.end_session(latest["session_id"])

    @retry_without_damage
    def set_workflow(self, workflow: Mapping[str, Any] | None) -> None:
        """Note what the conversation is in the midst of; None when that is done.

        Raises:
            InvalidInputError: it holds what JSON does not know, or is too long.
        """
        if workflow is not None:
            workflow = json.loads(clean_json("workflow", workflow))
        with self._begin() as rows:
            session = self._find_session(rows)
            rows.save_session(session)
            rows.save_workflow(session["session_id"], workflow)

    # remembering

    @retry_without_damage
    def list_recent_turns(self, most: int = MAX_TURNS) -> list[dict[str, Any]]:
        """Return the last turns of the conversation, oldest first.

        None once it was ended, or after half an hour in silence.
        """
        return self._read_context(most).turns

    @retry_without_damage
    def recall(self, question: str, *, most: int = 5) -> list[DeviceHit]:
        """Return what the device has that bears on a question, best first.

        What was said here is found before the cloud has it, and before its copy comes
        down. Nothing that waits for confirmation is, and nothing that has expired;
        nothing at all while the person has memory switched off.
        """
        now_ms = self.read_cloud_ms()
        with self._lock, report_faults():
            rows = self.rows
            if not _is_memory_on(rows):
                return []
            found = _list_current(rows, now_ms, *RECALLED)
            found += [
                DownloadedItem("conversation_pair", str(pair.pair_id), pair.body)
                for pair in rows.list_pairs_without_copy()
            ]
        return rank_items(question, found, most)

    @retry_without_damage
    def build_request(
        self,
        recognized_text: str,
        *,
        max_bytes: int = MAX_BYTES,
        device_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the request to the cloud of document A, 5.1, with a compact snapshot.

        It says which device asks; `device_context` is what else a planner needs. What
        is recorded next belongs to the session that it names; it names none where the
        disk does not take a new one.

        Raises:
            InvalidInputError: a text that cannot be sent.
        """
        heard = clean_text("recognized_text", recognized_text)
        with suppress(StorageFullError, DataDirectoryError):
            self._open_session()
        context = self._read_context(MAX_TURNS)
        utterance = self._mask_utterance(heard, context)
        now_ms = self.read_cloud_ms()
        with self._lock, report_faults():
            is_on = _is_memory_on(self.rows)
            items = _list_current(self.rows, now_ms) if is_on else []
        return build_request(
            utterance,
            context,
            items,
            max_bytes=max_bytes,
            device_context={**(device_context or {}), "device_id": self.name},
        )

    def _mask_utterance(self, heard: str, context: SpokenContext) -> str:
        """Return an utterance as it is sent, and mask the turns before with it.

        Of a number that begins in turns that the cloud has taken the part is left that
        is said now: the cloud masks both.
        """
        spoken, turns = SpokenTurn(heard, ""), context.turns[-BEFORE_PAIRS:]
        before = _list_texts(turns)
        kept, shown = self.mask(spoken, before)
        changed = _find_changed(shown, before)
        _replace_texts(turns, shown)
        seqs = context.seqs[-BEFORE_PAIRS:]
        if changed and all(seqs[at] <= context.device_cursor for at in changed):
            kept = self.mask(spoken, shown).turn
        return kept.user_text

    def _open_session(self) -> None:
        """Have the session be there that what is said now belongs to."""
        with self._begin() as rows:
            session = self._find_session(rows)
            if session["pair_count"] == 0:
                rows.save_session(session)

    def _read_context(self, most: int) -> SpokenContext:
        with self._lock, report_faults():
            rows, cursor = self.rows, self.cursor
            session = rows.find_latest_session()
            if session is None or not self._is_under_way(session):
                return SpokenContext(
                    None,
                    [],
                    None,
                    None,
                    cursor.last_pair_seq,
                    cursor.last_cloud_update_seq,
                )
            said = _list_last_pairs(rows, session, most)
            return SpokenContext(
                session["session_id"],
                [_show_turn(pair.body) for pair in said],
                rows.find_workflow(session["session_id"]),
                self.clock_ms() - session["last_ms"],
                cursor.last_pair_seq,
                cursor.last_cloud_update_seq,
                session["continues"],
                [pair.seq for pair in said],
            )

    # keeping in step

    @retry_without_damage
    def find_request(self, *, is_polling: bool = False) -> SyncRequest | None:
        """Return what to ask the cloud next; None when there is nothing to ask."""
        with self._lock, report_faults():
            rows = self.rows
            request = decide_request(
                self.cursor, self.link, rows.list_pairs, is_polling=is_polling
            )
            offered = request.fields.get("pairs") if request else None
            if offered:
                self._offered_seq = max(self._offered_seq, offered[-1]["seq"])
            return request

    @retry_without_damage
    def apply_reply(self, request: SyncRequest, reply: SyncReply) -> float:
        """Do what an answer asks for, and return how many seconds to wait.

        Raises:
            StorageFullError, DataDirectoryError: nothing of it was done; the same is
                asked again.
        """
        with self._lock, report_faults():
            rows, cursor = self.rows, self.cursor
            history = PairHistory(rows.find_position, rows.has_words)
            decision = decide_effects(
                Reception(request, reply, cursor, self.link, history, self.draw)
            )
            for effect in decision.effects:
                if isinstance(effect, EmptyFile):
                    self._fault = DeviceFault.GONE if effect.is_gone else None
                    self._empty()
                    return 0.0
            now_ms = cursor.to_cloud_ms(reply.at_ms)
            if decision.effects or is_level(cursor, decision.link):
                with self.file.begin():
                    writer = EffectWriter(rows, now_ms, self.new_id())
                    cursor = writer.apply(cursor, decision.effects, decision.link)
            self.link = decision.link
            return decision.wait_s

    def sweep(self) -> int:
        """Erase what came down and has expired since; return how many things.

        The cloud's clock is asked for then: what went too early comes down again.
        """
        now_ms = self.read_cloud_ms()
        with self._begin() as rows:
            erased = rows.delete_expired(now_ms)
            if erased:
                cursor = self.cursor
                swept_ms = max(cursor.swept_ms, now_ms)
                rows.save_cursor(replace(cursor, swept_ms=swept_ms))
        if erased:
            self.renew_greeting()
        return erased

    def quarantine_damage(self) -> None:
        """Put aside what does not open; what the cloud has comes down again.

        Raises:
            KeyFileError: nothing opens.
        """
        with self._begin() as rows:
            now_ms = self.read_cloud_ms()
            self.renew_greeting()
            cursor = quarantine_damage(rows, self.cursor, now_ms)
            rows.save_cursor(refresh_status(cursor, self.link))

    def renew_greeting(self) -> None:
        """Have the next word to the cloud be hello."""
        with self._lock:
            self.link = replace(self.link, is_greeted=False)

    @retry_without_damage
    def resolve(self, choice: ConflictChoice = "send") -> DeviceCursor:
        """Get a device out of a conflict or fault that waits for somebody (A17).

        "send" has it send again all it still has, under new numbers; "discard" puts
        aside what the cloud has not taken. Who was shut out stays so under that name.
        """
        with self._begin() as rows:
            cursor = self.cursor
            incarnation = None if cursor.conflict_state is None else self.new_id()
            cursor = resolve_conflict(
                rows, cursor, choice, self.read_cloud_ms(), incarnation
            )
            self.link = Link()
            cursor = refresh_status(cursor, self.link)
            rows.save_cursor(cursor)
        return cursor

    def report(self) -> DeviceReport:
        """Return how the device is."""
        with self._lock, report_faults():
            cursor, rows = self.cursor, self.rows
            items = rows.rows.execute("SELECT count(*) FROM memory_items").fetchone()
            aside = self.file.put_aside
            return DeviceReport(
                cursor,
                cursor.newest_seq - cursor.last_pair_seq,
                items[0] if items else 0,
                rows.count_rejected(),
                aside.name if aside else None,
            )

    @property
    def is_level(self) -> bool:
        """Whether the device has all there was, and the cloud all that was said."""
        return self.cursor.sync_status is DeviceStatus.OK and is_level(
            self.cursor, self.link
        )

    def close(self) -> None:
        """Close the file, and let another process have it."""
        with self._lock:
            self.file.close()

    def _empty(self) -> None:
        """Erase everything; who is gone stays so until somebody begins anew."""
        self._is_emptying, self.link = True, Link()
        self._offered_seq = 0
        with report_faults():
            self.file = self.file.empty(self._fault)
            with self.file.begin():
                empty = create_cursor(self.name, self.new_id(), self._fault)
                DeviceRows.from_file(self.file).save_cursor(empty)
            self.file.end_emptying()
        self._is_emptying = False

    @contextmanager
    def _begin(self) -> Generator[DeviceRows]:
        with self._lock:
            rows = self.rows
            with self.file.begin():
                yield rows


def _is_memory_on(rows: DeviceRows) -> bool:
    """Tell whether the person's settings, if they came down, let memory be used."""
    return not any(
        item.body is not None and item.body.get("is_enabled") is False
        for item in rows.iterate_items(_SETTINGS)
    )


def _list_current(
    rows: DeviceRows, now_ms: int, *entities: str
) -> list[DownloadedItem]:
    """Return what came down and has not expired, of some kinds or of all."""
    return [
        item
        for item in rows.iterate_items(*entities)
        if item.until_ms is None or item.until_ms > now_ms
    ]


def clean_turn(turn: SpokenTurn) -> SpokenTurn:
    """Return a turn as the cloud takes it.

    Raises:
        InvalidInputError: it names the field that the cloud would refuse.
    """
    return replace(
        turn,
        user_text=clean_text("user_text", turn.user_text),
        assistant_text=clean_text("assistant_text", turn.assistant_text),
        route_family=turn.route_family
        and clean_name("route_family", turn.route_family),
        planner_summary=json.loads(clean_json("planner_summary", turn.planner_summary)),
        persona=turn.persona and clean_name("persona", turn.persona),
        speaker=turn.speaker and clean_name("speaker", turn.speaker),
    )


def mask_turn(
    turn: SpokenTurn, before: Sequence[str], personal: str | None = None
) -> MaskedTurn:
    """Return what may be kept of a turn: personal data is masked (A19).

    `personal` is what becomes of phones and addresses: "mask", "hide" or "keep"; None
    for what holds in this process.
    """
    from gieok.pii import TextMasker  # noqa: PLC0415 - its rules load when first used
    from gieok.pii.masking_policy import find_policy  # noqa: PLC0415 - as well

    policy = find_policy(personal)
    masker = TextMasker(policy)
    texts = (turn.user_text, turn.assistant_text)
    user_text, assistant_text = masker.mask_texts(texts, before)
    heard = list(before)
    if masker.is_masked and before:
        heard = TextMasker(policy).mask_texts([*before, *texts])[: len(before)]
    kept = replace(
        turn,
        user_text=user_text,
        assistant_text=assistant_text,
        planner_summary=masker.mask_value(dict(turn.planner_summary)),
        speaker=turn.speaker and masker.mask_text(turn.speaker),
    )
    return MaskedTurn(kept, heard)


def _list_last_pairs(
    rows: DeviceRows, session: Mapping[str, Any], most: int
) -> list[LocalPair]:
    """Return the last pairs of a session, and of the one that it goes on from."""
    said = rows.list_session_pairs(session["session_id"])
    if len(said) < most and session["continues"]:
        said = rows.list_session_pairs(session["continues"]) + said
    return said[-most:]


def _list_texts(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    return [turn[name] for turn in turns for name in _TEXTS]


def _find_changed(texts: Sequence[str], before: Sequence[str]) -> list[int]:
    """Return which pairs have other texts than before."""
    return [
        at
        for at in range(len(before) // 2)
        if list(texts[2 * at : 2 * at + 2]) != list(before[2 * at : 2 * at + 2])
    ]


def _replace_texts(turns: Sequence[dict[str, Any]], texts: Sequence[str]) -> None:
    for turn, user, assistant in zip(turns, texts[::2], texts[1::2], strict=True):
        turn |= dict(zip(_TEXTS, (user, assistant), strict=True))


def _show_turn(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a planner sees of a turn; who else spoke stands before the words."""
    shown = {name: body[name] for name in _SHOWN}
    if speaker := body.get("speaker"):
        shown["user_text"] = f"{speaker}: {body['user_text']}"
    return shown
