"""Random schedules of products of bytes: the same bits as NumPy's, whatever becomes of a dot."""

from __future__ import annotations

import os

import numpy as np
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.guarded import GuardedKernel

BYTES = st.sampled_from(["int8", "uint8"])


@st.composite
def programs(draw):
    """Sizes, types, tiles, an order of loops and what is marked."""
    size = st.integers(1, 40)
    return {
        "shape": (draw(st.integers(1, 13)), draw(size), draw(size)),
        "types": (draw(BYTES), draw(BYTES)),
        "tile": (
            draw(st.integers(1, 5)),
            draw(st.sampled_from([4, 16, 32])),
            draw(st.sampled_from([4, 8])),
        ),
        "outer": draw(st.permutations(["io", "jo", "ko"])),
        "inner": draw(st.permutations(["ii", "ji", "ki"])),
        "in_blocks": draw(st.booleans()),
        "is_held": draw(st.booleans()),
        "parallel": draw(st.sampled_from([None, "io", "jo"])),
        "unrolled": draw(st.sets(st.sampled_from(["ii", "ki"]))),
        "target": draw(st.sampled_from(["host", "host", "host", "x86-64-v3"])),
    }


def kernel_of(p):
    (m, n, terms), (a_type, b_type) = p["shape"], p["types"]
    blocks, groups = -(-n // 16), -(-terms // 4)
    A = sw.placeholder((m, terms), a_type, name="A")
    shape = (blocks, groups, 16, 4) if p["in_blocks"] else (groups, n, 4)
    B = sw.placeholder(shape, b_type, name="B")
    k = sw.reduce_axis(terms, name="k")

    def value(i, j):
        b = B[j // 16, k // 4, j % 16, k % 4] if p["in_blocks"] else B[k // 4, j, k % 4]
        return sw.sum(sw.cast(A[i, k], "int32") * sw.cast(b, "int32"), axis=k)

    C = sw.compute((m, n), value, name="C")
    s = sw.create_schedule(C)
    loops = {}
    for name, axis, factor in zip("ijk", [*C.axis, k], p["tile"], strict=True):
        loops[f"{name}o"], loops[f"{name}i"] = s[C].split(axis, factor=factor)
    s[C].reorder(*(loops[name] for name in [*p["outer"], *p["inner"]]))
    s[C].vectorize(loops["ji"])
    for name in sorted(p["unrolled"]):
        s[C].unroll(loops[name])
    if p["parallel"] is not None and p["outer"][0] == p["parallel"]:
        s[C].parallel(loops[p["parallel"]])
    if p["is_held"] and p["outer"][-1] == "ko":
        s.buffer_write(C, at=loops[p["outer"][1]], scope="register")
    return sw.build(s, [A, B, C], target=p["target"])


CASES = int(os.environ.get("SOLWAY_DOT_CASES", "40"))


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(p=programs(), seed=st.integers(0, 2**32 - 1), is_extreme=st.booleans())
def test_random_schedules_are_exact(p, seed, is_extreme):
    (m, n, terms), (a_type, b_type) = p["shape"], p["types"]
    rng = np.random.default_rng(seed)

    def numbers(shape, dtype):
        limits = np.iinfo(dtype)
        if is_extreme:
            return rng.choice(np.array([limits.min, limits.max], dtype), shape)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)

    a, b = numbers((m, terms), a_type), numbers((terms, n), b_type)
    padding = ((0, -terms % 4), (0, -n % 16 if p["in_blocks"] else 0))
    rows = np.pad(b, padding, constant_values=np.iinfo(b_type).max)  # which must not count
    packed = rows.reshape(-1, 4, rows.shape[1]).transpose(0, 2, 1)
    if p["in_blocks"]:
        packed = packed.reshape(packed.shape[0], -1, 16, 4).transpose(1, 0, 2, 3)
    got = GuardedKernel(kernel_of(p)).run(a, np.ascontiguousarray(packed))
    np.testing.assert_array_equal(got, a.astype("int32") @ b.astype("int32"))
