"""Count what PostgreSQL reads to answer a statement."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from psycopg.sql import SQL

from gieok.database.row_security import APP_ROLE
from support.database import Owner


async def count_read_rows(
    owner: Owner, user_id: UUID, statement: str, parameters: dict[str, Any]
) -> float:
    """Return how many rows a statement reads or compares, run as a person.

    Of rows that are compared with others every pair counts.
    """
    await owner.execute(SQL("SET LOCAL ROLE {}").format(SQL(APP_ROLE)))
    await owner.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
    found = await owner.execute(
        f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}".encode(), parameters
    )
    (plans,) = await found.fetchone() or ([],)
    await owner.execute("RESET ROLE")
    return sum(_list_reads(plans[0]["Plan"]))


def _list_reads(plan: dict[str, Any]) -> Iterator[float]:
    dropped = sum(
        rows for name, rows in plan.items() if name.startswith("Rows Removed")
    )
    kept = plan["Actual Rows"] if "Relation Name" in plan else 0
    yield plan["Actual Loops"] * (kept + dropped)
    for step in plan.get("Plans", []):
        yield from _list_reads(step)
