"""Random schedules with buffers of registers inside of and around a vectorized loop."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.foreign import require_emulator

NAMES = ("io", "ii", "jo", "ji", "ko", "ki")
CASES = int(os.environ.get("SOLWAY_LANE_CASES", "60"))
FOREIGN_CASES = int(os.environ.get("SOLWAY_FOREIGN_LANE_CASES", "6"))


@st.composite
def programs(draw):
    """Sizes, tiles, an order of loops, the vectorized one, and where buffers stand."""
    order = draw(st.permutations(NAMES))
    return {
        "shape": (draw(st.integers(1, 11)), draw(st.integers(1, 90)), draw(st.integers(1, 9))),
        "dtype": draw(st.sampled_from(["int32", "int32", "float32", "int64", "int8"])),
        "tile": (draw(st.integers(1, 5)), draw(st.integers(1, 70)), draw(st.integers(1, 4))),
        "order": order,
        "lanes": draw(st.sampled_from(["ji", "ji", "ji", "jo", "ii", "ki"])),
        "unrolled": draw(st.sets(st.sampled_from(["ii", "ki"]))),
        "reads": draw(st.sampled_from([None, None, "A", "B"])),
        "read_at": draw(st.sampled_from(NAMES)),
        "written_at": draw(st.sampled_from([*NAMES, order[-1], order[-2], order[-3]])),
        "first": draw(st.booleans()),
        "tail": draw(st.sampled_from([{}, {}, {"tail": "cut"}])),
    }


def schedule_of(p):
    """The schedule, with what solway refuses of it left out; and what it took."""
    m, n, terms = p["shape"]
    A = sw.placeholder((m, terms), p["dtype"], name="A")
    B = sw.placeholder((terms, n), p["dtype"], name="B")
    k = sw.reduce_axis(terms, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    loops = {}
    for name, axis, factor in zip("ijk", [*C.axis, k], p["tile"], strict=True):
        loops[f"{name}o"], loops[f"{name}i"] = s[C].split(axis, factor=factor, **p["tail"])
    s[C].reorder(*(loops[name] for name in p["order"]))
    for name in sorted(p["unrolled"] - {p["lanes"]}):
        s[C].unroll(loops[name])
    read = {"A": A, "B": B}.get(p["reads"])
    steps = [
        ("vectorize", lambda: s[C].vectorize(loops[p["lanes"]])),
        ("write", lambda: s.buffer_write(C, at=loops[p["written_at"]], scope="register")),
    ]
    if read is not None:
        at = loops[p["read_at"]]
        steps.append(("read", lambda: s.buffer_read(read, at=at, scope="register")))
    took = []
    for name, step in steps if p["first"] else reversed(steps):
        try:
            step()
            took.append(name)
        except (sw.IllegalScheduleError, sw.ScheduleArgumentError, sw.UnsupportedError):
            pass  # what solway refuses is left out
    return s, [A, B, C], took


def check(p, seed, target):
    s, args, took = schedule_of(p)
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-3, 4, t.shape).astype(p["dtype"]) for t in args[:2])
    with np.errstate(over="ignore"):
        right = (a.astype("int64") @ b.astype("int64")).astype(p["dtype"])
    np.testing.assert_array_equal(sw.build(s, args, target=target).run(a, b), right)
    return took


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(p=programs(), seed=st.integers(0, 2**32 - 1), target=st.sampled_from(["host", "host", "c"]))
def test_random_schedules_are_exact(p, seed, target):
    check(p, seed, target)


@settings(max_examples=FOREIGN_CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    p=programs(),
    seed=st.integers(0, 2**32 - 1),
    target=st.sampled_from(["aarch64-sve", "riscv64-v"]),
)
def test_random_schedules_are_exact_in_registers_of_any_length(p, seed, target):
    require_emulator(target)
    check(p, seed, target)


def test_the_random_schedules_have_buffers_of_lanes():
    took = Counter()

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(p=programs())
    def draw(p):
        steps = schedule_of(p)[2]
        lanes = p["order"].index(p["lanes"])
        inside = p["order"].index(p["written_at"]) >= lanes
        took["of lanes" if inside and {"vectorize", "write"} <= set(steps) else "other"] += 1

    draw()
    assert took["of lanes"] >= 5
