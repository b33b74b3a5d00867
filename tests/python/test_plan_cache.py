"""The cache of measured searches: killed writers, no space, many processes."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from solway import _plan_cache

PYTHON = str(Path(__file__).parents[2] / "python")
KEY = "a" * 64

#: Writes entries of one key, each with a value of its own all over, until it is killed.
WRITER = """
import sys
from solway import _plan_cache
for n in range(int(sys.argv[2])):
    mark = f"{sys.argv[1]}-{n}"
    _plan_cache.store("a" * 64, {"marks": [mark] * 2000})
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", PYTHON)
    return tmp_path / "cache"


def writer(name, count):
    return subprocess.Popen([sys.executable, "-c", WRITER, str(name), str(count)])


def is_whole(found):
    """None, or an entry of one writer from end to end."""
    return found is None or (len(found["marks"]) == 2000 and len(set(found["marks"])) == 1)


def test_what_is_stored_is_found():
    assert _plan_cache.load(KEY) is None
    assert _plan_cache.store(KEY, {"picks": {"C": 2}}) == ""
    assert _plan_cache.load(KEY) == {"picks": {"C": 2}}
    assert _plan_cache.load("b" * 64) is None


def test_keys_differ_in_all_that_counts():
    keys = {_plan_cache.key_of(*parts) for parts in (("a", "b", "c"), ("a", "b", "d"),
                                                     ("a", "bc", ""), ("ab", "", "c"))}  # fmt: skip
    assert len(keys) == 4


def test_it_can_be_switched_off(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    assert _plan_cache.store(KEY, {"x": 1}) == ""
    assert _plan_cache.load(KEY) is None
    assert not list(tmp_path.iterdir())


def test_a_writer_that_is_killed_leaves_old_or_new(folder):
    seen = 0
    for name in range(6):
        process = writer(name, 10**6)
        end = time.monotonic() + 20
        while not list(folder.glob("*.json")) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05 + 0.013 * name)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = _plan_cache.load(KEY)
        assert is_whole(found)
        seen += found is not None
    assert seen == 6


@pytest.mark.slow
def test_64_writers_at_once():
    processes = [writer(name, 4) for name in range(64)]
    reads = 0
    while any(process.poll() is None for process in processes):
        assert is_whole(_plan_cache.load(KEY))
        reads += 1
    assert all(process.wait() == 0 for process in processes)
    assert reads > 0
    found = _plan_cache.load(KEY)
    assert found is not None
    assert is_whole(found)


def test_no_space_is_said_and_nothing_half_written_stays(folder):
    _plan_cache.store(KEY, {"marks": ["old"] * 2000})
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing then fails with EFBIG
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
        why = _plan_cache.store(KEY, {"marks": ["new"] * 200_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert str(folder) in why
    assert _plan_cache.load(KEY) == {"marks": ["old"] * 2000}
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.json"]


def test_a_folder_that_cannot_be_made_is_said(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("SOLWAY_CACHE", str(file / "cache"))
    assert str(file) in _plan_cache.store(KEY, {})
    assert _plan_cache.load(KEY) is None


def test_left_over_files_go(folder):
    folder.mkdir()
    old, new = folder / "entry-old.tmp", folder / "entry-new.tmp"
    for path in (old, new):
        path.write_text("half")
    os.utime(old, (0, 0))
    _plan_cache.store(KEY, {})
    assert not old.exists()
    assert new.exists()


def test_an_entry_is_text_with_its_key_and_checksum(folder):
    _plan_cache.store(KEY, {"picks": {}})
    entry = json.loads((folder / f"{KEY}.json").read_text())
    assert set(entry) == {"content", "checksum"}
    assert entry["content"]["key"] == KEY
