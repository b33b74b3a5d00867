"""Targets: names, files, what they say, and what `build` does with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw

FILES = Path(__file__).parents[2] / "targets"


def doubled():
    A = sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] * 2, name="C")
    return sw.create_schedule(C), [A, C]


def changed(tmp_path, old, new, name="mine.toml"):
    """The file of sw26010 with one text replaced."""
    text = (FILES / "sw26010.toml").read_text()
    assert old in text
    path = tmp_path / name
    path.write_text(text.replace(old, new, 1))
    return path


def test_names():
    assert sw.targets()[0] == "host"
    assert {"c", "sw26010", "x86-64-v3", "x86-64-v4"} < set(sw.targets())
    for name in sw.targets():
        assert sw.Target.load(name).description


def test_sw26010_as_data():
    t = sw.Target.load("sw26010")
    assert (t.name, t.dialect, t.default_scope, t.llvm_cpu) == ("sw26010", "athread", "ldm", "")
    assert (t.cores.count, t.cores.mesh_rows, t.cores.mesh_columns) == (64, 8, 8)
    assert t.cores.clock_mhz == 1450
    assert [m.name for m in t.memories] == ["main", "ldm"]
    ldm = t.memory("ldm")
    assert (ldm.kind, ldm.size_bytes, ldm.shared_by) == ("scratchpad", 65536, "core")
    (dma,) = t.transfer_engines
    assert (dma.name, dma.near, dma.alignment_bytes, dma.max_pending) == ("dma", "ldm", 4, 3)
    assert dma.bandwidth[0] == (32, 4.31, 2.56)
    assert t.vector.register_bits == 256
    assert t.vector.lanes == {"float64": 4, "float32": 4, "int32": 8}
    assert repr(t) == "<target sw26010: Sunway SW26010, one core group of 64 computing cores>"


def test_a_target_without_vectors_and_engines():
    t = sw.Target.load("c")
    assert t.vector is None and t.transfer_engines == ()
    assert t.memory("panel").kind == "cache"
    with pytest.raises(sw.UnsupportedError, match="target 'c' has no memory 'ldm'") as caught:
        t.memory("ldm")
    assert caught.value.why == "its memories are 'main', 'panel', 'register'"
    assert caught.value.where.file == __file__


def test_targets_cannot_be_changed():
    with pytest.raises(AttributeError):
        sw.Target.load("c").cores.count = 2


def test_loading_a_file(tmp_path):
    path = changed(tmp_path, 'name = "sw26010"', 'name = "mine"')
    for given in (path, str(path)):
        assert sw.Target.load(given).name == "mine"


@pytest.mark.parametrize(
    ("old", "new", "what", "why"),
    [
        ("clock_mhz =", "clock_mzh =", "lacks the key 'cores.clock_mhz'", "'clock_mzh'"),
        (
            "mesh_rows",
            "colour = 3\nmesh_rows",
            "has the unknown key 'cores.colour'",
            "mine.toml:LINE",
        ),
        ("count = 64", "count = 63", "unusable key 'cores.count'", "the mesh has 64"),
        ("size_bytes = 65536", 'size_bytes = "64 KB"', "'memories[1].size_bytes'", "an integer"),
        ('dialect = "athread"', 'dialect = "cuda"', "unusable key 'dialect'", "'cuda'"),
        ("[cores]", "[cores", "is not TOML", "mine.toml:LINE"),
    ],
)
def test_files_that_do_not_fit(tmp_path, old, new, what, why):
    path = changed(tmp_path, old, new)
    line = path.read_text().split(new)[0].count("\n") + 1
    why = why.replace("LINE", str(line))
    s, args = doubled()
    with pytest.raises(sw.ScheduleArgumentError) as loaded:
        sw.Target.load(path)
    with pytest.raises(sw.ScheduleArgumentError) as built:
        sw.build(s, args, target=str(path))
    for caught in (loaded, built):
        assert what in caught.value.what and why in caught.value.why
        assert str(path) in caught.value.what
        assert caught.value.where.file == __file__


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(sw.ScheduleArgumentError, match="cannot be read"):
        sw.Target.load(tmp_path / "none.toml")


def test_names_that_are_not_there():
    for name in ("pdp11", "", "SW26010"):
        with pytest.raises(sw.UnsupportedError, match="is not there") as caught:
            sw.Target.load(name)
        assert all(f"'{target}'" in caught.value.why for target in sw.targets())


@pytest.mark.parametrize("target", [None, 3, {"name": "c"}])
def test_what_is_no_target(target):
    s, args = doubled()
    with pytest.raises(sw.UnsupportedError, match="target=") as caught:
        sw.build(s, args, target=target)
    assert type(target).__name__ in caught.value.why


def test_building_for_a_target_and_for_a_file(tmp_path):
    path = changed(tmp_path, 'name = "sw26010"', 'name = "half"')
    path.write_text(path.read_text().replace("count = 64 ", "count = 32 "))
    path.write_text(path.read_text().replace("mesh_rows = 8 ", "mesh_rows = 4 "))
    s, args = doubled()
    s[args[-1]].parallel("i")
    for target in (sw.Target.load(path), path, str(path)):
        k = sw.build(s, args, target=target)
        assert "over 32 cores" in k.source["kernel_cpe.c"]
        np.testing.assert_array_equal(k.run(np.arange(4, dtype="f4")), [0, 2, 4, 6])
    assert sw.build(s, args, target=sw.Target.load(path)).target == "half"
    assert sw.build(s, args, target=sw.Target.load("c")).target == "c"


def test_levels_of_this_processor():
    level = sw.Target.load("host").name
    s, args = doubled()
    k = sw.build(s, args, target=level)
    assert k.target == level
    np.testing.assert_array_equal(k.run(np.arange(4, dtype="f4")), [0, 2, 4, 6])
