"""Short runs of what is tried with bad storage: single calls that fail, power cuts, a full disk, an index cut short."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos import bad_disk, bad_files, power_cuts
from chaos.faults import fail_each
from chaos.scenes import Broken

needs_compiler = pytest.mark.skipif(not bad_files.is_possible(), reason="needs Linux and a C compiler named cc")
needs_small_disk = pytest.mark.skipif(
    not bad_disk.small_disks_are_possible(), reason="needs a system that lets a process mount a tmpfs for itself"
)


@needs_compiler
def test_whatever_call_on_the_files_fails_nothing_is_lost_and_the_next_try_succeeds(tmp_path: Path) -> None:
    found = fail_each(tmp_path, every=6)
    assert {action for action, _ in found.failed} == {"create", "edit", "publish", "purge"}
    assert {calls for _, calls in found.failed} == {"READ", "WRITE", "SYNC"}


@needs_compiler
def test_after_a_power_cut_all_that_was_acknowledged_is_there(tmp_path: Path) -> None:
    found = power_cuts.cut_power(tmp_path, cuts=4, revisions=110)
    assert (found.copies, found.acknowledged) == (12, 110)
    assert found.checkpoints > 1


@needs_compiler
def test_a_disk_that_keeps_nothing_back_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power_cuts.Disk, "take", lambda disk, entry: disk.pending.append(entry))
    with pytest.raises(Broken, match="unsynced lost"):
        power_cuts.cut_power(tmp_path, cuts=5, revisions=5)


@needs_small_disk
def test_a_full_disk_is_a_503_until_there_is_room_again(tmp_path: Path) -> None:
    bad_disk.fill_disk(tmp_path)


def test_a_running_server_outlives_a_mapped_file_that_is_cut_short(tmp_path: Path) -> None:
    assert bad_disk.cut_index(tmp_path, times=3) < bad_disk.RECOVERS_WITHIN
