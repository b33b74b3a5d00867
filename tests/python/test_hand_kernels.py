"""The hand-written kernels under bench/hand: right whenever transfers land, beside solway's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import solway as sw

HAND = Path(__file__).parents[2] / "bench" / "hand" / "sw26010"
LANDINGS = [("at_issue", 0), ("at_wait", 0), ("random", 1), ("random", 2)]


def convolution(image, w):
    """The layer of conv_athread by NumPy."""
    padded = np.pad(image, ((0, 0), (2, 2), (2, 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (11, 11), axis=(1, 2))
    return np.einsum("cyxrq,fcrq->fyx", windows[:, ::4, ::4], w, optimize=True)


def batched_convolution(image, w):
    """The layer of conv_registers by NumPy: the batch is the last axis."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(0, 1))
    return np.einsum("yxcbrq,rqcf->yxfb", windows, w, optimize=True)


class Case(NamedTuple):
    """A kernel by NumPy, and what it takes."""

    by_numpy: Callable[..., np.ndarray]
    shapes: list[tuple[int, ...]]
    dtype: str
    moved: int  #: bytes that it moves, at most

    def whole(self):
        rng = np.random.default_rng(0)
        return [rng.integers(-4, 5, shape).astype(self.dtype) for shape in self.shapes]


LAYER = [(3, 224, 224), (64, 3, 11, 11)]
PRODUCT = [(1, 1024), (1024, 1024)]
CASES = {
    "conv_athread": Case(convolution, LAYER, "float32", 9_000_000),
    "conv_openacc": Case(convolution, LAYER, "float32", 110_000_000),
    "conv_registers": Case(
        batched_convolution, [(3, 6, 128, 128), (3, 3, 128, 128)], "float64", 6_500_000
    ),
    "gemm_registers": Case(np.matmul, [(256, 512), (512, 256)], "float32", 1_400_000),
    "matmul_athread": Case(np.matmul, PRODUCT, "float32", 4_400_000),
    "matmul_openacc": Case(np.matmul, PRODUCT, "float32", 4_500_000),
}


def test_every_folder_has_a_case():
    assert {path.parent.name for path in HAND.glob("*/kernel.toml")} == set(CASES)


@pytest.mark.parametrize(("landing", "seed"), LANDINGS)
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy(name, landing, seed):
    case = CASES[name]
    inputs = case.whole()
    with sw.emulator(landing=landing, seed=seed):
        result = sw.hand_kernel(HAND / name).run(*inputs)
    np.testing.assert_array_equal(result, case.by_numpy(*inputs))


@pytest.mark.parametrize("mode", ["hazard", "timed"])
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy_in_other_modes(name, mode):
    case = CASES[name]
    inputs = case.whole()
    result = sw.hand_kernel(HAND / name).run(*inputs, mode=mode)
    np.testing.assert_array_equal(result, case.by_numpy(*inputs))


@pytest.mark.parametrize("name", CASES)
def test_fractions_are_right_within_rounding(name):
    case = CASES[name]
    rng = np.random.default_rng(1)
    inputs = [rng.standard_normal(shape) for shape in case.shapes]
    expected = case.by_numpy(*inputs)
    result = sw.hand_kernel(HAND / name).run(*(x.astype(case.dtype) for x in inputs))
    terms = case.by_numpy(*(np.abs(x) for x in inputs))
    assert np.all(np.abs(result - expected) <= 1024 * np.finfo(case.dtype).eps * terms)


@pytest.mark.parametrize("name", CASES)
def test_moves_what_its_style_moves_and_by_transfers_alone(name):
    kernel = sw.hand_kernel(HAND / name)
    kernel.run(*CASES[name].whole())
    found = kernel.last_run.bytes
    assert found["get"] + found["put"] < CASES[name].moved
    assert found["gld"] < 4096
    assert found["gst"] == 0
    assert kernel.last_run.ldm_peak_bytes <= 65536


def test_beside_a_schedule_of_the_same_product():
    A = sw.placeholder((1, 1024), name="A")
    B = sw.placeholder((1024, 1024), name="B")
    k = sw.reduce_axis(1024, name="k")
    C = sw.compute((1, 1024), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
    s = sw.create_schedule(C)
    outer, inner = s[C].split("y", factor=16)
    s[C].reorder(outer, k, inner)
    s.buffer_read(A, [k], at=outer)
    s.buffer_write(C, [inner])
    s[C].parallel(outer)
    args = [A, B, C]
    with sw.emulator():  # compare takes timed mode itself
        found = sw.compare(
            {
                "solway": sw.build(s, args, target="sw26010", name="product"),
                "athread": sw.hand_kernel(HAND / "matmul_athread", args=args),
                "numpy": np.matmul,
            },
            inputs=CASES["matmul_athread"].whole(),
            repeats=10,
        )
    text = str(found)
    assert found.operations == 2 * 1024 * 1024
    assert found.measurements["solway"].target == "sw26010"
    assert found.measurements["athread"].bytes["put"] == 36864
    assert found.measurements["athread"].seconds == ()
    by_hand = found.measurements["athread"]
    assert "emulated, by its own clock" in text
    assert found.ratio("solway", "athread") == found.measurements["solway"].cycles / by_hand.cycles
    # 742.4 GFLOP/s at most, and 4 bytes of B for every two operations at 36.01 GB/s.
    assert by_hand.limits.attainable(found.operations, found.argument_bytes) == pytest.approx(
        36.01 * found.operations / found.argument_bytes
    )
    assert 0.2 < by_hand.roofline(found.operations, found.argument_bytes) < 1
