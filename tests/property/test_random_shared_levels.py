"""Random schedules with buffers for all cores, and with buffers that are loaded from these."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import solway as sw
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.landings import assert_equal_in_every_landing
from support.random_machines import to_toml

CASES = int(os.environ.get("SOLWAY_SHARED_CASES", "24"))
CLUSTER = Path(__file__).parents[2] / "targets" / "example-cluster.toml"
NAMES = ("io", "jo", "ko", "ii", "ji", "ki")
REFUSED = (
    sw.IllegalScheduleError,
    sw.ScheduleArgumentError,
    sw.UnsupportedError,
    sw.CapacityError,
)
# A case takes a second: one that fails is shown as it was drawn.
QUIET = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.explicit, Phase.reuse, Phase.generate],
}


@st.composite
def orders(draw):
    """Mostly loops over tiles, then within tiles."""
    if draw(st.booleans()):
        return [*draw(st.permutations(NAMES[:3])), *draw(st.permutations(NAMES[3:]))]
    return draw(st.permutations(NAMES))


@st.composite
def buffers(draw):
    """What one operand is staged in."""
    return {
        "shared_at": draw(st.sampled_from([None, *NAMES[:3]])),
        "depth": draw(st.integers(1, 3)),
        "own": draw(st.sampled_from(["buffer", "buffer", "in place"])),
        "own_at": draw(st.sampled_from([*NAMES, "ii", "ji", "ki"])),
        "own_depth": draw(st.integers(1, 2)),
    }


@st.composite
def programs(draw):
    """Sizes, tiles, an order of loops, those on cores, and which buffers there are."""
    return {
        "shape": tuple(draw(st.integers(1, most)) for most in (40, 40, 24)),
        "dtype": draw(st.sampled_from(["float32", "int32", "int64", "int8"])),
        "tile": tuple(draw(st.integers(1, most)) for most in (12, 12, 8)),
        "order": draw(orders()),
        "on_cores": draw(st.sampled_from([["io"], ["jo"], ["io", "jo"]])),
        "shared": draw(st.sampled_from(["A", "B", "B", "AB"])),
        "buffers": {name: draw(buffers()) for name in "AB"},
        "written_at": draw(st.sampled_from(["ii", "ji", "ki", "io"])),
        "written_first": draw(st.booleans()),
    }


@st.composite
def machines(draw):
    """The example with other figures, as the text of its file."""
    table = tomllib.loads(CLUSTER.read_text())
    rows, columns = draw(st.sampled_from([(1, 1), (1, 3), (2, 2), (2, 4), (3, 5), (8, 8)]))
    table["cores"] |= {"count": rows * columns, "mesh_rows": rows, "mesh_columns": columns}
    for memory in table["memories"]:
        if memory["name"] == "shared":
            memory["size_bytes"] = draw(st.sampled_from([512, 2048, 65536]))
            memory["alignment_bytes"] = draw(st.sampled_from([4, 16, 64]))
    (engine,) = table["transfer_engines"]
    engine["alignment_bytes"] = draw(st.sampled_from([4, 4, 8, 16]))
    engine["min_size_bytes"] = engine["alignment_bytes"]
    engine["ranks"] = draw(st.integers(1, 3))
    engine["max_pending"] = draw(st.sampled_from([1, 2, 4]))
    return to_toml(table)


def schedule_of(p, target):
    """The schedule, with what solway refuses of it left out; and what it took."""
    m, n, terms = p["shape"]
    A = sw.placeholder((m, terms), p["dtype"], name="A")
    B = sw.placeholder((terms, n), p["dtype"], name="B")
    k = sw.reduce_axis(terms, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C, target=target)
    loops = {}
    for name, axis, factor in zip("ijk", [*C.axis, k], p["tile"], strict=True):
        loops[f"{name}o"], loops[f"{name}i"] = s[C].split(axis, factor=factor)
    s[C].reorder(*(loops[name] for name in p["order"]))
    took = []

    def attempt(name, step):
        try:
            made = step()
        except REFUSED:
            return None
        took.append(name)
        return made

    attempt("cores", lambda: s[C].parallel(*(loops[name] for name in p["on_cores"])))

    def write():
        attempt("write", lambda: s.buffer_write(C, at=loops[p["written_at"]]))

    def whole(name):
        return [loops[loop] for loop in p["order"] if loop[0] in {"A": "ik", "B": "kj"}[name]]

    def read(operand):
        name, how = operand.name, p["buffers"][operand.name]
        source = operand
        if name in p["shared"]:
            where = {"at": loops[how["shared_at"]]} if how["shared_at"] else {"region": whole(name)}
            options = where | {"scope": "shared", "depth": how["depth"]}
            step = f"shared {how['depth']}"
            source = attempt(step, lambda: s.buffer_read(operand, **options)) or operand
        if how["own"] == "buffer":
            level = "own" if source is operand else "second"
            at, depth = loops[how["own_at"]], how["own_depth"]
            attempt(f"{level} {depth}", lambda: s.buffer_read(source, at=at, depth=depth))

    if p["written_first"]:
        write()
    read(A)
    read(B)
    if not p["written_first"]:
        write()
    return s, [A, B, C], took


@settings(max_examples=CASES, **QUIET)
@given(p=programs(), machine=machines(), seed=st.integers(0, 2**32 - 1))
def test_random_schedules_of_two_levels_are_exact(tmp_path_factory, p, machine, seed):
    """In each landing, with hazards looked for."""
    target = tmp_path_factory.mktemp("machine") / "cluster.toml"
    target.write_text(machine)
    s, args, _ = schedule_of(p, target)
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-3, 4, t.shape).astype(p["dtype"]) for t in args[:2])
    right = (a.astype("int64") @ b.astype("int64")).astype(p["dtype"])
    kernel = sw.build(s, args, target=target, name="product")
    assert_equal_in_every_landing(kernel, [a, b], right)


def test_the_random_schedules_have_both_levels():
    took = Counter()

    @settings(max_examples=25, derandomize=True, **QUIET)
    @given(p=programs())
    def draw(p):
        steps = schedule_of(p, "example-cluster")[2]
        took.update(steps)
        took["second on cores"] += "cores" in steps and any("second" in step for step in steps)

    draw()
    assert took["second on cores"] >= 1
    assert took["shared 2"] + took["shared 3"] >= 4
    assert took["second 2"] >= 1
