"""What emulated processors run, instruction by instruction: a plugin of QEMU that counts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

__all__ = ["TARGETS", "Counts", "Instruction", "count", "emulator_version"]

TARGETS = ("aarch64-neon", "aarch64-sve", "riscv64-v")
FILES = Path(__file__).resolve().parent.parent / "targets"
COUNTER = Path(__file__).resolve().parent / "instruction_counter.c"

# Arithmetic of floats one by one, and accesses to the stack, in each machine's words.
SCALAR_FLOATS = {
    "aarch64": re.compile(r"f(n?m(add|sub|ul)|add|sub|div|sqrt|max|min)\w*\s+[sdh]\d"),
    "riscv64": re.compile(r"f(n?m(add|sub)|add|sub|mul|div|sqrt|max|min)\.[sdh]\b"),
}
STACK = {
    "aarch64": re.compile(r"^(ld|st)\w+\s.*\[sp"),
    # A whole register is stored as any vector is, and comes back in bytes.
    "riscv64": re.compile(r"\(sp\)|^vl\d+re8\."),
}


class Instruction(NamedTuple):
    """One instruction of a kernel, and how often it ran."""

    address: int
    times: int
    text: str


class Counts(NamedTuple):
    """What a call of a kernel ran.

    Args:
        machine: "aarch64" or "riscv64".
        instructions: of the kernel, in order of addresses.
        others: instructions of functions that the kernel, or the program around it, called.
    """

    machine: str
    instructions: list[Instruction]
    others: dict[str, int]

    @property
    def total(self) -> int:
        """Instructions that the kernel ran."""
        return sum(one.times for one in self.instructions)

    def loops(self) -> list[list[Instruction]]:
        """The innermost loops that take a tenth of the total or more, the largest first."""
        out, runs = [], self._runs()
        for run in runs:
            if sum(one.times for one in run) >= self.total / 10 and len(run) > 1:
                out.append(run)
        return sorted(out, key=lambda run: -sum(one.times for one in run))

    def _runs(self) -> list[list[Instruction]]:
        """Neighbours that ran equally often."""
        runs: list[list[Instruction]] = []
        for one in self.instructions:
            if runs and runs[-1][-1].times == one.times:
                runs[-1].append(one)
            else:
                runs.append([one])
        return runs

    def scalar_floats(self, loop: Sequence[Instruction]) -> list[str]:
        """Arithmetic of one float at a time."""
        return [one.text for one in loop if SCALAR_FLOATS[self.machine].search(one.text)]

    def stack_accesses(self, loop: Sequence[Instruction]) -> list[str]:
        """Loads and stores of what registers did not hold."""
        stack = STACK[self.machine]
        return [t for t in (one.text for one in loop) if stack.search(t) or _is_sve_spill(t)]


def _is_sve_spill(text: str) -> bool:
    """Whether these are the bytes of a whole register of SVE on its way from or to the stack.

    QEMU prints SVE as bytes. Compilers use the loads and stores without a predicate for this alone.
    """
    if not text.startswith(".byte"):
        return False
    word = int.from_bytes(bytes(int(byte, 16) for byte in text[5:].split(",")), "little")
    of_vector, of_predicate = word & 0xFFC0E000, word & 0xFFC0E010
    return of_vector in (0xE5804000, 0x85804000) or of_predicate in (0xE5800000, 0x85800000)


def emulator_version(target: str) -> str:
    """The first line of what the target's emulator says of itself."""
    machine = sw.Target.load(target)._machine.foreign
    done = subprocess.run([machine.emulator[0], "--version"], capture_output=True, text=True)
    return done.stdout.splitlines()[0]


def with_register_bits(target_file: str, bits: int) -> str:
    """The text of a target file whose emulator has vector registers of that length."""
    # A program begins with 64 bytes, or fewer where there are fewer, unless its default is another.
    sve = f"sve-max-vq={bits // 128},sve-default-vector-length={bits // 8}"
    out, arm = re.subn(r"-cpu max\b", f"-cpu max,{sve}", target_file)
    out, riscv = re.subn(r"\bvlen=\d+", f"vlen={bits}", out)
    if arm + riscv == 0:
        raise ValueError("the target file says nothing of the length of registers")
    return out


def count(
    schedule: sw.Schedule | sw.Tensor,
    arguments: Sequence[sw.Tensor],
    arrays: Sequence[np.ndarray],
    target: str,
    folder: Path,
    bits: int | None = None,
) -> tuple[object, Counts]:
    """Builds a kernel for a target, and runs it once under QEMU with the counter.

    Args:
        schedule: as `sw.build` takes it.
        arguments: as `sw.build` takes them.
        arrays: of the inputs.
        target: one of TARGETS.
        folder: a new one, for the plugin and what it writes.
        bits: of a register, where the target leaves that open; None: as the target file says.

    Returns:
        What `Kernel.run` gives, and the counts.
    """
    plugin, output = folder / "counter.so", folder / "counts.txt"
    flags = ["-O2", "-shared", "-fPIC", "-o", str(plugin), str(COUNTER)]
    subprocess.run(["cc", *flags], check=True)
    text = (FILES / f"{target}.toml").read_text()
    with_plugin = rf"\g<1> -plugin {plugin},out={output} "
    counted = re.sub(r'^(emulator = "\S+) ', with_plugin, text, flags=re.M)
    if counted == text:
        raise ValueError(f"the target file of {target} names no emulator with options")
    if bits is not None:
        counted = with_register_bits(counted, bits)
    file = folder / f"{target}.toml"
    file.write_text(counted)
    kernel = sw.build(schedule, arguments, target=file, name="counted")
    results = kernel.run(*arrays)
    return results, _read(output, sw.Target.load(target)._machine.foreign.triple.split("-")[0])


def _read(output: Path, machine: str) -> Counts:
    instructions, others = [], {}
    for line in output.read_text().splitlines():
        function, address, times, text = line.split("\t", 3)
        if function.split(".")[0] in ("counted", "solway_run_kernel"):
            # RISC-V's texts begin with the bytes.
            words = re.sub(r"^[0-9a-f]+\s{2,}", "", text) if machine == "riscv64" else text
            instructions.append(Instruction(int(address, 16), int(times), words.strip()))
        else:
            others[function] = others.get(function, 0) + int(times)
    return Counts(machine, sorted(instructions), others)
