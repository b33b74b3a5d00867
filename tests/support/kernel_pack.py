"""Many generated kernels of target sw26010 as one hand kernel: one compilation, one run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import solway as sw

STATIC = re.compile(
    r"^static (?:inline |__thread_local |volatile )*\w[\w ]*?\**(\w+)(?=[\[(;])", re.M
)
LDM = re.compile(r"LDM buffers: (\d+) of")
LDM_BYTES = 48 * 1024  # of 64 KB: the kernels' parameters, counters and stack lie there too
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


def ldm_bytes(kernel):
    """What the buffers of a kernel take."""
    return sum(map(int, LDM.findall(kernel.source[f"{kernel.name}_cpe.c"])))


def packs_of(kernels):
    """Kernels in groups whose buffers fit the LDM together."""
    packs, room = [], 0
    for kernel in kernels:
        needed = ldm_bytes(kernel) + 256
        if needed > room:
            packs.append([])
            room = LDM_BYTES
        packs[-1].append(kernel)
        room -= needed
    return packs


def write_pack(folder, kernels):
    """Writes the folder of a hand kernel that calls `kernels`, with all their arguments in turn."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    sides = {"mpe": ["#include <athread.h>"], "cpe": ["#include <math.h>", "#include <slave.h>"]}
    parameters, calls, toml = [], [], []
    for kernel in kernels:
        name = kernel.name
        for side, file in (("mpe", f"{name}.c"), ("cpe", f"{name}_cpe.c")):
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
        'target = "sw26010"',
        f'entry = "{folder.name}"',
        "[sources]",
        'mpe = ["mpe.c"]',
        'cpe = ["cpe.c"]',
    ]
    (folder / "kernel.toml").write_text("\n".join(head + toml) + "\n")


def pack(folder, kernels):
    """One hand kernel that calls `kernels`; its arguments are all of theirs in turn."""
    write_pack(folder, kernels)
    return sw.hand_kernel(folder)


def run_pack(packed, arrays):
    """Runs a pack on `arrays`, a list per kernel with one array per argument, in place."""
    packed(*(np.atleast_1d(a) for case in arrays for a in case))
