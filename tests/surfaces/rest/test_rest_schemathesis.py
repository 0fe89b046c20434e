"""Whatever the description allows may be sent: nothing breaks, nothing leaks."""

import asyncio
from dataclasses import astuple
from typing import Any, Final

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rest_people import HOUR, NewPerson, Script
from rest_things import TAINT, everything, owned_by

from gieok.surfaces.rest import Tokens

schemathesis = pytest.importorskip("schemathesis")
requests = pytest.importorskip("requests")

EXAMPLES: Final = 8
"""For each operation; a case is one request."""
NAMES: Final = ("sessionId", "session_id")


def with_id(case: Any, thing: str | None) -> Any:
    """Put somebody else's id wherever a request names a thing."""
    if thing is None:
        return case
    for name in case.path_parameters or ():
        case.path_parameters[name] = thing
    if isinstance(case.body, dict):
        case.body.update({name: thing for name in NAMES if name in case.body})
    return case


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_whatever_the_description_allows_breaks_and_leaks_nothing(
    app: FastAPI, address: str, tokens: Tokens, new_person: NewPerson, script: Script
) -> None:
    described = schemathesis.openapi.from_dict(app.openapi())
    token = {"Authorization": f"Bearer {tokens.issue('fuzzing', HOUR)}"}
    sent: dict[str, int] = {}

    def call(operation: Any, session: Any, things: list[str | None]) -> None:
        @seed(20_260_105)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        @given(case=operation.as_strategy(), thing=st.sampled_from(things))
        def run(case: Any, thing: str | None) -> None:
            asked = with_id(case, thing)
            answer = asked.call(base_url=address, headers=token, session=session)
            where = f"{operation.method} {operation.path} {answer.status_code}"
            sent[where] = sent.get(where, 0) + 1
            assert answer.status_code < 500, (where, answer.text)
            assert TAINT not in answer.text, where
            if answer.status_code >= 400:
                assert isinstance(answer.json(), dict), where

        run()

    def call_all(things: list[str | None]) -> None:
        with requests.Session() as session:
            for found in described.get_all_operations():
                call(found.ok(), session, things)

    async with new_person() as victim:
        theirs = await owned_by(victim, script)
        before = await everything(victim)
        things = [None, *astuple(theirs)]
        await asyncio.to_thread(call_all, things)
        assert await everything(victim) == before
    assert len({where.rpartition(" ")[0] for where in sent}) >= 40
    assert sum(sent.values()) >= 40 * EXAMPLES // 2
