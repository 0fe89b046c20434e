"""Runs the checks of a server, one after the other."""

from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple
from uuid import UUID

import httpx

from gieok.conformance import correct, hostile
from gieok.conformance.bench import CheckBench
from gieok.conformance.model import (
    CheckFailedError,
    CheckKind,
    CheckOutcome,
    CheckSkippedError,
    ConformanceResult,
)
from gieok.conformance.probe import Wire
from gieok.kernel.ids import generate_id

TIMEOUT_S: Final = 60.0


class ConformanceCheck(NamedTuple):
    """One check under its name."""

    name: str
    run: Callable[[CheckBench], None]


CORRECT: Final = (
    ConformanceCheck("join", correct.check_join),
    ConformanceCheck("push", correct.check_push),
    ConformanceCheck("repeat", correct.check_repeat),
    ConformanceCheck("rejection", correct.check_rejection),
    ConformanceCheck("overlap", correct.check_overlap),
    ConformanceCheck("lost_answer", correct.check_lost_answer),
    ConformanceCheck("second_device", correct.check_second_device),
    ConformanceCheck("ack", correct.check_ack),
    ConformanceCheck("reinstall", correct.check_reinstall),
    ConformanceCheck("compression", correct.check_compression),
    ConformanceCheck("full_push", correct.check_full_push),
)
HOSTILE: Final = (
    ConformanceCheck("no_token", hostile.check_no_token),
    ConformanceCheck("forged_token", hostile.check_forged_token),
    ConformanceCheck("versions", hostile.check_versions),
    ConformanceCheck("wrong_epoch", hostile.check_wrong_epoch),
    ConformanceCheck("unknown_incarnation", hostile.check_unknown_incarnation),
    ConformanceCheck("other_person", hostile.check_other_person),
    ConformanceCheck("gap", hostile.check_gap),
    ConformanceCheck("fork", hostile.check_fork),
    ConformanceCheck("numbers", hostile.check_numbers),
    ConformanceCheck("numbers_ahead", hostile.check_numbers_ahead),
    ConformanceCheck("chains", hostile.check_chains),
    ConformanceCheck("ids", hostile.check_ids),
    ConformanceCheck("pages", hostile.check_pages),
    ConformanceCheck("shapes", hostile.check_shapes),
    ConformanceCheck("bytes", hostile.check_bytes),
    ConformanceCheck("many_pairs", hostile.check_many_pairs),
    ConformanceCheck("large_turn", hostile.check_large_turn),
    ConformanceCheck("gzip_bomb", hostile.check_gzip_bomb),
    ConformanceCheck("gzip", hostile.check_gzip),
    ConformanceCheck("cut_body", hostile.check_cut_body),
    ConformanceCheck("refused_pairs", hostile.check_refused_pairs),
)
CHECKS: Final = tuple(each.name for each in (*CORRECT, *HOSTILE))
"""The names of all checks, in order."""


def run_checks(  # noqa: PLR0913 - most may be left out
    address: str,
    token: str,
    *,
    checks: Collection[str] = CHECKS,
    device: str | None = None,
    other_token: str | None = None,
    transport: httpx.BaseTransport | None = None,
    new_id: Callable[[], UUID] = generate_id,
) -> Iterator[ConformanceResult]:
    """Yield how each of the `checks` of a server ended, as it ends.

    `device` is the only one that the token opens, if it opens one alone. With the token
    of another person, it is checked that people are kept apart.

    Raises:
        httpx.TransportError: nothing answers at the address.
    """
    with (
        _open_client(address, token, transport) as http,
        _open_client(address, other_token or token, transport) as other,
    ):
        http.get("/health/live")
        wire = Wire(other) if other_token else None
        bench = CheckBench(Wire(http), new_id, device, wire)
        for kind, part in (CheckKind.CORRECT, CORRECT), (CheckKind.HOSTILE, HOSTILE):
            for check in part:
                if check.name in checks:
                    yield _run_check(bench, check, kind)


def _open_client(
    address: str, token: str, transport: httpx.BaseTransport | None
) -> httpx.Client:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.Client(
        base_url=address, headers=headers, timeout=TIMEOUT_S, transport=transport
    )


def _run_check(
    bench: CheckBench, check: ConformanceCheck, kind: CheckKind
) -> ConformanceResult:
    try:
        check.run(bench)
        if kind is CheckKind.HOSTILE:
            bench.check_target()
    except CheckSkippedError as why:
        return ConformanceResult(check.name, kind, CheckOutcome.SKIPPED, str(why))
    except CheckFailedError as fault:
        return ConformanceResult(check.name, kind, CheckOutcome.FAULT, str(fault))
    except httpx.TransportError as fault:
        detail = f"the connection broke: {type(fault).__name__}"
        return ConformanceResult(check.name, kind, CheckOutcome.FAULT, detail)
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        detail = f"the answer cannot be read: {fault!r}"[:200]
        return ConformanceResult(check.name, kind, CheckOutcome.FAULT, detail)
    return ConformanceResult(check.name, kind, CheckOutcome.PASSED)
