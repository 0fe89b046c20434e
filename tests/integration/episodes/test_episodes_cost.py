"""What loading and saving cost does not grow with what is kept (E18)."""

from collections import Counter
from typing import Any

import pytest

from gieok import Gieok, Scope
from gieok.database import Transaction
from gieok.privacy import PersonKey
from support.episodes import save_episode


@pytest.fixture
def cost(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count statements, and texts that are opened."""
    counted: Counter[str] = Counter()
    execute, opened = Transaction.execute, PersonKey.open_text

    async def counting(self: Transaction, *given: Any) -> object:
        counted["statements"] += 1
        return await execute(self, *given)

    def opening(self: PersonKey, *given: Any, **named: Any) -> str:
        counted["opened"] += 1
        return opened(self, *given, **named)

    monkeypatch.setattr(Transaction, "execute", counting)
    monkeypatch.setattr(PersonKey, "open_text", opening)
    return counted


@pytest.mark.req("E18")
async def test_loading_five_costs_the_same_among_five_and_among_forty(
    memory: Gieok, me: Scope, cost: Counter[str]
) -> None:
    await memory.episodes.set_plan(me, "premium")
    persona = await memory.accounts.persona(me, "Mina")
    spent: list[Counter[str]] = []
    for many in (5, 35):
        for number in range(many):
            await save_episode(
                memory, me, f"{many}-{number}", topics=(f"{many}-{number}",)
            )
        cost.clear()
        assert len(await memory.episodes.load(me, persona, limit=5)) == 5
        spent.append(cost.copy())
    assert spent[0] == spent[1]
    assert spent[1]["opened"] <= 5 * 3


@pytest.mark.req("E18")
async def test_saving_costs_the_same_among_thirty_and_among_fifty(
    memory: Gieok, me: Scope, cost: Counter[str]
) -> None:
    await memory.episodes.set_plan(me, "premium")
    spent: list[Counter[str]] = []
    for many in (30, 20):
        for number in range(many):
            await save_episode(
                memory, me, f"{many}-{number}", topics=(f"{many}-{number}",)
            )
        cost.clear()
        await save_episode(memory, me, f"after {many}", topics=(f"after {many}",))
        spent.append(cost.copy())
    assert spent[0] == spent[1]
