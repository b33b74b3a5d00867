"""Many generated kernels of an emulated target as one hand kernel: one compilation, one run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

STATIC = re.compile(
    r"^static (?:SCRATCHPAD_ALIGNED\(\d+\) |inline |__thread_local |volatile )*"
    r"\w[\w ]*?\**(\w+)(?=[\[(;])",
    re.M,
)
BUFFERS = re.compile(r"(?:LDM|scratchpad) buffers: (\d+) of")


class Dialect(NamedTuple):
    """How the files of a target's kernels go together."""

    machine: str  # of kernel.toml
    core_suffix: str
    main_headers: tuple[str, ...]
    core_headers: tuple[str, ...]


ATHREAD = Dialect("sw26010", "_cpe", ("athread.h",), ("math.h", "slave.h"))
GENERIC = Dialect("generic", "_core", ("scratchpad.h",), ("math.h", "scratchpad.h"))
C_TYPES = {
    "float32": "float",
    "float64": "double",
    "int64": "long",
    "int32": "int",
    "int16": "short",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "unsigned char",
    "float16": "unsigned short",  # its bits
}


def dialect_of(kernel):
    """The dialect of a kernel's target."""
    return GENERIC if sw.Target.load(kernel.target).dialect == "generic" else ATHREAD


def near_bytes(kernel):
    """What the buffers of a kernel take."""
    source = kernel.source[f"{kernel.name}{dialect_of(kernel).core_suffix}.c"]
    return sum(map(int, BUFFERS.findall(source)))


def packs_of(kernels):
    """Kernels of one target in groups whose buffers fit its scratchpad together."""
    machine = sw.Target.load(kernels[0].target)
    # The kernels' parameters, counters and stack lie there too.
    size = machine.memory(machine.default_scope).size_bytes * 3 // 4
    packs, room = [], 0
    for kernel in kernels:
        needed = near_bytes(kernel) + 256
        if needed > room:
            packs.append([])
            room = size
        packs[-1].append(kernel)
        room -= needed
    return packs


def write_pack(folder, kernels):
    """Writes the folder of a hand kernel that calls `kernels`, with all their arguments in turn."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    dialect = dialect_of(kernels[0])
    headers = {"mpe": dialect.main_headers, "cpe": dialect.core_headers}
    sides = {side: [f"#include <{name}>" for name in names] for side, names in headers.items()}
    parameters, calls, toml = [], [], []
    for kernel in kernels:
        name = kernel.name
        for side, file in (("mpe", f"{name}.c"), ("cpe", f"{name}{dialect.core_suffix}.c")):
            # Files of one compilation share their names: statics get those of their kernel.
            statics = sorted(set(STATIC.findall(kernel.source[file])))
            sides[side] += [f"#define {s} {name}__{s}" for s in statics]
            sides[side] += [f'#include "{file}"', *(f"#undef {s}" for s in statics)]
        for file, text in kernel.source.items():
            if file.startswith(name):
                (folder / file).write_text(text)
        given = []
        for n, argument in enumerate(kernel.arguments):
            given.append(f"{name}_{n}")
            const = "const " if argument.role == "in" else ""
            parameters.append(f"{const}{C_TYPES[str(argument.dtype)]} *{given[-1]}")
            toml += [
                "[[argument]]",
                f'name = "{given[-1]}"',
                f'dtype = "{argument.dtype}"',
                f"shape = {list(argument.shape) or [1]}",
                # What a kernel leaves alone keeps what the caller's array held.
                f'role = "{"in" if argument.role == "in" else "inout"}"',
            ]
        calls.append(f"  if (status == 0) status = {name}({', '.join(given)});")
    entry = [f"int {folder.name}({', '.join(parameters)}) {{", "  int status = 0;", *calls]
    sides["mpe"] += [*entry, "  return status;", "}"]
    for side, lines in sides.items():
        (folder / f"{side}.c").write_text("\n".join(lines) + "\n")
    head = [
        "[kernel]",
        f'name = "{folder.name}"',
        f'target = "{dialect.machine}"',
        f'entry = "{folder.name}"',
        "[sources]",
        'mpe = ["mpe.c"]',
        'cpe = ["cpe.c"]',
    ]
    (folder / "kernel.toml").write_text("\n".join(head + toml) + "\n")


def pack(folder, kernels):
    """One hand kernel that calls `kernels`; its arguments are all of theirs in turn."""
    write_pack(folder, kernels)
    return sw.hand_kernel(folder, target=kernels[0].target)


def run_pack(packed, arrays):
    """Runs a pack on `arrays`, a list per kernel with one array per argument, in place."""
    packed(*(np.atleast_1d(a) for case in arrays for a in case))
