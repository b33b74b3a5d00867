"""What loops of kernels for other processors consist of, and how many instructions they run.

QEMU counts each instruction of one call, so that it does not matter where in the assembly the
loop is that runs most.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, loops_of, require_emulator
from support.register_lengths import LENGTHS

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from foreign_instructions import LAYERS, counted, row
from instruction_counts import Counts, Instruction, count

SHORT = 128  # bits of a register, which every target has
MACHINES = [*((name, SHORT) for name in FOREIGN), *((name, of[-1]) for name, of in LENGTHS.items())]
# Instructions per operation, or per element, in short registers; somewhat above what was measured
# last.
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
# The same in the longest registers.
MOST_OF_LONGEST = {
    "aarch64-sve": {
        "product 96 x 96 x 96": 0.045,
        "product 37 x 61 x 53": 0.045,
        "convolution 16 to 32, 16 x 16": 0.07,
        "convolution 16 to 32, 14 x 14": 0.16,
        "softmax 16 x 256": 1.1,
        "softmax 16 x 251": 1.1,
    },
    "riscv64-v": {
        "product 96 x 96 x 96": 0.02,
        "product 37 x 61 x 53": 0.025,
        "convolution 16 to 32, 16 x 16": 0.08,
        "convolution 16 to 32, 14 x 14": 0.11,
        "softmax 16 x 256": 2.0,
        "softmax 16 x 251": 2.0,
    },
}
SOFTMAX_ROWS = 16  # in long registers, what runs once for a row is a tenth of all
# Loads of zeros from the stack in the loop of a rest: its masked load puts them into the lanes that
# it leaves out, and beside 24 registers of sums, 4 of the load and the mask there is no room for 4
# of zeros.
ZEROS_ON_STACK = {("product 96 x 96 x 96", "riscv64-v", LENGTHS["riscv64-v"][-1]): 1}


def require_plugins(target):
    """Skips a test where the emulator takes no plugins."""
    require_emulator(target)
    emulator = sw.Target.load(target)._machine.foreign.emulator[0]
    done = subprocess.run([emulator, "--help"], capture_output=True, text=True)
    if "-plugin" not in done.stdout:
        pytest.skip(f"{emulator} was built without plugins")


@pytest.mark.parametrize(("target", "bits"), MACHINES)
@pytest.mark.parametrize("name", LAYERS)
def test_loops_are_vectors_that_stay_in_registers(name, target, bits):
    require_plugins(target)
    layer = LAYERS[name]()
    counts = counted(layer, target, bits)
    most = MOST | MOST_OF_SVE if target == "aarch64-sve" else MOST
    if bits != SHORT:
        most = MOST_OF_LONGEST[target]
    assert counts.total / layer.operations < most[name]
    loops = [loop for loop in counts.loops() if loop[0].times > SOFTMAX_ROWS]
    assert loops and sum(one.times for one in loops[0]) > counts.total / 3
    for loop in loops:
        text = "\n".join(one.text for one in loop)
        assert not counts.scalar_floats(loop), text
        zeros = ZEROS_ON_STACK.get((name, target, bits), 0)
        assert len(counts.stack_accesses(loop)) <= zeros, text


# Products of vectors, and how vectors come from memory and go there.
PRODUCTS = {"aarch64-sve": r"fmla\tz", "riscv64-v": r"vfmacc\.vf"}
LOADS = {"aarch64-sve": r"ld1w\t", "riscv64-v": r"vle32\.v|vl\dre32\.v"}
STORES = {"aarch64-sve": r"st1w\t", "riscv64-v": r"vse32\.v|vs\dr\.v"}


def masks_of(target, assembly):
    """What finds accesses to the lanes of a rest; on Arm those to all lanes have a mask, too."""
    if target == "riscv64-v":
        return re.compile(r"\bv0\.t")
    counted = set(re.findall(r"(?:whilelo|punpklo|punpkhi)\t(p\d+)\.", assembly))
    whole = set(re.findall(r"ptrue\t(p\d+)\.", assembly))
    assert counted and counted.isdisjoint(whole), "a register is for both"
    return re.compile(rf"\b({'|'.join(counted)})\b")


@pytest.mark.parametrize("target", LENGTHS)
@pytest.mark.parametrize("name", ["product 37 x 61 x 53", "convolution 16 to 32, 14 x 14"])
def test_rests_of_products_have_masks(name, target):
    """Of the tiles, and of the last rows, there is a loop of whole vectors and one of the rest."""
    layer = LAYERS[name]()
    kernel = sw.build(layer.result, [*layer.inputs, layer.result], target=target, name="rests")
    assembly = kernel.source["rests.s"]
    masks = masks_of(target, assembly)

    def found(what, lines):
        return [line for line in lines if re.search(what[target], line)]

    def masked(lines):
        return [line for line in lines if masks.search(line)]

    loops = [loop for loop in loops_of(assembly) if found(PRODUCTS, loop)]
    rests = [loop for loop in loops if masked(found(LOADS, loop))]
    assert (len(loops), len(rests)) == (4, 2)
    for rest in rests:
        assert masked(found(LOADS, rest)) == found(LOADS, rest), "\n".join(rest)
    # Each sum of a rest is stored by itself.
    sums = sum(len(found(PRODUCTS, rest)) for rest in rests)
    stores = found(STORES, assembly.splitlines())
    assert len(masked(stores)) == sums > 0, "\n".join(stores)


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
