"""One kernel at many lengths of vector registers, where its target leaves the length open."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from instruction_counts import with_register_bits

FILES = Path(__file__).parents[2] / "targets"
# Bits of a register. QEMU 7.2 has no longer ones of RISC-V.
LENGTHS = {"aarch64-sve": (128, 256, 512, 1024, 2048), "riscv64-v": (128, 256, 512, 1024)}
PROCESSOR = re.compile(r' -cpu ([^\s"]+)')


def lengths_of(target):
    """Bits of a register that a target's kernels run with; None: as the target says."""
    return LENGTHS.get(target, (None,))


def lengths_of_case(target, number):
    """Two of the lengths, others for the next case, so that a few cases have all of them."""
    lengths = lengths_of(target)
    return tuple(dict.fromkeys(lengths[(number + step) % len(lengths)] for step in (0, 2)))


def file_with_length(target, bits, folder):
    """A new target file, whose emulator has registers of so many bits."""
    path = folder / f"{target}-{bits}.toml"
    path.write_text(with_register_bits((FILES / f"{target}.toml").read_text(), bits))
    return path


def file_without_length(target, folder):
    """A new target file, whose emulator has the registers that `registers` says."""
    text, found = PROCESSOR.subn("", (FILES / f"{target}.toml").read_text())
    assert found == 1, f"the emulator of {target} names no processor"
    path = folder / f"{target}.toml"
    path.write_text(text)
    return path


def registers(target, bits):
    """In this context, kernels of `file_without_length` run in registers of so many bits."""
    if bits is None:
        return contextlib.nullcontext()
    text = with_register_bits((FILES / f"{target}.toml").read_text(), bits)
    return mock.patch.dict(os.environ, QEMU_CPU=PROCESSOR.search(text)[1])
