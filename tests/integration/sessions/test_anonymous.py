"""A session without a person goes by itself, with whoever it was for (B02)."""

from datetime import timedelta

import pytest

from gieok import Gieok, Turn
from gieok.database import AnonymousEnded
from gieok.kernel.errors import ConflictError, InvalidInputError
from gieok.testing import FixedClock
from gieok.worker.job_steps import ON
from support.database import Owner
from support.jobs import list_queued_tasks

pytestmark = pytest.mark.req("B02")
DAY = timedelta(hours=24)


async def test_it_is_erased_by_a_job_when_its_time_is_over(
    memory: Gieok, clock: FixedClock, owner: Owner
) -> None:
    scope, session = await memory.start_anonymous(language="en")
    assert session.expires_at == clock() + DAY
    await memory.sessions.record(scope, session.session_id, Turn("I keep bees", "Ok"))
    clock.advance(DAY)
    with pytest.raises(ConflictError):
        await memory.sessions.record(scope, session.session_id, Turn("Hi", "Ok"))
    await memory.agenda.enqueue_due()
    assert AnonymousEnded.name in await list_queued_tasks(memory, scope)
    for step in ON[AnonymousEnded]:
        await step(memory, scope, scope.user_id)
    assert not await memory.maintenance.vault.keystore.list_keys(scope.user_id)
    found = await owner.execute(
        "SELECT count(*) FROM session_messages WHERE user_id = %s", [scope.user_id]
    )
    assert await found.fetchone() == (0,)
    (receipt,) = await memory.erasure.receipts(scope)
    assert receipt.counts["session_messages"] == 2


async def test_it_never_lasts_longer_than_a_day(
    memory: Gieok, clock: FixedClock
) -> None:
    soon = clock() + timedelta(hours=1)
    _, session = await memory.start_anonymous(expires_at=soon)
    assert session.expires_at == soon
    for wrong in (clock() + DAY + timedelta(seconds=1), clock()):
        with pytest.raises(InvalidInputError) as refused:
            await memory.start_anonymous(expires_at=wrong)
        assert refused.value.field == "expires_at"


async def test_no_name_leads_to_one_of_them(memory: Gieok) -> None:
    scope, session = await memory.start_anonymous()
    for name in (str(session.session_id), session.session_id.hex, str(scope.user_id)):
        assert memory.person(name).user_id != scope.user_id
