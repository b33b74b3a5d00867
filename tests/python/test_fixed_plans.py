"""What the user has fixed of a stage stays in the plans of `auto_buffer`."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

Fixed = Callable[[sw.Schedule, sw.Tensor], None]


def product(m: int, n: int, depth: int) -> list[sw.Tensor]:
    a = sw.placeholder((m, depth), name="A")
    b = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    return [a, b, c]


def split_columns(s: sw.Schedule, c: sw.Tensor) -> None:
    s[c].split("y", factor=16)


def split_all(s: sw.Schedule, c: sw.Tensor) -> None:
    for loop, factor in (("x", 8), ("y", 16), ("k", 32)):
        s[c].split(loop, factor=factor)


def on_cores(s: sw.Schedule, c: sw.Tensor) -> None:
    s[c].parallel("x")


def parts_on_cores(s: sw.Schedule, c: sw.Tensor) -> None:
    yo, _ = s[c].split("y", factor=16)
    s[c].parallel(yo)


def on_the_mesh(s: sw.Schedule, c: sw.Tensor) -> None:
    xo, xi = s[c].split("x", factor=8)
    yo, yi = s[c].split("y", factor=16)
    s[c].reorder(xo, yo, "k", xi, yi)
    s[c].parallel(xo, yo, grid=(8, 8))


def order(s: sw.Schedule, c: sw.Tensor) -> None:
    s[c].reorder("y", "k", "x")


def order_of_tiles(s: sw.Schedule, c: sw.Tensor) -> None:
    xo, xi = s[c].split("x", factor=8)
    ko, ki = s[c].split("k", factor=32)
    s[c].reorder(ko, xo, "y", ki, xi)


def assert_right(s: sw.Schedule, tensors: list[sw.Tensor], target: str, seed: int = 3) -> None:
    kernel = sw.build(s, tensors, target=target, name="fixed")
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-4, 5, t.shape).astype("float32") for t in tensors[:-1])
    assert_equal_in_every_landing(kernel, [a, b], a @ b)


FIXED = [split_columns, split_all, on_cores, parts_on_cores, on_the_mesh, order, order_of_tiles]


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("fix", FIXED, ids=lambda fix: fix.__name__)
def test_a_plan_within_what_is_fixed_is_right(fix: Fixed, target: str) -> None:
    tensors = product(64, 128, 96)
    s = sw.create_schedule(tensors[-1])
    fix(s, tensors[-1])
    before = [str(step) for step in s.log]
    plan = s.auto_buffer(target)
    assert plan["C"].planner == "optimal"
    assert not plan.remarks
    assert [str(step) for step in s.log][: len(before)] == before
    assert_right(s, tensors, target)


@pytest.mark.parametrize(("fix", "loops"), [(split_columns, "y.i"), (parts_on_cores, "y.o")])
def test_tiles_are_those_of_the_split(fix: Fixed, loops: str) -> None:
    tensors = product(64, 128, 96)
    s = sw.create_schedule(tensors[-1])
    fix(s, tensors[-1])
    tile, extent = s.auto_buffer("sw26010")["C"].tiles[loops]
    assert (tile, extent) == ((16, 16) if loops == "y.i" else (1, 8))


def test_loops_over_tiles_stay_in_order() -> None:
    tensors = product(64, 128, 96)
    s = sw.create_schedule(tensors[-1])
    order_of_tiles(s, tensors[-1])
    s.auto_buffer("sw26010")
    loops = [line.strip().split()[1] for line in str(s).splitlines() if "For " in line]
    assert loops[loops.index("k.o") + 1] == "x.o"  # before them, sums are set to zero


def test_a_split_costs_little() -> None:
    def cycles(fix: Fixed | None) -> float:
        tensors = product(512, 512, 512)
        s = sw.create_schedule(tensors[-1])
        if fix:
            fix(s, tensors[-1])
        return s.auto_buffer("sw26010")["C"].cycles

    free = cycles(None)
    assert cycles(lambda s, c: (s[c].split("y", factor=64), None)[1]) < 1.1 * free
    assert cycles(lambda s, c: (s[c].split("k", factor=32), None)[1]) < 1.5 * free


@pytest.mark.parametrize("loop", ["x", "y", "k"])
def test_what_registers_hold_stays_and_tiles_are_free(loop: str) -> None:
    tensors = product(64, 128, 96)
    s = sw.create_schedule(tensors[-1])
    _, inner = s[tensors[-1]].split(loop, factor=4)
    hold = s[tensors[-1]].vectorize if loop == "y" else s[tensors[-1]].unroll
    hold(inner)
    plan = s.auto_buffer("sw26010")
    assert plan["C"].planner == "optimal"
    mark = f"For {loop}.i in range(4)  # {'vectorized' if loop == 'y' else 'unrolled'}"
    assert mark in str(s)
    free = sw.create_schedule(tensors[-1]).auto_buffer("sw26010")["C"].cycles
    assert plan["C"].cycles < 2 * free
    assert_right(s, tensors, "sw26010")


@pytest.mark.parametrize("loop", ["x", "k"])
def test_vectors_that_are_not_counted_are_planned_greedily_and_said(loop: str) -> None:
    tensors = product(16, 128, 96)
    s = sw.create_schedule(tensors[-1])
    _, inner = s[tensors[-1]].split(loop, factor=8)
    s[tensors[-1]].vectorize(inner)
    plan = s.auto_buffer("sw26010")
    assert plan["C"].planner == "greedy"
    assert f"it counts no vectors along '{loop}.i'" in plan.remarks[0][2]
    assert_right(s, tensors, "sw26010")


def fix_at_random(rng: random.Random, s: sw.Schedule, c: sw.Tensor) -> None:
    """Splits loops, puts them in some order, and runs some on cores, in vectors or unrolled."""
    loops: list[str] = []
    held: list[str] = []
    for loop in ("x", "y", "k"):
        if rng.random() < 0.5:
            s[c].split(loop, factor=rng.choice([1, 2, 3, 4, 8, 16]))
            loops += [f"{loop}.o", f"{loop}.i"]
            if rng.random() < 0.4:
                held.append(f"{loop}.i")
        else:
            loops.append(loop)
    if rng.random() < 0.5:
        rng.shuffle(loops)
        s[c].reorder(*loops)
    spatial = [loop for loop in loops if loop[0] != "k" and loop not in held]
    if rng.random() < 0.5 and spatial:
        s[c].parallel(rng.choice(spatial))
    for loop in held:
        hold = s[c].vectorize if loop[0] == "y" else s[c].unroll
        hold(loop)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_fixed_the_plan_is_right(seed: int) -> None:
    rng = random.Random(seed)
    tensors = product(rng.choice([4, 13, 32]), rng.choice([8, 20, 64]), rng.choice([1, 12, 32]))
    s = sw.create_schedule(tensors[-1])
    fix_at_random(rng, s, tensors[-1])
    target = rng.choice(["sw26010", "sw26010pro"])
    plan = s.auto_buffer(target)
    assert plan["C"].planner == "optimal" or "it counts no vectors" in plan.remarks[0][2]
    assert_right(s, tensors, target, seed)
