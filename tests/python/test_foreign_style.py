"""Kernels in the styles of public code for these machines, right ones and with planted mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS, POLICIES

FOLDER = Path(__file__).parents[1] / "emulator" / "foreign"


def whole(*shape, low=-4, high=5, dtype="float64"):
    return np.random.default_rng(7).integers(low, high, shape).astype(dtype)


def of_descriptors():
    x = whole(256, 256)
    return [x, 2.5], [x * 2.5]


def of_one_source():
    x = whole(4096, 3, low=-8, high=9) / 8
    squares, odd = (x * x).sum(1), np.arange(4096) % 2 == 1
    near = squares[odd & (squares < 1)]
    return [x], [-2 * x, [squares[~odd].sum(), 2048, near.sum(), len(near)]]


def of_packs(which):
    edges = whole(64, 64, low=1, high=50)
    vertices = np.zeros((64, 8))
    for row, to, source in np.ndindex(8, 8, 8):
        pair = edges[row * 8 + source].reshape(8, 8)[to][:2]
        if source != to:
            vertices[row * 8 + to, source] = pair.max() if which else pair.sum()
    return [edges, which], [vertices]


def of_broadcasts():
    a, b = whole(128, 512, dtype="float32"), whole(512, dtype="float32")
    return [a, b], [a @ b]


def of_dealt_blocks():
    a = np.arange(4096, dtype="float32")
    rows = a.reshape(8, 8, 8, 8)  # row of the mesh, who asks, who receives, the block
    return [a], [rows.swapaxes(1, 2).reshape(-1)]


def of_old_c():
    x = whole(2048, low=0, high=4000, dtype="int32")
    y = np.sort(x.reshape(32, 64), axis=1)
    low, middle, high = y & 7, y >> 3 & 31, y >> 8
    y[:, 0::4], y[:, 1::4] = low[:, 0::4] + 1, middle[:, 1::4] - 2
    y[:, 2::4] = np.where(high[:, 2::4] > 5, high[:, 2::4] * 3 + 5, 7)
    y[:, 3::4] = high[:, 3::4] * -4 + 5
    return [x], [y.reshape(-1)]


def of_summa():
    a, b = whole(128, 128), whole(128, 128, low=-3)
    return [a, b], [a @ b]


CASES = {
    "descriptors": of_descriptors,
    "one_source": of_one_source,
    "packs": lambda: of_packs(0),
    "broadcasts": of_broadcasts,
    "dealt_blocks": of_dealt_blocks,
    "old_c": of_old_c,
    "summa": of_summa,
}


def results(kernel, inputs):
    found = kernel.run(*inputs)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("name", CASES)
def test_runs_in_every_mode_and_is_right(name):
    inputs, expected = CASES[name]()
    kernel = sw.hand_kernel(FOLDER / name)
    for policy in (*POLICIES, {"mode": "timed"}):
        with sw.emulator(**policy):
            for got, wanted in zip(results(kernel, inputs), expected, strict=True):
                np.testing.assert_array_equal(got, wanted, err_msg=str(policy))
    assert kernel.last_run.cycles > 1000


def test_a_function_that_the_mpe_program_chooses():
    inputs, (expected,) = of_packs(1)
    np.testing.assert_array_equal(sw.hand_kernel(FOLDER / "packs").run(*inputs), expected)


FAULTS = [
    ("descriptors", 1, "write_before_complete"),
    ("descriptors", 2, "read_before_complete"),
    ("descriptors", 3, "use_after_free"),
    ("one_source", 1, "read_before_complete"),
    ("one_source", 2, "main_memory_race"),
    ("packs", 1, "unconsumed_message"),
    ("packs", 2, "bad_register_target"),
    ("broadcasts", 1, "broadcast_unordered"),
    ("broadcasts", 2, "broadcast_unordered"),
    ("dealt_blocks", 1, "ldm_race"),
    ("summa", 1, "unfinished_transfer"),
]


def marked(folder, mark):
    """File and line of the statement with the mark; None when no line has it."""
    for file in sorted(folder.glob("*.c")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if mark in line.partition("//")[2].strip().split(", "):
                return file.name, number
    return None


def place(where):
    return (Path(where.file).name, where.line) if where is not None else None


@pytest.mark.parametrize(("name", "fault", "kind"), FAULTS)
def test_a_mistake_is_found_whatever_the_timing(name, fault, kind):
    inputs, _ = CASES[name]()
    kernel = sw.hand_kernel(FOLDER / name, sizes={"FAULT": fault})
    for policy in HAZARDS:
        with (
            sw.emulator(**policy),
            pytest.raises(sw.EmulatorError) as caught,
        ):
            kernel.run(*inputs)
        error = caught.value
        assert error.kind == kind, policy
        assert place(error.where) == marked(FOLDER / name, f"where {fault}"), policy
        assert place(error.cause) == marked(FOLDER / name, f"cause {fault}"), policy
