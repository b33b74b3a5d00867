"""create_schedule(target=): what a known machine adds to a schedule."""

from __future__ import annotations

from pathlib import Path

import pytest
import solway as sw


def product(target=None):
    A = sw.placeholder((1024,), name="A")
    B = sw.placeholder((1024,), name="B")
    C = sw.compute((1024,), lambda i: A[i] * B[i], name="C")
    return A, C, sw.create_schedule(C, target=target)


@pytest.mark.parametrize("target", ["sw26010", sw.Target.load("sw26010")], ids=["name", "Target"])
def test_figure_4d(target):
    _, C, s = product(target)
    s[C].athread_parallel(C.axis[0])
    assert str(s) == (
        "Id = get_id()\n"
        "Let i.begin = min(Id*16, 1024)\n"
        "Let i.end = min(i.begin + 16, 1024)\n"
        "For i in range(i.begin, i.end)  # parallel\n"
        "  C[i] = A[i]*B[i]\n"
    )


def test_figure_4d_of_one_core():
    _, C, s = product("c")
    s[C].parallel("i")
    assert "Let i.begin = min(Id*1024, 1024)\n" in str(s)


def test_buffers_that_do_not_fit_are_refused_at_once():
    A = sw.placeholder((64, 1024), name="A")
    B = sw.compute((64, 1024), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B, target="sw26010")
    outer, _ = s[B].split("i", factor=16)
    before = str(s)
    with pytest.raises(sw.CapacityError) as raised:
        s.buffer_read(A, at=outer)
    error = raised.value
    assert error.needed_bytes == 65536 > error.available_bytes
    assert error.where.text == "s.buffer_read(A, at=outer)"
    assert str(s) == before
    answer = s.legal("buffer_read", A, at=outer)
    assert isinstance(answer.error, sw.CapacityError)
    s.buffer_read(A, at=s[B].axis[1])


def test_memories_that_are_not_there_are_refused_at_once():
    A, _, s = product("sw26010")
    with pytest.raises(sw.UnsupportedError, match="panel"):
        s.buffer_read(A, ["i"], scope="panel")
    assert "AA" not in str(s)


def grid(target):
    A = sw.placeholder((16, 16), name="A")
    B = sw.compute((16, 16), lambda i, j: A[i, j] * 2, name="B")
    return A, B, sw.create_schedule(B, target=target)


def test_cores_that_are_not_there_are_refused_at_once():
    _, B, s = grid("sw26010")
    with pytest.raises(sw.UnsupportedError, match="mesh of 8 rows and 8 columns, and 16") as raised:
        s[B].parallel("i", "j", grid=(16, 8))
    assert raised.value.where.text == 's[B].parallel("i", "j", grid=(16, 8))'
    with pytest.raises(sw.UnsupportedError, match="no target has a 'warp'"):
        s[B].bind("i", "warp")
    assert s.log == ()
    s[B].parallel("i", "j", grid=(8, 8))


def test_a_build_points_at_the_line_of_the_mark():
    A, B, s = grid(None)
    i_o, _ = s[B].split("i", factor=4)
    s[B].bind(i_o, "warp")
    with pytest.raises(sw.UnsupportedError) as raised:
        sw.build(s, [A, B], target="sw26010")
    assert raised.value.where.text == 's[B].bind(i_o, "warp")'


def test_without_a_target_capacity_waits_for_the_build():
    A, _, s = product()
    s.buffer_read(A, ["i"], scope="panel")
    assert "AA[i] = A[i]" in str(s)


def test_unknown_target():
    with pytest.raises(sw.UnsupportedError, match="sw26020"):
        product("sw26020")


MACHINE = Path(__file__).parents[1] / "errors" / "machine.toml"


@pytest.mark.parametrize("kind", [str, Path, sw.Target.load])
def test_a_schedule_for_a_file_is_loaded_for_it_again(kind, tmp_path):
    file = tmp_path / "machine.toml"
    file.write_text(MACHINE.read_text())
    _, C, s = product(kind(str(file)))
    s[C].split("i", factor=16)
    s.save(tmp_path / "s")
    again = sw.load_schedule(tmp_path / "s", C)
    assert str(again) == str(s) and again.to_python() == s.to_python()
    assert str(file) in s.to_python()
