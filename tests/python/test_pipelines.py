"""Loops in which transfers run ahead: with conditions, or peeled; both have NumPy's values."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

LANDINGS = ["at_wait", "at_issue", "random"]
PEELED = sw.Options(pipelines="peeled")


def rows(depth, n=24):
    """A row in each step, and another one on its way."""
    x = sw.placeholder((n, 8), name="X")
    y = sw.compute((n, 8), lambda i, j: x[i, j] * 2 + 1, name="Y")
    s = sw.create_schedule(y)
    core, row = s[y].split("i", parts=4)
    s[y].parallel(core)
    s.buffer_read(x, at=row, depth=depth)
    s.buffer_write(y, at=row, depth=depth)
    return s, [x, y]


def tiled_product(depth):
    """Tiles of both operands along the reduction, the last one smaller."""
    a, b = sw.placeholder((12, 22), name="A"), sw.placeholder((22, 16), name="B")
    k = sw.reduce_axis(22, name="k")
    c = sw.compute((12, 16), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    io, ii = s[c].split("i", 4)
    ko, ki = s[c].split(k, 4)
    s[c].reorder(io, ko, ii, "j", ki)
    s[c].parallel(io)
    s.buffer_write(c, at=io)
    s.buffer_read(a, at=ko, depth=depth)
    s.buffer_read(b, at=ko, depth=2)
    return s, [a, b, c]


def values(tensor, seed):
    return np.random.default_rng(seed).integers(-4, 5, tensor.shape).astype("float32")


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("depth", [2, 3])
def test_peeled_under_every_policy_of_completion(target, depth):
    for s, args in (rows(depth), tiled_product(depth)):
        kernel = sw.build(s, args, target=target, options=PEELED)
        assert kernel.report() == ()
        inputs = [values(t, k) for k, t in enumerate(args[:-1])]
        expected = inputs[0] @ inputs[1] if len(inputs) == 2 else inputs[0] * 2 + 1
        for seed, landing in enumerate(LANDINGS):
            with sw.emulator(mode="hazard", landing=landing, seed=seed):
                np.testing.assert_array_equal(kernel.run(*inputs), expected)


@pytest.mark.parametrize("target", ["host", "c", "example-cluster"])
def test_peeled_elsewhere(target):
    s, args = tiled_product(2)
    poison = target in ("host", "c")
    kernel = sw.build(s, args, target=target, options=PEELED, poison_transfers=poison)
    a, b = values(args[0], 0), values(args[1], 1)
    np.testing.assert_array_equal(kernel.run(a, b), a @ b)


def test_the_steady_state_has_no_conditions():
    s, args = rows(2)
    source = {}
    for form in ("guarded", "peeled"):
        kernel = sw.build(s, args, target="sw26010", name="k", options=sw.Options(pipelines=form))
        source[form] = kernel.source["k_cpe.c"].partition("void k_cpe")[2]
    assert source["guarded"].count("if (i_i") == 2
    assert "if (i_i" not in source["peeled"]
    assert "for (long i_i = 1; i_i < 5; ++i_i)" in source["peeled"]


def test_both_sides_are_explained():
    s, _ = rows(2)
    (decision,) = s.explain("sw26010").pipelines
    assert decision.what == "pipeline along i.i"
    assert (decision.chosen, decision.instead) == ("guarded", "peeled")
    assert decision.cycles == 2 * 6  # two conditions, six times on each core
    assert decision.instead_cycles > decision.cycles
    assert str(decision) in str(s.explain("sw26010"))
    s, _ = rows(2, n=40_000)
    (decision,) = s.explain("sw26010").pipelines
    assert (decision.chosen, decision.instead_cycles) == ("peeled", 2 * 10_000)


def test_the_environment_says_it_too(monkeypatch):
    s, args = rows(2)
    monkeypatch.setenv("SOLWAY_PIPELINES", "peeled")
    peeled = sw.build(s, args, target="sw26010", name="k").source
    monkeypatch.delenv("SOLWAY_PIPELINES")
    assert peeled == sw.build(s, args, target="sw26010", name="k", options=PEELED).source
    assert peeled != sw.build(s, args, target="sw26010", name="k").source


def test_a_loop_of_unknown_length_keeps_its_conditions():
    n = sw.size("n", min=1, max=64)
    x = sw.placeholder((n, 8), name="X")
    y = sw.compute((n, 8), lambda i, j: x[i, j] + 1, name="Y")
    s = sw.create_schedule(y)
    s.buffer_read(x, at="i", depth=2)
    kernel = sw.build(s, [x, y], target="sw26010", options=PEELED)
    (remark,) = kernel.report()
    assert "keeps its conditions" in remark.verdict
    assert remark.why == "how often it runs is not constant"
    a = np.arange(80, dtype="float32").reshape(10, 8)
    np.testing.assert_array_equal(kernel.run(a), a + 1)


class Across:
    """A product in tiles whose operands' pipelines run on across the loops over tiles."""

    def __init__(self, tiles=(4, 4, 4), shape=(12, 16, 22), outermost="io"):
        m, n, depth = shape
        self.a, self.b = sw.placeholder((m, depth), name="A"), sw.placeholder((depth, n), name="B")
        k = sw.reduce_axis(depth, name="k")
        self.c = sw.compute(
            (m, n), lambda i, j: sw.sum(self.a[i, k] * self.b[k, j], axis=k), name="C"
        )
        self.args = [self.a, self.b, self.c]
        s = self.s = sw.create_schedule(self.c)
        self.io, ii = s[self.c].split("i", tiles[0])
        self.jo, ji = s[self.c].split("j", tiles[1])
        self.ko, ki = s[self.c].split(k, tiles[2])
        s[self.c].reorder(self.io, self.jo, self.ko, ii, ji, ki)
        self.outermost = getattr(self, outermost)

    def buffers(self, distance=1):
        self.cc = self.s.buffer_write(self.c, at=self.jo)
        self.aa = self.s.buffer_read(self.a, at=self.ko)
        self.bb = self.s.buffer_read(self.b, at=self.ko)
        self.s.prefetch(self.aa, distance, across=self.outermost)
        self.s.double_buffer(self.bb, across=self.outermost)
        return self

    def check(self, target, options=None):
        kernel = sw.build(
            self.s, self.args, target=target, options=options,
            poison_transfers=target in ("host", "c"),
        )  # fmt: skip
        a, b = values(self.a, 0), values(self.b, 1)
        if not target.startswith("sw"):
            np.testing.assert_array_equal(kernel.run(a, b), a @ b)
            return kernel
        for seed, landing in enumerate(LANDINGS):
            with sw.emulator(mode="hazard", landing=landing, seed=seed):
                np.testing.assert_array_equal(kernel.run(a, b), a @ b)
        return kernel


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro", "host", "c", "example-cluster"])
@pytest.mark.parametrize("outermost", ["io", "jo"])
def test_what_the_next_pass_needs_first_is_asked_for_in_the_last_step(target, outermost):
    made = Across(outermost=outermost).buffers()
    text = str(made.s)
    assert text.count("Issue AA_get") == 2  # before all loops, and in each step
    assert ("For i.o" in text.partition("Issue")[0]) == (outermost == "jo")
    made.check(target)


