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


@pytest.mark.parametrize("target", ["riscv64-v", "ve"])
def test_a_machine_without_such_an_instruction_does_nothing(target):
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    assert sw.build(s, [A, B, C], target=target).source["kernel.s"]


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
