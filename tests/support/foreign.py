"""Targets whose kernels run under an emulator of another processor."""

from __future__ import annotations

import re
import shutil

import pytest
import solway as sw

FOREIGN = ("aarch64-neon", "aarch64-sve", "riscv64-v")


def require_emulator(target):
    """Skips a test where the programs that run the target's kernels are not installed."""
    machine = sw.Target.load(target)._machine.foreign
    for program in (machine.emulator[0], machine.compiler):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def loops_of(assembly):
    """The innermost loops: the instructions from a label to the branch back to it."""
    blocks = re.split(r"^(\.L\w+):", assembly, flags=re.MULTILINE)
    out = []
    for label, text in zip(blocks[1::2], blocks[2::2], strict=True):
        lines = [line.strip() for line in text.splitlines()]
        ends = [n for n, line in enumerate(lines) if re.search(rf"\s{re.escape(label)}$", line)]
        if ends:
            out.append([line for line in lines[: ends[0] + 1] if line])
    return out


def blocked_product(dtype, m, n, k, rows, columns):
    """A product with a block of the result in registers: its schedule and its arguments."""
    A = sw.placeholder((m, k), dtype=dtype, name="A")
    B = sw.placeholder((k, n), dtype=dtype, name="B")
    r = sw.reduce_axis(k, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")
    s = sw.create_schedule(C)
    jo, ji = s[C].split(C.axis[1], factor=columns)
    io, ii = s[C].split(C.axis[0], factor=rows)
    s[C].reorder(io, jo, r, ii, ji)
    s.buffer_write(C, [ii, ji], scope="register")
    s[C].vectorize(ji)
    s[C].unroll(ii)
    return s, [A, B, C]
