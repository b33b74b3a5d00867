"""Several references of a stage to one tensor: buffers that serve some of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

N = 256


def halves(n: int = N) -> tuple[sw.Tensor, sw.Tensor]:
    """The sum and the neighbours of two halves of a tensor."""
    x = sw.placeholder((2 * n + 1,), name="X")
    y = sw.compute((n,), lambda i: x[i] + 2 * x[i + 1] + 3 * x[i + n], name="Y")
    return x, y


def values_of_halves(x: np.ndarray, n: int = N) -> np.ndarray:
    return x[:n] + 2 * x[1 : n + 1] + 3 * x[n : 2 * n]


def whole_numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(-9, 10, shape).astype("f4")


def test_references_are_listed_as_they_are_written() -> None:
    x, y = halves()
    s = sw.create_schedule(y)
    assert s[y].references(x) == ["X[i]", "X[i + 1]", "X[i + 256]"]
    assert s[y].references(y) == []


def test_a_buffer_for_each_group() -> None:
    x, y = halves()
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=32)
    near = s.buffer_read(x, at=outer, references=[0, 1])
    far = s.buffer_read(x, at=outer, references=[2], depth=2)
    s.buffer_write(y, at=outer)
    assert (near.name, far.name) == ("XX", "XX_1")
    buffers = s.ldm_report("sw26010").to_dict()["memories"][0]["buffers"]
    sizes = {b["name"]: b["bytes"] for b in buffers}
    assert sizes == {"XX": 33 * 4, "XX_1": 2 * 32 * 4, "YY": 32 * 4}
    assert "references=[0, 1]" in str(s.ldm_report("sw26010"))
    kernel = sw.build(s, [x, y], target="sw26010", name="groups")
    values = whole_numbers(2 * N + 1)
    assert_equal_in_every_landing(kernel, [values], values_of_halves(values))


def test_the_others_go_on_reading_main_memory() -> None:
    x, y = halves()
    s = sw.create_schedule(y)
    outer, inner = s[y].split("i", factor=32)
    s.buffer_read(x, [inner], references=[2])
    assert "X[i.o*32 + i.i + 1]" in str(s)
    kernel = sw.build(s, [x, y], target="sw26010", name="one_group")
    values = whole_numbers(2 * N + 1)
    assert_equal_in_every_landing(kernel, [values], values_of_halves(values))
    assert kernel.last_run is not None
    assert kernel.last_run.bytes["gld"] > 0
    # What has none yet is served by a buffer that names none.
    rest = s.buffer_read(x, at=outer)
    assert s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"] == 128 + 33 * 4
    assert rest.name == "XX_1"


@pytest.mark.parametrize("on_cores", [False, True], ids=["one core", "all cores"])
def test_a_tile_and_its_mirror_image(on_cores: bool) -> None:
    n = 64
    x = sw.placeholder((n, n), name="X")
    y = sw.compute((n, n), lambda i, j: x[i, j] - 2 * x[j, i], name="Y")
    s = sw.create_schedule(y)
    io, jo, _, _ = s[y].tile("i", "j", 8, 8)
    if on_cores:
        s[y].parallel(io, jo, grid=(8, 8))
    s.buffer_read(x, at=jo, references=[0])
    s.buffer_read(x, at=jo, references=[1])
    s.buffer_write(y, at=jo)
    report = s.ldm_report("sw26010").to_dict()["memories"][0]
    assert report["total_bytes"] == 3 * 8 * 8 * 4
    values = whole_numbers(n, n)
    assert_equal_in_every_landing(
        sw.build(s, [x, y], target="sw26010", name="mirror"), [values], values - 2 * values.T
    )


def test_a_product_with_itself_has_two_operands() -> None:
    n = 64
    a = sw.placeholder((n, n), name="A")
    k = sw.reduce_axis(n, name="k")
    c = sw.compute((n, n), lambda i, j: sw.sum(a[i, k] * a[j, k], axis=k), name="C")
    s = sw.create_schedule(c)
    io, jo, _, _ = s[c].tile("i", "j", 8, 8)
    s[c].parallel(io, jo, grid=(8, 8))
    rows = s.buffer_read(a, at=jo, references=[0])
    columns = s.buffer_read(a, at=jo, references=[1])
    s.broadcast(rows, over="row")
    s.broadcast(columns, over="column")
    s.buffer_write(c, at=jo)
    values = whole_numbers(n, n)
    assert_equal_in_every_landing(
        sw.build(s, [a, c], target="sw26010", name="gram"), [values], values @ values.T
    )


def test_a_double_buffer_of_one_group_across_its_loops() -> None:
    x, y = halves()
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=32)
    outermost, outer = s[y].split(outer, factor=4)
    far = s.buffer_read(x, at=outer, references=[2])
    s.double_buffer(far, across=outermost)
    s.prefetch(s.buffer_read(x, at=outer, references=[1]), distance=2)
    values = whole_numbers(2 * N + 1)
    assert_equal_in_every_landing(
        sw.build(s, [x, y], target="sw26010", name="ahead"), [values], values_of_halves(values)
    )


def test_the_script_and_the_file_have_the_references(tmp_path: Path) -> None:
    x, y = halves()
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=32)
    s.buffer_read(x, at=outer, references=[2])
    s.buffer_read(x, at=outer, references=[1, 0], depth=2)
    assert "references=[2]" in s.to_python()
    scope = {"sw": sw, "outputs": [y]}
    exec(s.to_python(), scope)
    again = scope["s"]
    assert isinstance(again, sw.Schedule)
    assert str(again) == str(s)
    s.save(tmp_path / "saved.json")
    loaded = sw.load_schedule(tmp_path / "saved.json", [y])
    assert str(loaded) == str(s)
    assert [str(step).split(" at ")[0] for step in loaded.log] == [
        str(step).split(" at ")[0] for step in s.log
    ]


def test_an_inlined_stage_has_references_of_its_own() -> None:
    x = sw.placeholder((N + 65,), name="X")
    p = sw.compute((N + 64,), lambda i: x[i] + x[i + 1], name="P")
    y = sw.compute((N,), lambda i: p[i] * p[i + 64], name="Y")
    s = sw.create_schedule(y)
    s[p].compute_inline()
    assert s[y].references(x) == ["X[i]", "X[i + 1]", "X[i + 64]", "X[i + 64 + 1]"]
    outer, _ = s[y].split("i", factor=32)
    s.buffer_read(x, at=outer, references=[0, 1])
    s.buffer_read(x, at=outer, references=[2, 3])
    values = whole_numbers(N + 65)
    sums = values[:-1] + values[1:]
    assert_equal_in_every_landing(
        sw.build(s, [x, y], target="sw26010", name="inlined"), [values], sums[:N] * sums[64:]
    )


def test_of_a_tensor_in_another_layout() -> None:
    n = 32
    x = sw.placeholder((2 * n, 8), name="X")
    y = sw.compute((n, 8), lambda i, j: x[i, j] - x[i + n, j], name="Y")
    s = sw.create_schedule(y)
    s.transform_layout(x, lambda i, j: (j, i))
    assert s[y].references(x) == ["X[i, j]", "X[i + 32, j]"]
    outer, _ = s[y].split("i", factor=8)
    s.buffer_read(x, at=outer, references=[1], readers=[y])
    values = whole_numbers(2 * n, 8)
    assert_equal_in_every_landing(
        sw.build(s, [x, y], target="sw26010", name="layout"), [values], values[:n] - values[n:]
    )


def test_a_tile_that_a_stage_reads_where_it_is_computed_has_no_buffer() -> None:
    x = sw.placeholder((N + 64,), name="X")
    p = sw.compute((N + 64,), lambda i: x[i] + 1, name="P")
    y = sw.compute((N,), lambda i: p[i] * p[i + 64], name="Y")
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=32)
    s[p].compute_at(y, outer)
    with pytest.raises(sw.ScheduleArgumentError, match="near memory already"):
        s.buffer_read(p, at=outer, references=[0])


def test_what_an_update_has_changed_is_not_read_from_before() -> None:
    """A buffer of one reference is held against the other stages as one of all is."""
    t = sw.placeholder((N,), name="T")
    y = sw.recurrence(
        (N,), lambda h, i: sw.select(i < 8, t[i], h[i - 1] + h[i - 8]), dtype="float32", name="H"
    )
    s = sw.create_schedule(y)
    with pytest.raises((sw.IllegalScheduleError, sw.ScheduleArgumentError)):
        s.buffer_read(y, at=s[y].split("i", factor=16)[0], references=[0])
