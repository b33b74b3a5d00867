"""Buffers of padded images whose border is filled in near memory: values, bytes, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway.errors import IllegalScheduleError, ScheduleArgumentError, UnsupportedError

LANDINGS = ["at_wait", "at_issue", "random"]


class Convolution:
    """A convolution of an image that is padded first, as three tensors and their schedule."""

    def __init__(self, channels=8, filters=8, size=14, kernel=3, pad=1, stride=1, value=0.0):
        self.pad, self.stride, self.value = pad, stride, value
        self.a = a = sw.placeholder((channels, size, size), name="A")
        self.w = w = sw.placeholder((filters, channels, kernel, kernel), name="W")
        rc = sw.reduce_axis(channels, name="rc")
        ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")

        def padded(c, y, x):
            inside = sw.all_of(pad <= y, y < size + pad, pad <= x, x < size + pad)
            return sw.select(inside, a[c, y - pad, x - pad], value)

        edge = size + 2 * pad
        self.p = p = sw.compute((channels, edge, edge), padded, name="P")
        out = (edge - kernel) // stride + 1
        self.c = sw.compute(
            (filters, out, out),
            lambda f, y, x: sw.sum(
                p[rc, y * stride + ry, x * stride + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]
            ),
            name="C",
        )
        self.axes = (rc, ry, rx)
        self.s = sw.create_schedule(self.c)

    def inputs(self):
        rng = np.random.default_rng(0)
        return [rng.integers(-3, 4, t.shape).astype("f4") for t in (self.a, self.w)]

    def expected(self, image, weights):
        around = ((0, 0), (self.pad, self.pad), (self.pad, self.pad))
        image = np.pad(image, around, constant_values=self.value)
        kernel = weights.shape[-1]
        views = np.lib.stride_tricks.sliding_window_view(image, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,fcrq->fyx", views[:, :: self.stride, :: self.stride], weights)

    def check(self, target="sw26010", landings=LANDINGS):
        """Runs it in hazard mode under each policy of completion; returns the last run."""
        kernel = sw.build(self.s, [self.a, self.w, self.c], target=target, name="convolution")
        inputs = self.inputs()
        for seed, landing in enumerate(landings):
            with sw.emulator(mode="hazard", landing=landing, seed=seed):
                found = kernel.run(*inputs)
            np.testing.assert_array_equal(found, self.expected(*inputs))
        return kernel.last_run


def lines(conv, rows=2, channels=4, depth=1):
    """Some lines for each core, some channels at a time."""
    s, c = conv.s, conv.c
    yo, yi = s[c].split("y", factor=rows)
    rco, rci = s[c].split(conv.axes[0], factor=channels)
    s[c].reorder(yo, rco, "f", yi, "x", rci, *conv.axes[1:])
    s[c].parallel(yo)
    s.buffer_write(c, at=yo)
    buffer = s.buffer_read(conv.p, at=rco, depth=depth, fill_padding=True)
    s.buffer_read(conv.w, at=rco, depth=depth)
    return buffer


def columns(conv, width=4, depth=2):
    """Parts of lines, one column of the windows at a time: rows are cut off at both ends."""
    s, c = conv.s, conv.c
    rc, ry, rx = conv.axes
    fo, fi = s[c].split("f", factor=1)
    yo, yi = s[c].split("y", factor=4)
    xo, xi = s[c].split("x", factor=width)
    s[c].reorder(fo, yo, xo, rx, fi, yi, xi, ry, rc)
    s[c].parallel(fo, yo, grid=(8, 4))
    s.buffer_write(c, at=xo)
    buffer = s.buffer_read(conv.p, at=rx, depth=depth, fill_padding=True)
    s.buffer_read(conv.w, at=yo)
    return buffer


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_padded_image_is_never_in_main_memory(target, depth):
    conv = Convolution()
    lines(conv, depth=depth)
    run = conv.check(target)
    assert run.bytes["put"] == 8 * 14 * 14 * 4
    # Each core reads its lines and those around them that the image has: 7 x 4, but two of them.
    image, weights = 8 * (7 * 4 - 2) * 14 * 4, 7 * 8 * 8 * 9 * 4
    parameters = run.bytes["get"] - image - weights
    assert 0 <= parameters <= 64 * 32


def test_the_loops_say_what_is_moved_and_what_is_filled():
    conv = Convolution()
    lines(conv)
    text = str(conv.s)
    place = "PP[0, select(y.o >= 1, 0, 1), 1] <- A[rc.o*4, max(y.o*2 - 1, 0), 0]"
    assert f"Issue PP_get: {place}" in text
    assert "PP[c, y, 0] = 0.0\n          PP[c, y, 15] = 0.0" in text
    assert " P[" not in text


def test_the_log_replays():
    conv = Convolution()
    lines(conv, depth=2)
    script = conv.s.to_python()
    assert "fill_padding=True" in script
    names = {"sw": sw, "outputs": [conv.c]}
    exec(script, names)
    assert str(names["s"]) == str(conv.s)


@pytest.mark.parametrize("case", [(5, 2, 1), (5, 2, 2), (3, 1, 2), (1, 1, 1), (4, 3, 1)])
def test_windows_strides_and_borders(case):
    kernel, pad, stride = case
    conv = Convolution(4, 4, 13, kernel, pad, stride)
    lines(conv, rows=3, channels=2, depth=2)
    conv.check()


def test_any_value_may_stand_around_the_image():
    conv = Convolution(value=-7.5)
    lines(conv)
    conv.check()


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("width", [4, 7, 14])
def test_whole_rows_move_together_and_others_one_by_one(width, depth):
    conv = Convolution()
    columns(conv, width, depth)
    conv.check()


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("depth", [1, 2])
def test_cores_share_what_is_moved(target, depth):
    alone, together = Convolution(), Convolution()
    columns(alone, depth=depth)
    together.s.broadcast(columns(together, depth=depth), over="column")
    assert together.check(target).bytes["get"] < alone.check(target).bytes["get"] / 3


def test_rows_of_zeros_alone_are_not_moved():
    conv = Convolution()
    s, c = conv.s, conv.c
    rc, ry, rx = conv.axes
    s[c].reorder("y", ry, "f", "x", rc, rx)
    s[c].parallel("y")
    s.buffer_write(c, at="y")
    s.buffer_read(conv.p, at=ry, fill_padding=True)
    s.buffer_read(conv.w, at=ry)
    conv.check()


@pytest.mark.parametrize("target", ["host", "c"])
def test_other_targets_fill_it_too(target):
    conv = Convolution()
    lines(conv)
    inputs = conv.inputs()
    kernel = sw.build(conv.s, [conv.a, conv.w, conv.c], target=target)
    np.testing.assert_array_equal(kernel.run(*inputs), conv.expected(*inputs))


def test_what_computes_more_than_a_border_is_refused():
    a = sw.placeholder((16,), name="A")
    p = sw.compute(
        (18,), lambda i: sw.select(sw.all_of(i >= 1, i < 17), a[i - 1] * 2, 0.0), name="P"
    )
    c = sw.compute((16,), lambda i: p[i] + p[i + 2], name="C")
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", factor=4)
    with pytest.raises(UnsupportedError, match="the border of 'P' cannot be filled"):
        s.buffer_read(p, at=io, fill_padding=True)
    s.buffer_read(p, at=io)


@pytest.mark.parametrize(
    ("shape", "value", "reason"),
    [
        ((16,), lambda a, i: a[i], "it has no border"),
        ((33,), lambda a, i: sw.select(i % 2 == 0, a[i // 2], 0.0), "moved by constants"),
    ],
)
def test_other_copies_are_refused(shape, value, reason):
    a = sw.placeholder((17,), name="A")
    p = sw.compute(shape, lambda i: value(a, i), name="P")
    c = sw.compute((8,), lambda i: p[i] + p[i + 2], name="C")
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", factor=4)
    with pytest.raises(
        (ScheduleArgumentError, UnsupportedError), match="cannot be filled"
    ) as error:
        s.buffer_read(p, at=io, fill_padding=True)
    assert reason in error.value.why


def test_who_else_needs_the_image_keeps_it():
    conv = Convolution()
    d = sw.compute((8, 16, 16), lambda c, y, x: conv.p[c, y, x] + 1.0, name="D")
    s = sw.create_schedule([conv.c, d])
    yo, _ = s[conv.c].split("y", factor=2)
    with pytest.raises(ScheduleArgumentError, match="cannot be filled") as error:
        s.buffer_read(conv.p, at=yo, readers=[conv.c], fill_padding=True)
    assert "'D' uses it as well" in error.value.why


def test_a_stage_that_was_scheduled_stays_as_it_is():
    conv = Convolution()
    conv.s[conv.p].split("y", factor=4)
    with pytest.raises(ScheduleArgumentError, match="cannot be filled"):
        lines(conv)


def landed(conv, rows=2, channels=4, depth=2):
    """The image lands as it lies, and is copied to its place within the border in vectors."""
    s, c, p = conv.s, conv.c, conv.p
    yo, yi = s[c].split("y", factor=rows)
    rco, rci = s[c].split(conv.axes[0], factor=channels)
    s[c].reorder(yo, rco, "f", yi, "x", rci, *conv.axes[1:])
    s[c].parallel(yo)
    s[p].compute_at(c, rco)
    s[p].vectorize("x")
    s.buffer_write(c, at=yo)
    s.buffer_read(conv.a, at=rco, depth=depth)
    s.buffer_read(conv.w, at=rco, depth=depth)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("case", [(3, 1, 1, 0.0), (5, 2, 2, 0.0), (4, 3, 1, -7.5), (1, 2, 1, 1.0)])
def test_vectors_of_an_image_are_copied_without_conditions(target, case):
    kernel, pad, stride, value = case
    conv = Convolution(8, 8, 19, kernel, pad, stride, value)
    landed(conv)
    source = "".join(sw.build(conv.s, [conv.a, conv.w, conv.c], target=target).source.values())
    assert "simd_store" in source
    conv.check(target)


@pytest.mark.parametrize("primitive", ["compute_root", "compute_inline", "compute_at"])
def test_a_stage_that_fills_a_border_stays_there(primitive):
    conv = Convolution()
    lines(conv)
    stage = conv.s[conv.p]
    arguments = (conv.c, "f") if primitive == "compute_at" else ()
    with pytest.raises(ScheduleArgumentError):
        getattr(stage, primitive)(*arguments)


def test_cores_with_other_borders_share_nothing():
    conv = Convolution()
    s, c = conv.s, conv.c
    yo, yi = s[c].split("y", factor=7)
    fo, fi = s[c].split("f", factor=1)
    s[c].reorder(yo, fo, fi, yi, "x", *conv.axes)
    s[c].parallel(yo, fo, grid=(2, 8))
    buffer = s.buffer_read(conv.p, at=fo, fill_padding=True)
    with pytest.raises(IllegalScheduleError, match="would give the cores of a column"):
        s.broadcast(buffer, over="column")
    s.broadcast(buffer, over="row")


def planned(channels, filters, size):
    conv = Convolution(channels, filters, size)
    plan = conv.s.auto_buffer("sw26010")
    [stage] = [stage for stage in plan.stages if stage.stage == "C"]
    [border] = [one for one in stage.decisions if one.what == "the border of P"]
    assert border.cycles < border.instead_cycles
    return conv, plan, border


def test_auto_buffer_fills_the_border_where_its_model_says_so():
    conv, plan, border = planned(16, 16, 64)
    assert [stage.stage for stage in plan.stages] == ["C"]
    assert border.chosen == "filled in near memory, where it is read"
    assert "fill_padding=True" in conv.s.to_python()
    assert "the border of P: filled in near memory" in str(conv.s.explain("sw26010"))
    assert conv.check().bytes["put"] == 16 * 64 * 64 * 4


def test_both_sides_count_what_uses_up_the_sums():
    """A ReLU in whose tiles the sums are computed saves more than a small convolution takes."""
    conv = Convolution(3, 64, 32)
    relu = lambda f, y, x: sw.maximum(conv.c[f, y, x], 0.0)  # noqa: E731
    s = sw.create_schedule(sw.compute(conv.c.shape, relu, name="D"))
    [stage] = s.auto_buffer("sw26010").stages
    [border] = [one for one in stage.decisions if one.what == "the border of P"]
    assert border.chosen == "filled in near memory, where it is read"
    assert 0 < border.cycles < border.instead_cycles
    assert border.cycles == pytest.approx(stage.cycles, rel=0.05)


def test_auto_buffer_stores_the_image_where_that_is_less():
    conv, plan, border = planned(256, 64, 8)
    assert [stage.stage for stage in plan.stages] == ["P", "C"]
    assert border.chosen == "by itself, stored and loaded again"
    assert "fill_padding" not in conv.s.to_python()
    conv.check(landings=["random"])


def test_the_greedy_planner_stores_the_image():
    conv = Convolution()
    plan = conv.s.auto_buffer("sw26010", planner="greedy")
    assert [stage.stage for stage in plan.stages] == ["P", "C"]
