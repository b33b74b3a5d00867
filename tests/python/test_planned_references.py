"""Plans of several references to one tensor: one buffer, or one for each group."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

H = 1 << 14
N = 64


def program(name: str) -> tuple[list[sw.Tensor], object]:
    """The tensors of a program, and its result by NumPy."""
    line = sw.placeholder((4 * H,), name="X")
    square = sw.placeholder((N, N), name="X")
    k = sw.reduce_axis(N, name="k")
    row = sw.reduce_axis(2 * H, name="k")
    rows = sw.placeholder((4, 2 * H), name="X")
    x, y = {
        "halves": (line, lambda i: line[i] + line[i + 2 * H]),
        "gates": (line, lambda i: line[i] * line[i + H] - line[i + 2 * H] + line[i + 3 * H]),
        "pairs": (line, lambda i: line[i] * line[4 * H - 1 - i]),
        "mirror image": (square, lambda i, j: square[i, j] - 2 * square[j, i]),
        "both turned": (square, lambda i, j: square[i, j] - 2 * square[N - 1 - j, i]),
        "rows": (square, lambda i, j: sw.sum(square[i, k] * square[j, k], axis=k)),
        "itself": (square, lambda i, j: sw.sum(square[i, k] * square[k, j], axis=k)),
        "beside": (rows, lambda i: sw.sum(rows[i, row], axis=row) - 2 * rows[3 - i, 0]),
    }[name]
    shape = {"halves": (2 * H,), "gates": (H,), "pairs": (4 * H,), "beside": (4,)}
    return [x, sw.compute(shape.get(name, (N, N)), y, name="Y")], RESULTS[name]


RESULTS = {
    "halves": lambda x: x[: 2 * H] + x[2 * H :],
    "gates": lambda x: x[:H] * x[H : 2 * H] - x[2 * H : 3 * H] + x[3 * H :],
    "pairs": lambda x: x * x[::-1],
    "mirror image": lambda x: x - 2 * x.T,
    "both turned": lambda x: x - 2 * x[::-1].T,
    "rows": lambda x: x @ x.T,
    "itself": lambda x: x @ x,
    "beside": lambda x: x.sum(1) - 2 * x[::-1, 0],
}


def decision(plan: object, stage: str = "Y") -> object:
    (found,) = [d for d in plan[stage].decisions if d.what == "references to X"]  # type: ignore
    return found


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("name", RESULTS)
def test_each_plan_is_right_in_every_landing(name: str, target: str) -> None:
    tensors, result = program(name)
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer(target)
    assert plan["Y"].planner == "optimal"
    assert not [remark for remark in plan.remarks if remark[1] == "accessed in main memory"]
    made = decision(plan)
    assert made.why_not or made.cycles <= made.instead_cycles  # type: ignore
    values = np.random.default_rng(2).integers(-4, 5, tensors[0].shape).astype("f4")
    kernel = sw.build(s, tensors, target=target, name="planned")
    assert_equal_in_every_landing(kernel, [values], result(values))  # type: ignore


def test_halves_have_a_buffer_each() -> None:
    tensors, _ = program("halves")
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert plan["Y"].buffers == ("XX", "XX_1", "YY")
    made = decision(plan)
    assert made.chosen == "a buffer for each: X[i]; X[i + 32768]"  # type: ignore
    assert made.instead == "in main memory, as one box has no room"  # type: ignore
    assert "references to X: a buffer for each" in str(s.explain("sw26010"))
    assert "stage X[i + 32768]: staged" in str(s.explain("sw26010"))
    # Both move alike.
    depths = [step for step in s.log if "references=" in str(step)]
    assert [("depth=2" in str(step)) for step in depths] in ([True, True], [False, False])


def test_a_window_has_one_buffer_and_no_alternative() -> None:
    x = sw.placeholder((130, 130), name="X")
    y = sw.compute((128, 128), lambda i, j: x[i, j + 1] + x[i + 1, j] + x[i + 2, j + 2], name="Y")
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010")
    assert plan["Y"].buffers == ("XX", "YY")
    assert not [d for d in plan["Y"].decisions if d.what == "references to X"]


def test_rows_that_lie_near_share_a_box_that_keeps_them() -> None:
    x = sw.placeholder((272, 256), name="X")
    y = sw.compute((256, 256), lambda i, j: x[i, j] + x[i + 8, j] + x[i + 16, j], name="Y")
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010")
    made = decision(plan)
    assert made.chosen == "one buffer around all"  # type: ignore
    assert made.instead_cycles > made.cycles  # type: ignore


def test_the_two_operands_of_a_product_go_to_a_micro_kernel() -> None:
    tensors, _ = program("itself")
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert "micro_kernel" in str([str(step) for step in s.log])
    assert decision(plan).chosen == "a buffer for each: X[i, k]; X[k, j]"  # type: ignore


def test_the_greedy_planner_has_one_buffer() -> None:
    tensors, _ = program("mirror image")
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010", planner="greedy")
    assert "references=" not in str([str(step) for step in s.log])


def test_within_what_the_user_has_split() -> None:
    tensors, result = program("halves")
    s = sw.create_schedule(tensors[-1])
    outer, _ = s[tensors[-1]].split("i", factor=512)
    s[tensors[-1]].parallel(outer)
    plan = s.auto_buffer("sw26010")
    assert plan["Y"].planner == "optimal"
    assert "references=[1]" in str([str(step) for step in s.log])
    values = np.arange(4 * H, dtype="f4")
    kernel = sw.build(s, tensors, target="sw26010", name="fixed")
    np.testing.assert_array_equal(kernel.run(values), result(values))  # type: ignore
