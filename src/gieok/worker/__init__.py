"""What follows later: jobs, and the worker that runs them."""

from gieok.worker.runner import NORMAL, Pace, run_worker

__all__ = ["NORMAL", "Pace", "run_worker"]
