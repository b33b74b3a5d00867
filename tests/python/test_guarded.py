"""Arrays of the tests lie against unreadable pages, which find a read of one byte too far."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, require_emulator
from support.guarded import SIDES, GuardedKernel, guard_of_emulated, guarded

TESTS = Path(__file__).parents[1]
# An index that breaks its promise: the kernel trusts it.
PROGRAM = """
import sys
sys.path[:0] = {path!r}
import numpy as np
import solway as sw
from support.guarded import GuardedKernel, guarded
A, at = sw.placeholder((5,), "int8", name="A"), sw.placeholder((1,), "int64", name="at")
B = sw.compute((1,), lambda i: A[sw.bounded(at[i], 0, 5)], name="B")
k = sw.build(sw.create_schedule(B), [A, at, B], target={target!r})
a = guarded(np.arange(5, dtype="int8"), {side!r})
print(k.run(a, np.array([{index}])))
"""
ON_BOTH_SIDES = """
GuardedKernel(k).run(a, np.array([{index}]))
"""


def run(target, side, index, program=PROGRAM):
    path = [str(TESTS), str(TESTS.parent / "python")]
    text = program.format(path=path, target=target, side=side, index=index)
    command = [sys.executable, "-c", text]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("target", ["host", "c"])
@pytest.mark.parametrize(("side", "inside", "outside"), [("after", 4, 5), ("before", 0, -1)])
def test_one_byte_too_far_ends_the_process(side, inside, outside, target):
    right = run(target, side, inside)
    assert (right.returncode, right.stdout.strip()) == (0, f"[{inside}]"), right.stderr
    assert run(target, side, outside).returncode == -signal.SIGSEGV


@pytest.mark.parametrize(("far_side", "inside", "outside"), [("before", 4, 5), ("after", 0, -1)])
def test_a_guarded_kernel_tries_both_sides(far_side, inside, outside):
    both = PROGRAM + ON_BOTH_SIDES
    assert run("host", far_side, inside, both).returncode == 0
    assert run("host", far_side, outside).returncode == 0  # what is left of a page
    assert run("host", far_side, outside, both).returncode == -signal.SIGSEGV


def test_a_guarded_kernel_gives_what_the_kernel_does():
    A = sw.placeholder((5,), "int8", name="A")
    B = sw.compute((5,), lambda i: A[i] + 1, name="B")
    C = sw.compute((5,), lambda i: A[i] - 1, name="C")
    kernel = GuardedKernel(sw.build(sw.create_schedule([B, C]), [A, B, C]))
    a = np.arange(5, dtype="int8")
    np.testing.assert_array_equal(kernel.run(a), [a + 1, a - 1])
    assert kernel.name == "kernel"


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize(("side", "inside", "outside"), [("after", 4, 5), ("before", 0, -1)])
def test_one_byte_too_far_is_an_error_on_emulated_processors(side, inside, outside, target):
    require_emulator(target)
    A, at = sw.placeholder((5,), "int8", name="A"), sw.placeholder((1,), "int64", name="at")
    B = sw.compute((1,), lambda i: A[sw.bounded(at[i], 0, 5)], name="B")
    k = sw.build(sw.create_schedule(B), [A, at, B], target=target)
    a = np.arange(5, dtype="int8")
    with guard_of_emulated(side):
        assert k.run(a, np.array([inside])) == inside
        with pytest.raises(sw.InternalError, match=f"signal {signal.SIGSEGV.value}"):
            k.run(a, np.array([outside]))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,), (4096,), (5, 1025)])
def test_guarded_copies_are_equal(shape, side):
    a = np.random.default_rng(1).integers(-9, 9, shape).astype("int8")
    b = guarded(a, side)
    np.testing.assert_array_equal(a, b)
    edge = b.ctypes.data + (b.nbytes if side == "after" else 0)
    assert edge % 4096 == 0 and b.flags.writeable and b.flags.c_contiguous
