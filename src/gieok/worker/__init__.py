"""What follows later: jobs, and the worker that runs them."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.worker.pace import NORMAL, Pace

if TYPE_CHECKING:
    from gieok.worker.runner import run_worker, stop_worker
else:
    __getattr__ = export_lazily(
        __name__,
        dict.fromkeys(("run_worker", "stop_worker"), "gieok.worker.runner"),
    )

__all__ = ["NORMAL", "Pace", "run_worker", "stop_worker"]
