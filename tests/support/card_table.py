"""A gieok whose tutor keeps cards in a table, and what stands in it."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

from gieok import Config, Gieok, Parts, Scope, open_memory
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.kms_server import Line
from support.tutor_cloud import TABLE


def open_with_table(
    config: Config, clock: FixedClock, line: Line, **changes: Any
) -> AbstractAsyncContextManager[Gieok]:
    """Open a gieok on the same database whose tutor has the table."""
    parts = Parts(
        clock=clock,
        model=ScriptedModel(),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )
    own = replace(config, tutor_table=TABLE, dynamodb_endpoint=line.url, **changes)
    return open_memory(own, parts=parts, worker=False)


def build_item_key(person: Scope) -> dict[str, Any]:
    """Return the key of a person's item."""
    return {"PK": {"S": f"USER#{person.user_id}"}, "SK": {"S": "MEMORY"}}


def find_item(client: Any, person: Scope) -> dict[str, Any]:
    """Return a person's item as another program reads it; `{}` without one."""
    found = client.get_item(TableName=TABLE, Key=build_item_key(person))
    return found.get("Item", {})
