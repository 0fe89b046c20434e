"""Nothing is lost, doubled or disordered, whatever fails; mutants are noticed."""

import pytest
from mutants import CLOUD, DEVICE, run_cloud_mutant, run_device_mutant

from simulation import run_seed

CHUNKS, SEEDS = 3, 250
"""A slice; `make sim` runs as many as it is asked for."""
ONCE_FAILED = (300_256, 600_131)
"""Seeds outside of these that showed a fault."""
SOME = (
    "cursor_before_apply",
    "no_rewind",
    "erased_words_survive_a_snapshot",
    "commits_are_not_synced",
)

pytestmark = [pytest.mark.req("A08", "A16", "A17"), pytest.mark.slow]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_invariant_holds_at_every_step(chunk: int) -> None:
    """`make sim SEEDS=1 FIRST=<seed>` tells a history that fails here."""
    for seed in range(1 + chunk * SEEDS, 1 + (chunk + 1) * SEEDS):
        try:
            run_seed(seed)
        except Exception as error:  # noqa: BLE001 - any of them fails the seed
            pytest.fail(f"make sim SEEDS=1 FIRST={seed}: {error!r}")


@pytest.mark.parametrize("seed", ONCE_FAILED)
def test_what_once_failed_holds(seed: int) -> None:
    run_seed(seed)


def test_a_seed_is_the_same_history_every_time() -> None:
    told: list[list[str]] = [[], []]
    for each in told:
        run_seed(7, tell=each.append)
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["ledger_unchecked", "people_share_devices"])
def test_a_cloud_without_a_rule_is_noticed(name: str) -> None:
    assert name in CLOUD
    assert run_cloud_mutant(name)


@pytest.mark.parametrize("name", SOME)
def test_a_device_without_a_rule_is_noticed(name: str) -> None:
    (patch,) = (each for each in DEVICE if each.name == name)
    assert run_device_mutant(patch)


def test_every_patch_has_its_place() -> None:
    from mutants import SOURCE  # noqa: PLC0415 - only here

    for patch in DEVICE:
        text = (SOURCE / "device" / patch.file).read_text("utf-8")
        assert text.count(patch.old) == 1, patch.name