@pytest.mark.parametrize("form", ["guarded", "peeled"])
@pytest.mark.parametrize(
    ("shape", "distance"),
    [((12, 16, 8), 1), ((12, 16, 20), 2), ((12, 8, 8), 3), ((4, 4, 12), 2), ((12, 16, 4), 1)],
)
def test_slots_take_turns_over_all_iterations(form, shape, distance):
    Across(shape=shape).buffers(distance).check("sw26010", sw.Options(pipelines=form))


@pytest.mark.parametrize("form", ["guarded", "peeled"])
@pytest.mark.parametrize(
    ("shape", "distance"),
    [((4, 1, 1), 3), ((4, 2, 1), 3), ((1, 2, 2), 5), ((5, 1, 3), 4), ((3, 0, 2), 3)],
)
def test_over_loops_of_fewer_iterations_than_it_runs_ahead(form, shape, distance):
    """It goes round a loop of few iterations several times; a loop of none has nothing to do."""
    x = sw.placeholder((*shape, 4), name="X")
    y = sw.compute((*shape, 4), lambda i, j, k, c: x[i, j, k, c] * 2, name="Y")
    s = sw.create_schedule(y)
    s.prefetch(s.buffer_read(x, at="k"), distance, across="i")
    kernel = sw.build(s, [x, y], target="sw26010", options=sw.Options(pipelines=form))
    a = values(x, 0)
    assert_equal_in_every_landing(kernel, [a], a * 2)


