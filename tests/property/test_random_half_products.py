"""Random schedules of products of 16-bit floats: whole numbers give the same bits in all."""

from __future__ import annotations

import os

import numpy as np
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solway._bfloat16 import bfloat16_bits
from support.guarded import GuardedKernel

TYPES = st.sampled_from(["float16", "bfloat16", "bfloat16", "float32"])


@st.composite
def programs(draw):
    """Sizes, types, a layout, tiles, an order of loops, and what is marked, copied and allowed."""
    size = st.integers(1, 40)
    return {
        "shape": (draw(st.integers(1, 13)), draw(size), draw(size)),
        "types": (draw(TYPES), draw(TYPES)),
        "is_packed": draw(st.booleans()),
        "fast_math": draw(st.booleans()),
        "is_planned": draw(st.sampled_from([False, False, True])),
        "tile": (
            draw(st.integers(1, 5)),
            draw(st.sampled_from([4, 16, 32])),
            draw(st.sampled_from([2, 3, 8])),
        ),
        "outer": draw(st.permutations(["io", "jo", "ko"])),
        "inner": draw(st.permutations(["ii", "ji", "ki"])),
        "unrolled": draw(st.sets(st.sampled_from(["ii", "ki"]))),
        "copied": draw(st.sets(st.sampled_from(["A", "B"]))),
        "is_held": draw(st.booleans()),
        "target": draw(st.sampled_from(["host", "host", "x86-64-v3"])),
    }


def tensors_of(p):
    (m, n, terms), (a_type, b_type) = p["shape"], p["types"]
    A = sw.placeholder((m, terms), a_type, name="A")
    shape = (-(-terms // 2), n, 2) if p["is_packed"] else (terms, n)
    B = sw.placeholder(shape, b_type, name="B")
    k = sw.reduce_axis(terms, name="k")

    def value(i, j):
        b = B[k // 2, j, k % 2] if p["is_packed"] else B[k, j]
        return sw.sum(sw.cast(A[i, k], "float32") * sw.cast(b, "float32"), axis=k)

    return A, B, k, sw.compute((m, n), value, name="C")


def kernel_of(p):
    A, B, k, C = tensors_of(p)
    s = sw.create_schedule(C, fast_math=p["fast_math"])
    if p["is_planned"]:
        s.auto_schedule(p["target"], search=False)
        return sw.build(s, [A, B, C], target=p["target"])
    loops = {}
    for name, axis, factor in zip("ijk", [*C.axis, k], p["tile"], strict=True):
        loops[f"{name}o"], loops[f"{name}i"] = s[C].split(axis, factor=factor)
    s[C].reorder(*(loops[name] for name in [*p["outer"], *p["inner"]]))
    s[C].vectorize(loops["ji"])
    for name in sorted(p["unrolled"]):
        s[C].unroll(loops[name])
    for tensor, own in ((A, "ik"), (B, "kj")):
        if tensor.name in p["copied"]:
            s.buffer_read(tensor, [loops[f"{name}i"] for name in own])
    if p["is_held"] and p["outer"][-1] == "ko":
        s.buffer_write(C, at=loops[p["outer"][1]], scope="register")
    return sw.build(s, [A, B, C], target=p["target"])


def argument(numbers, dtype):
    if dtype == "bfloat16":
        return bfloat16_bits(numbers)
    return numbers.astype(dtype)


@settings(
    max_examples=int(os.environ.get("SOLWAY_HALF_CASES", "40")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(programs(), st.integers(0, 2**31))
def test_whole_numbers_are_exact(p, seed):
    m, n, terms = p["shape"]
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-9, 10, t).astype(np.float32) for t in ((m, terms), (terms, n)))
    rows = b
    if p["is_packed"]:
        rows = np.full((terms + terms % 2, n), np.nan, np.float32)
        rows[:terms] = b
        rows = np.ascontiguousarray(rows.reshape(-1, 2, n).transpose(0, 2, 1))
    kernel = GuardedKernel(kernel_of(p))
    got = kernel.run(argument(a, p["types"][0]), argument(rows, p["types"][1]))
    np.testing.assert_array_equal(got, a @ b)
