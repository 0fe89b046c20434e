"""Rules left out, one at a time: a simulation that does not notice is worth nothing.

    make mutants

runs each against its seeds. Rules of the cloud are left out of the model by name, those
of the device by a patch of one place in a copy of the package.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

HERE: Final = Path(__file__).parent
SOURCE: Final = HERE.parents[1] / "src" / "gieok"
SEEDS: Final = 300

CLOUD: Final = (
    "ack_before_commit",
    "gap_accepted",
    "ledger_unchecked",
    "no_dedup",
    "no_epoch_on_restore",
    "no_floor_check",
    "no_fork_detection",
    "people_share_devices",
    "visibility_gap",
)


@dataclass(frozen=True, slots=True)
class Patch:
    """One place of the device half, and what a mutant says there."""

    name: str
    file: str
    old: str
    new: str
    first: int = 1
    """The first seed; later for what few histories show."""


DEVICE: Final = (
    Patch(
        "commits_are_not_synced",
        "file.py",
        '    "PRAGMA synchronous = FULL",\n',
        '    "PRAGMA synchronous = NORMAL",\n',
    ),
    Patch(
        "words_and_number_in_two_commits",
        "store.py",
        '({_PAIR}) VALUES (?, ?, ?, ?, ?, ?, ?)"',
        '({_PAIR}) VALUES (?, ?, ?, ?, ?, ?, ?);"\n'
        '            " COMMIT; BEGIN IMMEDIATE"',
    ),
    Patch(
        "device_trusts_what_it_sent",
        "engine.py",
        "    if status in _LATER or status >= 500:",
        "    if status in _LATER and request.kind is RequestKind.PUSH:\n"
        "        newest = received.cursor.newest\n"
        "        return Decision(received.link, (AcceptPairs(newest, ()),))\n"
        "    if status in _LATER or status >= 500:",
    ),
    Patch(
        "cursor_before_apply",
        "device.py",
        "            if decision.effects or is_level",
        "            for each in decision.effects:\n"
        "                if type(each).__name__ == 'ApplyPage':\n"
        "                    with self.file.begin():\n"
        "                        rows.save_cursor(\n"
        "                            replace(cursor, last_cloud_update_seq=each.to)\n"
        "                        )\n"
        "            if decision.effects or is_level",
    ),
    Patch(
        "epoch_before_snapshot",
        "engine.py",
        '                "clock_offset_ms": offset,\n',
        '                "clock_offset_ms": offset,\n'
        '                "epoch": answer.epoch,\n',
    ),
    Patch(
        "no_rewind",
        "engine.py",
        "    known = cursor.last_pair_seq\n    moved",
        "    known = cursor.last_pair_seq\n"
        "    if server.seq < known:\n"
        "        return {}\n"
        "    moved",
    ),
    Patch(
        "words_dropped_at_ack",
        "applying.py",
        "        if cursor.is_withheld:\n",
        "        if True:\n",
    ),
    Patch(
        "no_fork_seen_on_the_device",
        "engine.py",
        "    if received.find_own_position(server.seq) != server:\n"
        "        return None\n",
        "    if received.find_own_position(server.seq) is None:\n        return {}\n",
    ),
    Patch(
        "erased_words_survive_a_snapshot",
        "applying.py",
        "        self.rows.erase_pairs_until(cursor.staged_up or 0, but_staged=True)\n",
        "",
    ),
    Patch(
        "own_words_survive_their_erasure",
        "applying.py",
        "        if item.entity == _PAIR:\n            self.rows.erase_pair",
        "        if item.entity == '':\n            self.rows.erase_pair",
    ),
    Patch(
        "gone_device_keeps_what_it_has",
        "engine.py",
        "        return Decision(Link(), (EmptyFile(is_gone=reply.field !="
        ' "content"),))',
        "        return Decision(Link(), (SetCursor({'error': DeviceFault.GONE}),))",
    ),
    Patch(
        "rejected_words_stay_erased_ones_too",
        "applying.py",
        "                self.rows.clear_pair(seq, PairState.ERASED)\n",
        "                pass\n",
    ),
    Patch(
        "consent_withdrawn_wipes_nothing",
        "applying.py",
        "                self.rows.clear_items()\n",
        "",
    ),
    Patch(
        "lost_answer_is_not_asked_again",
        "engine.py",
        "        moved = {}\n",
        "        pass\n",
    ),
    Patch(
        "ok_before_everything_is_here",
        "engine.py",
        "        and cursor.last_pair_seq == cursor.newest_seq\n",
        "",
    ),
    Patch(
        "snapshot_goes_on_in_another_copy",
        "engine.py",
        '            fields["page"] = cursor.staged_page\n',
        '            fields["page"] = cursor.staged_page\n'
        "        if link.failures:\n"
        '            fields["page"] = f"{link.head}-{1 << 700}"\n',
    ),
    Patch(
        "what_somebody_decided_is_not_done",
        "engine.py",
        "    if answer.resolution is not None:\n",
        "    if answer.resolution is not None and not cursor:\n",
    ),
    Patch(
        "a_copy_of_what_was_decided_about_goes_on",
        "engine.py",
        "    if answer.resolution is not None:\n",
        "    if answer.resolution is not None and cursor.needs_person:\n",
    ),
    Patch(
        "nobody_hears_that_it_waits",
        "wire.py",
        "if tells_waiting and cursor.needs_person else {}",
        "if tells_waiting and not cursor else {}",
    ),
    Patch(
        "page_applied_wherever_it_begins",
        "engine.py",
        "    if page.since != cursor.last_cloud_update_seq or page.to < page.since:\n",
        "    if page.to < page.since:\n",
    ),
    Patch(
        "ahead_of_what_was_sent",
        "engine.py",
        '    last = min(up.seq, received.request.fields["pairs"][-1]["seq"])\n',
        "    last = up.seq\n",
        first=300_200,
    ),
    Patch(
        "what_was_taken_stays_open",
        "store.py",
        '            if pair.seq <= until and "said" in pair.body:\n',
        "            if pair.seq < 0:\n",
    ),
    Patch(
        "a_restored_cloud_is_sent_other_words_than_counted",
        "engine.py",
        "        effects.append(NumberAnew())\n",
        "        pass\n",
        first=1_100,
    ),
)


def run_cloud_mutant(name: str, seeds: int = SEEDS) -> bool:
    """Return whether the simulation notices a rule that the cloud leaves out."""
    return not _run(SOURCE.parent, seeds, name)


def run_device_mutant(patch: Patch, seeds: int = SEEDS) -> bool:
    """Return whether the simulation notices a patch of the device half."""
    with TemporaryDirectory() as folder:
        package = Path(folder) / "gieok"
        package.mkdir()
        for each in SOURCE.iterdir():
            if each.name not in {"device", "__pycache__"}:
                (package / each.name).symlink_to(each)
        device = package / "device"
        shutil.copytree(
            SOURCE / "device", device, ignore=shutil.ignore_patterns("__pycache__")
        )
        text = (device / patch.file).read_text("utf-8")
        assert text.count(patch.old) == 1, f"{patch.name} has no place any more"
        (device / patch.file).write_text(text.replace(patch.old, patch.new), "utf-8")
        return not _run(Path(folder), seeds, first=patch.first)


def _run(source: Path, seeds: int, *broken: str, first: int = 1) -> bool:
    paths = [str(source), os.environ.get("PYTHONPATH", "")]
    words = [sys.executable, "simulation.py", str(seeds), str(first), *broken, "--stop"]
    done = subprocess.run(  # noqa: S603 - a program of ours
        words,
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    assert done.returncode == 0 or "seed " in done.stdout, done.stderr
    return done.returncode == 0


if __name__ == "__main__":
    left = [name for name in CLOUD if not run_cloud_mutant(name)]
    left += [patch.name for patch in DEVICE if not run_device_mutant(patch)]
    print(f"{len(CLOUD) + len(DEVICE)} mutants, not noticed: {left}")  # noqa: T201
    sys.exit(bool(left))
