"""The least a device does, to speak with the cloud half in tests."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import SyncEpochError
from gieok.sessions import RecordedPair
from gieok.sync import (
    Greeting,
    Installation,
    Item,
    ItemChange,
    Position,
    Pushed,
    PushedPair,
    advance_chain,
    hash_words,
    start_chain,
)


@dataclass
class Device:
    """One installation: what it said, how far that went up, what came down."""

    memory: Gieok
    scope: Scope
    name: str = "speaker"
    incarnation: UUID = field(default_factory=uuid4)
    said: list[PushedPair] = field(default_factory=list)
    epoch: str | None = None
    up: int = 0
    down: int = 0
    store: dict[tuple[str, UUID | None], Item] = field(default_factory=dict)

    @property
    def installation(self) -> Installation:
        return Installation(self.name, self.incarnation, self.epoch)

    @property
    def device_id(self) -> UUID:
        return self.memory.accounts.device_id(self.scope, self.name)

    def position(self, seq: int) -> Position:
        at = start_chain(self.incarnation)
        for pair in self.said[:seq]:
            turn = pair.turn
            words = hash_words(pair.session, turn.user_text, turn.assistant_text)
            at = advance_chain(at, pair.pair_id, words)
        return at

    def says(  # noqa: PLR0913 - most may be left out
        self,
        text: str,
        *,
        session: str = "talk",
        answer: str = "네",
        pair_id: UUID | None = None,
        persona: str | None = None,
        client_ms: int | None = None,
        speaker: str | None = None,
    ) -> PushedPair:
        pair = PushedPair(
            len(self.said) + 1,
            pair_id or uuid4(),
            session,
            Turn(text, answer, "DEF", {"route": "x"}, speaker=speaker),
            persona,
            client_ms,
        )
        self.said.append(pair)
        return pair

    async def hello(self) -> Greeting:
        answer = await self.memory.sync.hello(
            self.scope, self.installation, self.position(self.up), self.down
        )
        if answer.wipe:
            self.store.clear()
            self.down = 0
        return answer

    async def push(self, base: int | None = None, end: int | None = None) -> Pushed:
        at = self.up if base is None else base
        answer = await self.memory.sync.push(
            self.scope, self.installation, self.position(at), self.said[at:end]
        )
        self.up = max(self.up, answer.up.seq)
        assert answer.up == self.position(answer.up.seq)
        return answer

    async def join(self) -> None:
        """Say hello for the first time and take a snapshot."""
        await self.install((await self.hello()).epoch)

    async def install(self, epoch: str | None = None, limit: int = 500) -> None:
        """Put a snapshot in place of what there is; only then the epoch is adopted."""
        asking = Installation(self.name, self.incarnation, epoch or self.epoch)
        page, items = None, dict[tuple[str, UUID | None], Item]()
        while True:
            part = await self.memory.sync.snapshot(
                self.scope, asking, page=page, limit=limit
            )
            items |= {(e.entity, e.item_id): e.item for e in part.items if e.item}
            page = part.next_page
            if page is None:
                break
        self.store, self.down, self.epoch = items, part.seq, part.epoch

    async def pull(self, limit: int = 500) -> list[ItemChange]:
        """Apply pages until there is no more, and say so."""
        heard: list[ItemChange] = []
        while True:
            page = await self.memory.sync.pull(
                self.scope, self.installation, self.down, limit=limit
            )
            assert page.since == self.down
            for each in page.changes:
                self.store.pop((each.entity, each.item_id), None)
                if each.item is not None:
                    self.store[each.entity, each.item_id] = each.item
            heard += page.changes
            if page.wipe:
                self.store.clear()
                self.down = 0
                return heard
            assert page.to >= self.down
            self.down = page.to
            if not page.has_more:
                break
        await self.memory.sync.ack(self.scope, self.installation, self.down)
        return heard

    async def fork(self) -> "Device":
        """Return this device under a new incarnation, with all it said to be sent."""
        new = Device(self.memory, self.scope, self.name, said=list(self.said))
        await new.join()
        return new

    async def goes_on(self) -> None:
        """Exchange as a device does after every time apart."""
        answer = await self.hello()
        self.up = min(self.up, answer.up.seq)
        if answer.snapshot:
            await self.install(answer.epoch)
        await self.push()
        await self.pull()

    def texts(self) -> list[str]:
        return sorted(
            pair.user_text
            for pair in self.store.values()
            if isinstance(pair, RecordedPair)
        )


async def joined(memory: Gieok, scope: Scope, name: str = "speaker") -> Device:
    device = Device(memory, scope, name)
    await device.join()
    return device


async def is_epoch_refused(device: Device) -> bool:
    try:
        await device.pull()
    except SyncEpochError:
        return True
    return False
