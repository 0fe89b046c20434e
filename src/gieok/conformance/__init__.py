"""Checks of a sync server from outside: a correct device, then a hostile one.

for result in run_checks("https://memory.example", token):
    print(result.name, result.outcome, result.detail)

What is pushed stays with the person whose token it is.
"""

from gieok.conformance.model import CheckKind, CheckOutcome, ConformanceResult
from gieok.conformance.running import CHECKS, run_checks

__all__ = ["CHECKS", "CheckKind", "CheckOutcome", "ConformanceResult", "run_checks"]
