"""Files that a user asks for are written whole, in place of what was there."""

from __future__ import annotations

import os
import threading

import pytest
from solway._written import replace_file


def test_a_new_file_and_one_in_place_of_another(tmp_path):
    file = tmp_path / "a.txt"
    replace_file(file, "first")
    assert file.read_text() == "first"
    replace_file(file, b"\x00second")
    assert file.read_bytes() == b"\x00second"
    assert list(tmp_path.iterdir()) == [file]


def test_rights_of_a_new_file_are_the_usual_ones_and_old_ones_stay(tmp_path):
    file = tmp_path / "a.txt"
    before = os.umask(0o027)
    try:
        replace_file(file, "first")
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o640
    file.chmod(0o600)
    replace_file(file, "second")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there" / "file")
    for text in ("first", "second"):
        replace_file(link, text)
        assert link.is_symlink()
        assert (tmp_path / "there" / "file").read_text() == text


def test_what_is_no_file_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    replace_file(pipe, "through")
    reader.join(timeout=60)
    assert read == ["through"]
    assert pipe.is_fifo()


def test_errors_name_the_path_that_was_given(tmp_path):
    for path in (tmp_path / "no" / "file", tmp_path):
        with pytest.raises(OSError, match=r"No such file|Is a directory") as caught:
            replace_file(path, "text")
        assert caught.value.filename == str(path)
        assert "tmp" not in str(caught.value.strerror)
    assert list(tmp_path.iterdir()) == []
