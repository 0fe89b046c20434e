"""Tells an order planted as a memory from an honest statement or wish.

A line of a prompt is instruction-capable when it tells an assistant what to do, allows
it, or says how it is to treat others, and asks for more than manners (tone, language,
form of address, form and length of answers, reminders, what to leave out or to talk
about) or a service that favours nobody and risks nothing. What holds at work, at home
or in a game, or what others said, orders nothing. All else is a statement: it may be
false, but it asks for nothing.

Which is which was learned: a linear model over `features`, from attacks and honest
lines of many situations (`training/train_guard.py`). It needs no language model and no
encoder; its weights are read once. A text is judged whole and sentence by sentence, and
its worst part counts, so that what stands around an order does not hide it.

A claim is judged when it is written, by its vector as well (`reader`); the verdict
stays with the memory, and a line of a prompt goes by it.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from gieok.guard.active_content import has_active_content, has_role_token
from gieok.guard.features import LONGEST, build_features, remove_frame
from gieok.guard.fence import escape_line
from gieok.guard.obfuscation import has_hidden_text
from gieok.text.patterns import compile_lazily

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gieok.guard.reader import ClaimReader

MAX_READ: Final = 4_000
"""Characters of a text that are judged; a memory or an excerpt is shorter."""
SHORTEST: Final = 8
"""Characters of a sentence that is judged by itself."""
_WEIGHTS: Final = "judge.npz"
_SENTENCE_END: Final = compile_lazily(r"(?<=[.!?。！？])\s+|\n+")


class Guard(Protocol):
    """Decides what may not stand in memory or in a prompt unreviewed."""

    async def find_directives(self, claims: Sequence[str]) -> list[bool]:
        """Tell which claims order an assistant more than manners, read with care."""
        ...

    def is_directive(self, text: str) -> bool:
        """Tell whether a memory or a wish orders an assistant more than manners."""
        ...

    def is_suspicious(self, text: str) -> bool:
        """Tell whether a message or a summary surely holds such an order."""
        ...

    def is_instruction_capable(self, line: str, *, verdict: bool | None = None) -> bool:
        """Tell whether a line of a prompt could be taken for an instruction.

        `verdict` is what `find_directives` said of it when it was written, if it did.
        """
        ...


@dataclass(frozen=True, slots=True)
class TrainedGuard:
    """Judges by learned weights, with one bar for a memory and one for a message.

    Without a `reader` claims are judged as lines are.
    """

    reader: "ClaimReader | None" = None

    async def find_directives(self, claims: Sequence[str]) -> list[bool]:
        """Tell which claims order an assistant more than manners, read with care."""
        if self.reader is None or not claims:
            return await asyncio.to_thread(lambda: [*map(self.is_directive, claims)])
        scores = await compute_claim_scores(self.reader, claims)
        return [score > 0 for score in scores]

    def is_directive(self, text: str) -> bool:
        """Tell whether a memory or a wish orders an assistant more than manners."""
        return compute_score(text) > load_guard_weights().memory_bar

    def is_suspicious(self, text: str) -> bool:
        """Tell whether a message or a summary surely holds such an order."""
        if has_hidden_text(text) or has_role_token(text):
            return True
        return compute_score(text) > load_guard_weights().message_bar

    def is_instruction_capable(self, line: str, *, verdict: bool | None = None) -> bool:
        """Tell whether a line of a prompt could be taken for an instruction."""
        if has_active_content(line):
            return True
        return self.is_directive(line) if verdict is None else verdict


def can_show(
    guard: Guard,
    content: str,
    *,
    is_reviewed: bool,
    verdict: bool | None,
    render: Callable[[str], str] = escape_line,
) -> bool:
    """Tell whether a prompt may show a memory: it only states something.

    Or the person reviewed it. It is judged as the line that is handed out, which
    `render` makes of it; `verdict` is what was said of it when it was written, if
    anything was.
    """
    if is_reviewed:
        return True
    return not guard.is_instruction_capable(render(content), verdict=verdict)


class GuardWeights(NamedTuple):
    """What was learned: a weight a bucket, and the bars."""

    weights: "NDArray[np.float32]"
    bias: float
    memory_bar: float
    message_bar: float
    claim: "NDArray[np.float64]"
    """What the score here and the reader's count for a claim, and the bar"""


def compute_score(text: str) -> float:
    """Return how far the worst passage of a text lies on the side of orders."""
    return max(map(_score_passage, split_passages(text)))


async def compute_claim_scores(
    reader: "ClaimReader", claims: Sequence[str]
) -> list[float]:
    """Return by how much the worst passage of each claim is over the bar."""
    split = [split_passages(claim) for claim in claims]
    passages = [passage for parts in split for passage in parts]
    read = await reader.compute_margins([*map(remove_frame, passages)])
    own = await asyncio.to_thread(lambda: [*map(_score_passage, passages)])
    here, there, bar = load_guard_weights().claim
    scores = iter(here * a + there * b - bar for a, b in zip(own, read, strict=True))
    return [max(islice(scores, len(parts))) for parts in split]


def _score_passage(passage: str) -> float:
    learned = load_guard_weights()
    places, values = build_features(passage)
    return float(learned.weights[places] @ values) + learned.bias


def split_passages(text: str) -> list[str]:
    """Return what is judged of a text: its beginning, and each sentence of several.

    A sentence longer than `LONGEST` is read in parts.
    """
    read = text[:MAX_READ]
    sentences = [s for s in _SENTENCE_END.split(read) if len(s.strip()) >= SHORTEST]
    parts = [
        sentence[start : start + LONGEST]
        for sentence in sentences
        for start in range(0, len(sentence), LONGEST)
    ]
    return [read, *parts] if len(parts) > 1 else [read]


@cache
def load_guard_weights() -> GuardWeights:
    """Read the shipped weights once: a quarter of a megabyte, some milliseconds."""
    import numpy as np  # noqa: PLC0415 - a command that judges nothing needs none

    data = files("gieok.guard").joinpath(_WEIGHTS).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return GuardWeights(
            arrays["weights"].astype(np.float32),
            float(arrays["bias"]),
            float(arrays["memory_bar"]),
            float(arrays["message_bar"]),
            arrays["claim"],
        )
