"""The hand-written kernels under bench/hand: right whenever transfers land, beside solway's own."""

from __future__ import annotations

from pathlib import Path

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


CASES = {
    "conv_athread": (convolution, [(3, 224, 224), (64, 3, 11, 11)]),
    "conv_openacc": (convolution, [(3, 224, 224), (64, 3, 11, 11)]),
    "gemm_registers": (np.matmul, [(256, 512), (512, 256)]),
    "matmul_athread": (np.matmul, [(1, 1024), (1024, 1024)]),
    "matmul_openacc": (np.matmul, [(1, 1024), (1024, 1024)]),
}


def whole(shapes):
    rng = np.random.default_rng(0)
    return [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes]


def test_every_folder_has_a_case():
    assert {path.parent.name for path in HAND.glob("*/kernel.toml")} == set(CASES)


@pytest.mark.parametrize(("landing", "seed"), LANDINGS)
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy(name, landing, seed):
    by_numpy, shapes = CASES[name]
    inputs = whole(shapes)
    with sw.emulator(landing=landing, seed=seed):
        result = sw.hand_kernel(HAND / name).run(*inputs)
    np.testing.assert_array_equal(result, by_numpy(*inputs))


@pytest.mark.parametrize("mode", ["hazard", "timed"])
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy_in_other_modes(name, mode):
    by_numpy, shapes = CASES[name]
    inputs = whole(shapes)
    result = sw.hand_kernel(HAND / name).run(*inputs, mode=mode)
    np.testing.assert_array_equal(result, by_numpy(*inputs))


@pytest.mark.parametrize("name", CASES)
def test_fractions_are_right_within_rounding(name):
    by_numpy, shapes = CASES[name]
    rng = np.random.default_rng(1)
    inputs = [rng.standard_normal(shape) for shape in shapes]
    expected = by_numpy(*inputs)
    result = sw.hand_kernel(HAND / name).run(*(x.astype(np.float32) for x in inputs))
    terms = by_numpy(*(np.abs(x) for x in inputs))
    assert np.all(np.abs(result - expected) <= 1024 * np.finfo(np.float32).eps * terms)


@pytest.mark.parametrize(
    ("name", "moved"),
    [
        ("conv_athread", 9_000_000),
        ("conv_openacc", 110_000_000),
        ("gemm_registers", 1_400_000),
        ("matmul_athread", 4_400_000),
        ("matmul_openacc", 4_500_000),
    ],
)
def test_moves_what_its_style_moves_and_by_transfers_alone(name, moved):
    kernel = sw.hand_kernel(HAND / name)
    kernel.run(*whole(CASES[name][1]))
    found = kernel.last_run.bytes
    assert found["get"] + found["put"] < moved
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
            inputs=whole(CASES["matmul_athread"][1]),
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
