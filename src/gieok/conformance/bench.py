"""What checks share: the server, the devices made so far, and one to be left alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn
from uuid import UUID

from gieok.conformance.model import CheckSkippedError
from gieok.conformance.probe import (
    ProbeDevice,
    Wire,
    encode_position,
    read_answer,
    require,
)


@dataclass(slots=True)
class CheckBench:
    """A server under check, with the token of a test person."""

    wire: Wire
    new_id: Callable[[], UUID]
    device: str | None = None
    """The only device that the token opens; None where it opens any."""
    other: Wire | None = None
    """The same server with the token of another test person."""
    unwanted: set[str] = field(default_factory=set[str])
    """Ids of pairs that must never be there."""
    _target: ProbeDevice | None = None

    def create_device(self, name: str | None = None) -> ProbeDevice:
        """Return an installation that has not said anything yet."""
        incarnation = self.new_id()
        chosen = self.device or name or f"check-{incarnation.hex[-12:]}"
        return ProbeDevice(self.wire, chosen, incarnation, self.new_id)

    def create_joined(self, name: str | None = None) -> ProbeDevice:
        """Return one that has said hello."""
        device = self.create_device(name)
        device.join()
        return device

    def get_target(self) -> ProbeDevice:
        """Return the device that hostile requests aim at; it has said one pair."""
        if self._target is None:
            target = self.create_joined()
            target.record()
            target.send_pairs(0)
            self._target = target
        return self._target

    def build_unwanted(
        self, text: str = "몰래", **changes: object
    ) -> dict[str, object]:
        """Return a pair of the target that must never be kept."""
        pair = self.get_target().build_pair(text, **changes)
        self.unwanted.add(str(pair["pair_id"]))
        return pair

    def check_target(self) -> None:
        """Fail unless the target stands where it stood, and the server answers."""
        target = self.get_target()
        greeting = read_answer(target.wire.send_json("hello", target.build_hello()))
        up = encode_position(target.positions[-1])
        found = greeting.get("up")
        require(found == up, f"something was taken: up is {found}, not {up}")

    def skip(self, why: str) -> NoReturn:
        """End a check that cannot be made here."""
        raise CheckSkippedError(why)
