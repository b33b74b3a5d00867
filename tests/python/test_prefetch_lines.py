"""Requests to the caches change no value, and stand in the code beside what they are for."""

import re

import numpy as np
import pytest
import solway as sw


def product(m=12, n=64, depth=96):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def tiled(C, scope="register"):
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", 4)
    jo, ji = s[C].split("j", 16)
    s[C].reorder(jo, io, "k", ii, ji)
    s[C].unroll(ii)
    s[C].vectorize(ji)
    s.buffer_write(C, at=io, scope=scope)
    return s


def values(args):
    rng = np.random.default_rng(0)
    return [rng.integers(-4, 5, size=tensor.shape).astype("float32") for tensor in args]


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "c", "sw26010"])
@pytest.mark.parametrize("distance", [1, 16, 10**6])
def test_values_stay(target, distance):
    A, B, C = product()
    s = tiled(C, "ldm" if target == "sw26010" else "register")
    s[C].prefetch_lines(B, at="k", distance=distance)
    s[C].prefetch_lines(A, at="i.o", distance=1)
    kernel = sw.build(s, [A, B, C], target=target)
    a, b = values([A, B])
    out = np.empty(C.shape, "float32")
    kernel(a, b, out)
    np.testing.assert_array_equal(out, a @ b)


@pytest.mark.parametrize(
    ("target", "request_in_code"),
    [
        ("x86-64-v3", "prefetcht0"),
        ("aarch64-neon", "prfm"),
        ("aarch64-sve", "prfm"),
    ],
)
def test_the_machine_is_asked(target, request_in_code):
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    code = sw.build(s, [A, B, C], target=target).source["kernel.s"]
    assert request_in_code in code
    assert request_in_code not in sw.build(tiled(C), [A, B, C], target=target).source["kernel.s"]


def why_nothing(s, args, target="host"):
    """What a build remarks of requests that have no effect."""
    remarks = sw.build(s, args, target=target).report()
    return [remark.why for remark in remarks if remark.step.startswith("prefetch_lines(")]


@pytest.mark.parametrize("target", ["riscv64-v", "ve"])
def test_a_machine_without_such_an_instruction_does_nothing(target):
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    (why,) = why_nothing(s, [A, B, C], target)
    assert why == f"'{target}' has no instruction that asks a cache for a line"


def test_a_loop_that_stands_at_several_places():
    """The loop over columns is there for the zeros and for the sums, of which only one reads B."""
    A, B, C = product()
    s = sw.create_schedule(C)
    s[C].reorder("i", "k", "j")
    s[C].prefetch_lines(B, at="j", distance=16)
    kernel = sw.build(s, [A, B, C], target="x86-64-v3")
    assert kernel.report() == ()
    assert len(re.findall(r"prefetch B", kernel.ir)) == 1


def test_what_registers_hold_is_not_asked_for():
    A, B, C = product()
    s = tiled(C)
    held = s.buffer_read(A, at="k", scope="register")
    s[C].prefetch_lines(held, at="k", distance=1)
    assert why_nothing(s, [A, B, C]) == [f"'{held.name}' is held in registers"]


def test_a_loop_of_one_iteration_has_nothing_to_ask_for():
    A, B, C = product(m=1)
    s = sw.create_schedule(C)
    s[C].prefetch_lines(A, at="i", distance=1)
    assert why_nothing(s, [A, B, C]) == ["no such loop is left in the code"]


def test_one_request_for_each_line():
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    text = sw.build(s, [A, B, C], target="x86-64-v3").ir
    found = re.findall(r"prefetch (.*)", text)
    assert found == ["B[(k + 8), (j_o * 16)]"]  # of two vectors of 8


def test_a_schedule_with_requests_is_written_and_read(tmp_path):
    _, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    assert "prefetch_lines(B, C.reduce_axis[0], distance=8)" in s.to_python()
    s.save(tmp_path / "s.schedule")
    again = sw.load_schedule(tmp_path / "s.schedule", C)
    assert again.to_python() == s.to_python()


def test_what_a_split_takes_away_is_said():
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    s[C].split("k", 8)
    remarks = sw.build(s, [A, B, C], target="host").report()
    assert any(
        remark.step == "prefetch_lines(B, k)" and remark.why == "the loop is not there any more"
        for remark in remarks
    )


def test_auto_schedule_asks_for_weights():
    A = sw.placeholder((96, 512), name="A")
    B = sw.placeholder((32, 512, 16), name="B")
    k = sw.reduce_axis(512, name="k")
    C = sw.compute(
        (96, 512), lambda i, j: sw.sum(A[i, k] * B[j // 16, k, j % 16], axis=k), name="C"
    )
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v3", search=False)
    assert "prefetch_lines(B" in s.to_python()
    assert "lines of B: asked for" in str(s.explain("x86-64-v3"))
