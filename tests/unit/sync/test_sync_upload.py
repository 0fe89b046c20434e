"""The rule by which the cloud takes numbers, whatever a device or a network does."""

from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.chain import Position, advance_chain, hash_words, start_chain
from gieok.sync.epoch import Epoch
from gieok.sync.snapshot_pages import SnapshotPlace
from gieok.sync.upload import Refusal, SentPair, UploadPlan, decide_upload

pytestmark = pytest.mark.req("A08", "A16")

INCARNATION = UUID(int=7)
START = start_chain(INCARNATION)


def said(seq: int, words: str = "") -> SentPair:
    return SentPair(seq, UUID(int=seq), hash_words("s", words or f"w{seq}", "a"))


def positions(pairs: list[SentPair], start: Position = START) -> list[Position]:
    """Return where a device stands before and after each pair."""
    found = [start]
    for pair in pairs:
        found.append(advance_chain(found[-1], pair.pair_id, pair.words))
    return found


@dataclass
class Cloud:
    """Takes pairs by the rule and remembers them, as the service does in its tables."""

    last: Position = START
    taken: list[SentPair] = field(default_factory=list)

    def push(self, base: Position, pairs: list[SentPair]) -> UploadPlan | Refusal:
        plan = decide_upload(self.last, base, pairs)
        if isinstance(plan, UploadPlan):
            self.taken += pairs[plan.known :]
            self.last = plan.after
        return plan


histories = st.integers(1, 30)
slices = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=25)


@given(histories, slices)
def test_any_slices_in_any_order_are_taken_once_and_without_gaps(
    length: int, sent: list[tuple[int, int]]
) -> None:
    pairs = [said(seq) for seq in range(1, length + 1)]
    at = positions(pairs)
    cloud = Cloud()
    for start, end in sent:
        low, high = sorted((start % (length + 1), end % (length + 1)))
        before = cloud.last.seq
        answer = cloud.push(at[low], pairs[low:high])
        assert [pair.seq for pair in cloud.taken] == list(range(1, cloud.last.seq + 1))
        assert cloud.last == at[cloud.last.seq]
        if low > before:
            assert answer is Refusal.GAP
            assert cloud.last.seq == before
        else:
            assert cloud.last.seq == max(before, high)
    cloud.push(at[cloud.last.seq], pairs[cloud.last.seq :])
    assert cloud.taken == pairs


@given(histories, st.permutations(range(6)), st.integers(0, 5))
def test_numbers_out_of_order_or_twice_take_nothing(
    length: int, order: list[int], again: int
) -> None:
    pairs = [said(seq) for seq in range(1, length + 7)]
    at = positions(pairs)
    cloud = Cloud()
    cloud.push(START, pairs[:length])
    mixed = [pairs[length + each] for each in [*order, again]]
    assert cloud.push(at[length], mixed) is Refusal.GAP
    assert cloud.last == at[length]


@given(histories, st.data())
def test_two_chains_are_told_apart_before_anything_of_the_second_is_taken(
    length: int, data: st.DataObject
) -> None:
    """A clone parts from its original anywhere; whoever comes second is refused."""
    shared = data.draw(st.integers(0, length - 1))
    mine = [said(seq) for seq in range(1, length + 1)]
    theirs = mine[:shared] + [said(seq, "x") for seq in range(shared + 1, length + 1)]
    cloud = Cloud()
    cloud.push(START, mine)
    base = data.draw(st.integers(0, length))
    end = data.draw(st.integers(base, length))
    answer = cloud.push(positions(theirs)[base], theirs[base:end])
    assert cloud.taken == mine
    if end == length:
        assert answer is Refusal.FORK
    more = [*theirs, said(length + 1)]
    assert cloud.push(positions(theirs)[base], more[base:]) is Refusal.FORK
    assert cloud.taken == mine


@given(histories, st.binary(min_size=16, max_size=16))
def test_a_made_up_base_is_refused_or_changes_nothing(
    length: int, chain: bytes
) -> None:
    pairs = [said(seq) for seq in range(1, length + 1)]
    cloud = Cloud()
    cloud.push(START, pairs)
    for seq in (0, length, length + 1):
        if (seq, chain) == (cloud.last.seq, cloud.last.chain):
            continue
        cloud.push(Position(seq, chain), [said(seq + 1)])
        assert cloud.taken == pairs


def test_the_chain_is_the_one_that_is_documented() -> None:
    """Recorded once: another client has to compute the same bytes."""
    words = hash_words("living-room", "불 켜줘", "켰어요")
    assert words.hex() == "7c933a6ebce5978fed6b7cdfc6173807"
    at = advance_chain(START, UUID(int=1), words)
    assert (at.seq, at.chain.hex()) == (1, "5231824dc86f2b15cdb5de7fedea62e1")


@given(st.text(max_size=6), st.text(max_size=6), st.text(max_size=6))
def test_no_two_ways_to_cut_a_text_share_a_digest(a: str, b: str, c: str) -> None:
    assert hash_words(a, b + c, "") != hash_words(a, b, c) or not c
    assert hash_words(a + b, c, "") != hash_words(a, b, c) or (not b and not c)


def test_an_epoch_is_read_back_and_knows_what_was_erased_since() -> None:
    now = Epoch(2, 40, "0")
    assert Epoch.parse(str(now)) == now
    assert now.has_erased(Epoch(1, 90, "0"))
    assert now.has_erased(Epoch(2, 39, "7f"))
    assert not now.has_erased(now)
    assert not now.has_erased(Epoch(2, 41, "7f"))


@given(st.text(max_size=40))
def test_what_was_never_given_out_is_no_epoch(text: str) -> None:
    parsed = Epoch.parse(text)
    assert parsed is None or str(parsed).replace("0", "") == text.replace("0", "")


def test_a_place_in_a_snapshot_is_read_back() -> None:
    place = SnapshotPlace(12, 3, UUID(int=9))
    assert SnapshotPlace.parse(str(place)) == place
    assert place.find_next_part() == SnapshotPlace(12, 4, UUID(int=0))