def test_buffers_that_run_ahead_differently_through_a_loop_of_one_iteration():
    made = Across(tiles=(1, 1, 2), shape=(4, 1, 4), outermost="jo")
    aa, bb = (made.s.buffer_read(t, at=made.ko) for t in (made.a, made.b))
    made.s.prefetch(aa, 4, across=made.jo)
    made.s.prefetch(bb, 5, across=made.jo)
    made.check("sw26010")


def test_what_is_stored_is_awaited_in_the_next_pass():
    made = Across(shape=(12, 12, 8))
    cc = made.s.buffer_write(made.c, at=made.jo)
    made.s.double_buffer(cc, across=made.io)
    made.check("sw26010")


def test_it_is_written_down_and_read_again(tmp_path):
    made = Across().buffers()
    assert "s.double_buffer(BB, across=i_o)" in made.s.to_python()
    assert "s.prefetch(AA, distance=1, across=i_o)" in made.s.to_python()
    made.s.save(tmp_path / "s.txt")
    again = sw.load_schedule(tmp_path / "s.txt", [made.c])
    assert str(again) == str(made.s)


@pytest.mark.parametrize("split", ["jo", "ko"])
def test_it_stays_across_what_its_loops_are_split_into(split):
    made = Across(shape=(4, 16, 32), outermost="jo").buffers()
    made.s[made.c].split(getattr(made, split), factor=2)
    text = str(made.s)
    assert text.count("Issue AA_get") == 2
    # Where the outermost loop is split, the pipeline starts before both that it has become.
    first = "j.o.o" if split == "jo" else "j.o"
    assert f"For {first} in" not in text.partition("Issue AA_get")[0]
    assert f"For {first} in" in text
    made.check("sw26010")


def test_statements_beside_a_loop_within_have_no_slots():
    """The loop over j runs zeros outside of the loop over k; planning their slots stopped."""
    made = Across(shape=(2, 5, 2))
    s = sw.create_schedule(made.c)
    k = made.c.reduce_axis[0]
    cc = s.buffer_write(made.c, at=k)
    (apart,) = s[made.c].fission(k)
    s[made.c].reorder(made.c.axis[0], apart, made.c.axis[1])
    with pytest.raises(sw.IllegalScheduleError, match="while a transfer uses it"):
        s.double_buffer(cc, across=made.c.axis[0])


def test_cores_do_not_ask_for_each_other():
    made = Across().buffers()
    with pytest.raises(sw.IllegalScheduleError):
        made.s[made.c].parallel(made.io)
    made = Across()
    made.s[made.c].parallel(made.io)
    with pytest.raises(sw.IllegalScheduleError):
        made.buffers()


def test_it_saves_the_wait_at_the_begin_of_each_pass():
    cycles = {}
    for outermost in ("ko", "io"):
        made = Across(tiles=(8, 8, 16), shape=(32, 32, 64), outermost=outermost).buffers()
        kernel = sw.build(made.s, made.args, target="sw26010")
        kernel.run(values(made.a, 0), values(made.b, 1), mode="timed")
        cycles[outermost] = kernel.last_run.cpe_cycles
    assert cycles["io"] < cycles["ko"]
