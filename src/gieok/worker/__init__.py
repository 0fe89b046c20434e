"""What follows later: jobs, and the worker that runs them."""

from gieok.worker.runner import run_worker

__all__ = ["run_worker"]
