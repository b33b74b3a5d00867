"""What loops of kernels for other processors consist of, and how many instructions they run.

QEMU counts each instruction of one call, so that it does not matter where in the assembly the
loop is that runs most.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, require_emulator

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from foreign_instructions import LAYERS, counted, row
from instruction_counts import Counts, Instruction, count

# Instructions per operation, or per element; somewhat above what was measured last.
MOST = {
    "product 96 x 96 x 96": 0.23,
    "product 37 x 61 x 53": 0.27,
    "convolution 16 to 32, 16 x 16": 0.27,
    "convolution 16 to 32, 14 x 14": 0.33,
    "softmax 16 x 256": 14,
    "softmax 16 x 251": 17,
}
# Rows whose numbers are loaded one by one, from addresses that are made in the loop.
MOST_OF_SVE = {"product 96 x 96 x 96": 0.25, "product 37 x 61 x 53": 0.31}


def require_plugins(target):
    """Skips a test where the emulator takes no plugins."""
    require_emulator(target)
    emulator = sw.Target.load(target)._machine.foreign.emulator[0]
    done = subprocess.run([emulator, "--help"], capture_output=True, text=True)
    if "-plugin" not in done.stdout:
        pytest.skip(f"{emulator} was built without plugins")


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("name", LAYERS)
def test_loops_are_vectors_that_stay_in_registers(name, target):
    require_plugins(target)
    layer = LAYERS[name]()
    counts = counted(layer, target)
    most = MOST | MOST_OF_SVE if target == "aarch64-sve" else MOST
    assert counts.total / layer.operations < most[name]
    loops = counts.loops()
    assert loops and sum(one.times for one in loops[0]) > counts.total / 3
    for loop in loops:
        text = "\n".join(one.text for one in loop)
        assert not counts.scalar_floats(loop), text
        assert not counts.stack_accesses(loop), text


def test_a_row_of_the_table():
    require_plugins("riscv64-v")
    name = "softmax 16 x 256"
    cells = [cell.strip() for cell in row(name, LAYERS[name](), "riscv64-v").split("|")]
    assert cells[1:3] == [name, "`riscv64-v`"]
    assert cells[4].endswith(" per element") and cells[7:10] == [cells[7], "0", "0"]


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("extent", [37, 39])
def test_rests_of_vectors_are_vectors(extent, target, tmp_path):
    """No element of a rest is computed by itself."""
    require_plugins(target)
    A, B = sw.placeholder((extent,), name="A"), sw.placeholder((extent,), name="B")
    C = sw.compute((extent,), lambda i: A[i] * B[i] + A[i], name="C")
    s = sw.create_schedule(C)
    s[C].vectorize(C.axis[0])
    a = np.arange(extent, dtype="float32")
    got, counts = count(s, [A, B, C], [a, a], target, tmp_path)
    np.testing.assert_array_equal(got, a * a + a)
    assert not counts.scalar_floats(counts.instructions), counts.instructions
    assert not counts.stack_accesses(counts.instructions), counts.instructions


def test_scalar_floats_and_spills_are_recognized():
    def found(machine, text):
        one = [Instruction(0, 1, text)]
        counts = Counts(machine, one, {})
        return bool(counts.scalar_floats(one)), bool(counts.stack_accesses(one))

    assert found("aarch64", "fmadd s0, s1, s2, s0") == (True, False)
    assert found("aarch64", "fmul d0, d1, d2") == (True, False)
    assert found("aarch64", "fmla v0.4s, v1.4s, v2.s[0]") == (False, False)
    assert found("aarch64", "fmul v0.4s, v1.4s, v2.4s") == (False, False)
    assert found("aarch64", "ldp q23, q29, [sp, #0x110]") == (False, True)
    assert found("aarch64", "ldr q20, [x0, x16]") == (False, False)
    assert found("aarch64", ".byte 0x04, 0x41, 0x80, 0xe5") == (False, True)  # str z4, [x8]
    assert found("aarch64", ".byte 0x0c, 0x44, 0x43, 0xa5") == (False, False)  # ld1w
    assert found("riscv64", "fmadd.s                 fa0,fa1,fa2,fa0") == (True, False)
    assert found("riscv64", "vfmacc.vf               v9,fa4,v28") == (False, False)
    assert found("riscv64", "ld                      a0,8(sp)") == (False, True)
    assert found("riscv64", "vl1re8.v                v3,(a2)") == (False, True)
