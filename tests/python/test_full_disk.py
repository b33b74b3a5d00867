"""A disk that is really full: results stay right, and nothing half-written is served."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from solway import _plan_cache
from support.foreign import require_emulator
from support.small_disk import small_disk

PYTHON = str(Path(__file__).parents[2] / "python")
KEY = "a" * 64
WRITER = """
import sys
from solway import _plan_cache
for n in range(200):
    _plan_cache.store(f"{n % 3:064}", {"marks": [f"{sys.argv[1]}-{n}"] * 2000})
"""


def entry(mark):
    """Several pages, with the same mark from end to end."""
    return {"marks": [mark] * 2000}


def is_whole(found):
    return found is None or (len(found["marks"]) == 2000 and len(set(found["marks"])) == 1)


@pytest.fixture
def disk(monkeypatch, tmp_path):
    with small_disk(tmp_path / "disk", "size=256k") as made:
        monkeypatch.setenv("SOLWAY_CACHE", str(made.folder / "cache"))
        monkeypatch.setenv("PYTHONPATH", PYTHON)
        yield made


def test_an_entry_is_old_or_new_whatever_room_is_left(disk):
    assert _plan_cache.store(KEY, entry("old")) == ""
    kept = 0
    for pages in range(16):
        disk.leave(pages * 4096)
        why = _plan_cache.store(KEY, entry(f"new {pages}"))
        found = _plan_cache.load(KEY)
        assert is_whole(found) and found is not None
        assert (found["marks"][0] == f"new {pages}") == (why == ""), why
        assert why == "" or ("No space left" in why and str(disk.folder) in why)
        assert [path.name for path in (disk.folder / "cache").iterdir()] == [f"{KEY}.json"]
        kept += why == ""
    assert 0 < kept < 16


def test_no_room_for_the_folder_is_said(monkeypatch, tmp_path):
    with small_disk(tmp_path / "disk", "size=64k,nr_inodes=2") as disk:
        (disk.folder / "file").touch()
        monkeypatch.setenv("SOLWAY_CACHE", str(disk.folder / "cache"))
        assert "No space left" in _plan_cache.store(KEY, entry("new"))
        assert _plan_cache.load(KEY) is None


def test_writers_that_run_out_of_room_together(disk):
    disk.leave(20 * 4096)  # one entry takes several, three and their copies do not fit
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(n)]) for n in range(4)]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        for n in range(3):
            found = _plan_cache.load(f"{n:064}")
            assert is_whole(found)
            seen += found is not None
    assert all(writer.wait() == 0 for writer in writers)
    assert seen > 0
    assert not list((disk.folder / "cache").glob("*.tmp"))


def test_what_was_saved_before_stays(tmp_path):
    A, B, C = product()
    s = sw.create_schedule(C)
    s[C].parallel("i")
    kernel = sw.build(s, [A, B, C], name="mm")
    with small_disk(tmp_path / "disk", "size=256k") as disk:
        file, whys = disk.folder / "mm.schedule", []
        s.save(file)
        before = file.read_text()
        s[C].vectorize("j")
        for pages in range(4):
            disk.leave(pages * 4096)
            try:
                s.save(file)
            except sw.ScheduleArgumentError as error:
                whys.append(error.why)
                assert file.read_text() == before
            assert {p.name for p in disk.folder.iterdir()} == {"mm.schedule", "ballast"}
        assert 0 < len(whys) < 4
        assert set(whys) == {"No space left on device"}
        disk.leave(0)
        with pytest.raises(sw.ArgumentMismatchError, match=r"No space left on device: .*disk/k"):
            kernel.save(disk.folder / "k")


def product():
    A, B = sw.placeholder((24, 24), name="A"), sw.placeholder((24, 24), name="B")
    k = sw.reduce_axis(24, name="k")
    return A, B, sw.compute((24, 24), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")


def test_a_search_whose_result_cannot_be_kept_gives_right_results(disk):
    a = np.arange(576, dtype="float32").reshape(24, 24) % 7
    verdicts = []
    for room in (0, 200_000):
        disk.leave(room)
        A, B, C = product()
        s = sw.create_schedule(C)
        chosen = s.auto_schedule("host")
        np.testing.assert_array_equal(sw.build(s, [A, B, C]).run(a, a), a @ a)
        verdicts.append([why for _, verdict, why in chosen.remarks if "not kept" in verdict])
        kept = list((disk.folder / "cache").glob("*"))
        assert len(kept) == (room == 200_000), kept
    assert "No space left" in verdicts[0][0]
    assert verdicts[1] == []


@pytest.mark.parametrize("target", ["c", "aarch64-neon", "riscv64-v", "sw26010"])
def test_temporary_files_without_room_are_an_error_that_says_so(target, monkeypatch, tmp_path):
    if target in ("aarch64-neon", "riscv64-v"):
        require_emulator(target)
    A, B, C = product()
    a = np.arange(576, dtype="float32").reshape(24, 24) % 7
    with small_disk(tmp_path / "disk", "size=4m") as disk:
        monkeypatch.setenv("TMPDIR", str(disk.folder))
        monkeypatch.setattr(tempfile, "tempdir", None)
        refused, rooms = [], (0, 4096, 16384, 65536, 600_000, 3_900_000)
        for room in rooms:
            disk.leave(room)
            try:
                kernel = sw.build(sw.create_schedule(C), [A, B, C], target=target)
                np.testing.assert_array_equal(kernel.run(a, a), a @ a)
            except sw.UnsupportedError as error:
                refused.append(error)
        assert 0 < len(refused) < len(rooms)
        for error in refused:
            assert "set TMPDIR to another folder" in error.fix, error
            assert str(disk.folder) in error.why
