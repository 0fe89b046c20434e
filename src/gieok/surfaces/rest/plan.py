"""The plan a person is on; only an operator changes it (E07)."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.plan import PlanChange, PlanView

router = create_router("/api/v1/users/me/plan", "plan")


@router.get("")
async def get_plan(caller: CurrentCaller) -> PlanView:
    """Return the person's plan."""
    plan = await caller.gieok.accounts.plan(caller.scope)
    return PlanView.model_validate({"plan": plan})


@router.put("")
async def set_plan(caller: CurrentCaller, change: PlanChange) -> PlanView:
    """Put the person on a plan, which takes the right `admin`.

    On the smaller one, what is over its limit is archived and not lost.
    """
    await caller.gieok.episodes.set_plan(caller.scope, change.plan)
    return PlanView(plan=change.plan)
