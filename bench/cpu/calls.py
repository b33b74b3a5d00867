"""What a call from Python costs: of a kernel that copies one number, and of the peers' least."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from ctypes import CDLL, c_long, c_void_p
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import solway as sw
from measuring import aligned
from operations import Softmax

__all__ = ["measured_calls", "show_calls"]

TURNS, CALLS = 20, 2000
GOAL_US = 2.0

LOOP = r"""
#include "{name}.h"
void repeat(long calls, const float* a, float* b) {{
  for (long n = 0; n < calls; ++n) {name}(a, b);
}}
"""


def measured_calls(modules: list[ModuleType]) -> dict[str, Any]:
    """Least microseconds of a call, of several turns of many calls each."""
    x = sw.placeholder((1,), name="x")
    y = sw.compute((1,), lambda i: x[i], name="y")
    s = sw.create_schedule(y)
    kernel = sw.build(s, [x, y], name="nothing")
    a, b = aligned(np.ones(1)), aligned(np.zeros(1))
    kernel(a, b)
    if b[0] != 1:
        raise SystemExit("call: wrong result")
    calls: dict[str, Callable[[], object]] = {"solway": lambda: kernel(a, b)}
    one = Softmax(1, 1)
    values = one.numbers()
    for module in modules:
        calls |= {way.name: way.run for way in module.ways(one, values)}
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(kernel, Path(folder), a, b)
    times: dict[str, list[float]] = {name: [] for name in [*calls, "bare"]}
    for _ in range(TURNS):
        times["bare"].append(bare())
        for name, call in calls.items():
            times[name].append(_each(call))
    least = {name: min(taken) * 1e6 for name, taken in times.items()}
    above = least["solway"] - least["bare"]
    return {"us": least, "above_bare_us": above, "goal_us": GOAL_US, "meets_goal": above <= GOAL_US}


def show_calls(found: dict[str, Any]) -> None:
    """As text."""
    print("a call from Python of what does nothing, least us of", CALLS, "in a row")
    for name, us in found["us"].items():
        print(f"  {name:26} {us:8.3f} us")
    print(f"  solway above the bare function: {found['above_bare_us']:.2f} us; goal {GOAL_US}")


def _each(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS


def _bare(kernel: sw.Kernel, folder: Path, a: np.ndarray, b: np.ndarray) -> Callable[[], float]:
    """Seconds of a call from C of the function that `save` writes."""
    kernel.save(folder)
    loop, library = folder / "loop.c", folder / "loop.so"
    loop.write_text(LOOP.format(name=kernel.name))
    objects = [str(loop), str(folder / f"{kernel.name}.o")]
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", *objects, "-o", str(library)], check=True)
    repeat = CDLL(str(library)).repeat
    pointers = c_void_p(a.ctypes.data), c_void_p(b.ctypes.data)

    def run() -> float:
        start = time.perf_counter()
        repeat(c_long(CALLS), *pointers)
        return (time.perf_counter() - start) / CALLS

    return run
