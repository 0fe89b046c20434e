"""What stands in for configured parts, in tests and in apps."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.kernel.clock import Clock, read_system_clock
from gieok.kernel.ids import NewId, generate_id
from gieok.kernel.language import Embedder, Model, Tokenizer
from gieok.kernel.planning import Planner
from gieok.worker import NORMAL, Pace

if TYPE_CHECKING:
    from gieok.guard.judge import Guard


@dataclass(frozen=True, slots=True)
class Parts:
    """What a test or an app may put in place of the configured part."""

    clock: Clock = read_system_clock
    new_id: NewId = generate_id
    model: Model | None = None
    embedder: Embedder | None = None
    tokenizer: Tokenizer | None = None
    guard: "Guard | None" = None
    planner: Planner | None = None
    pace: Pace = NORMAL
