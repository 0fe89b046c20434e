"""What waits, what runs, and what was given up."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.surfaces.pages.console.operator import CurrentOperator, OperatorForm

router = APIRouter()


@router.get("/queue")
async def show_queue(operator: CurrentOperator) -> HTMLResponse:
    """Show jobs by task, state and age, and those that fail one by one."""
    jobs = operator.gieok.jobs
    return operator.render(
        "queue.html",
        lines=await jobs.list_queue(),
        failed=await jobs.list_failed(),
        retrying=await jobs.list_retrying(),
    )


@router.post("/queue/{job_id}/retry")
async def retry_job(
    operator: CurrentOperator, _: OperatorForm, job_id: int
) -> RedirectResponse:
    """Put a failed job back in the queue."""
    await operator.gieok.jobs.retry(job_id)
    return operator.send_to("queue", "retried")
