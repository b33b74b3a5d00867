"""Many generated kernels of target c in one compilation."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess

from support.kernel_pack import STATIC

STRUCT = re.compile(r"^struct (\w+) \{", re.M)


class CPack:
    """Compiles the C of kernels together.

    Args:
        folder: where the source and the library are written.
        kernels: of target c, each with another name.
    """

    def __init__(self, folder, kernels):
        folder.mkdir(parents=True)
        lines = []
        for kernel in kernels:
            file = f"{kernel.name}.c"
            text = kernel.source[file]
            (folder / file).write_text(text)
            # Files of one compilation share their names: statics get those of their kernel.
            statics = sorted({*STATIC.findall(text), *STRUCT.findall(text)})
            lines += [f"#define {name} {kernel.name}__{name}" for name in statics]
            lines += [f'#include "{file}"', *(f"#undef {name}" for name in statics)]
        (folder / "all.c").write_text("\n".join(lines) + "\n")
        flags = ["-std=c99", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic"]
        done = subprocess.run(
            [os.environ.get("CC") or "cc", *flags, "-o", "all.so", "all.c", "-lm"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-3000:])
        self._library = ctypes.CDLL(str(folder / "all.so"))

    def run(self, kernel, arrays):
        """Runs one of the kernels, in place; gives its status."""
        entry = getattr(self._library, kernel.name)
        entry.restype = ctypes.c_int32
        return entry(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))
