"""Tiles that computing cores turn in near memory: squares of them in registers."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing


def turning(
    rows: int, columns: int, dtype: str = "float32", unrolled: bool = True
) -> tuple[sw.Schedule, list[sw.Tensor]]:
    """B[j, i] = A[i, j], 4 rows at a time, all columns written out around a vector of rows."""
    a = sw.placeholder((rows, columns), dtype, name="A")
    b = sw.compute((columns, rows), lambda j, i: a[i, j], name="B")
    s = sw.create_schedule(b)
    io, ii = s[b].split("i", factor=4)
    s[b].reorder(io, "j", ii)
    s.buffer_read(a, at=io)
    s.buffer_write(b, at=io)
    if unrolled:
        s[b].unroll("j")
    s[b].vectorize(ii)
    return s, [a, b]


@pytest.mark.parametrize("columns", [4, 5, 9, 16, 25])
def test_squares_are_turned_in_registers(columns: int) -> None:
    s, tensors = turning(24, columns)
    kernel = sw.build(s, tensors, target="sw26010", name="turning")
    source = "".join(kernel.source.values())
    assert source.count("simd_vshff") == 8 * (columns // 4)
    assert source.count("simd_set_floatv4(") == columns % 4  # what fills no square
    x = np.random.default_rng(2).standard_normal((24, columns)).astype("f4")
    assert_equal_in_every_landing(kernel, [x], x.T)


@pytest.mark.parametrize(
    ("target", "dtype", "unrolled"),
    [
        ("sw26010", "float64", True),
        ("sw26010", "float32", False),
        ("sw26010pro", "float32", True),
    ],
)
def test_other_copies_are_put_together_lane_by_lane(
    target: str, dtype: str, unrolled: bool
) -> None:
    s, tensors = turning(24, 9, dtype, unrolled)
    kernel = sw.build(s, tensors, target=target, name="turning")
    assert "simd_vshff" not in "".join(kernel.source.values())
    x = np.random.default_rng(2).standard_normal((24, 9)).astype(dtype)
    with sw.emulator(mode="hazard"):
        np.testing.assert_array_equal(kernel.run(x), x.T)
