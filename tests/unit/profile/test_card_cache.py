"""The cards that were opened last: bounded, one always kept."""

from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import CardField
from gieok.profile.card_cache import CardCache, OpenedCard
from gieok.profile.model import Card, CardValue

NOW = datetime(2026, 2, 8, tzinfo=UTC)
VALUE = CardValue("AI", (), None, NOW, 0.9)
STEPS = st.lists(
    st.tuples(st.integers(0, 4), st.none() | st.integers(0, 9)), max_size=30
)


def card_of(size: int) -> OpenedCard:
    return OpenedCard("1", NOW, Card({CardField.INTERESTS: (VALUE,) * size}))


@given(STEPS)
def test_there_are_never_more_values_than_it_takes_but_for_one_card(
    steps: list[tuple[int, int | None]],
) -> None:
    cache, sizes = CardCache(max_values=10), dict[int, int]()
    for person, size in steps:
        if size is None:
            cache.remove_card(UUID(int=person))
            sizes.pop(person, None)
            continue
        cache.store_card(UUID(int=person), card_of(size))
        sizes.pop(person, None)
        sizes[person] = size
        assert cache.find_card(UUID(int=person)) is not None
    held = [n for n in sizes if cache.find_card(UUID(int=n)) is not None]
    assert sum(sizes[n] for n in held) <= 10 or len(held) == 1
    assert held == list(sizes)[len(sizes) - len(held) :], "those used last stay"
