"""The program of check_wheel.sh: imports the installed solway and runs a kernel on each target.

Its argument is the source tree, which the installed package must not come from.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import solway as sw


def main() -> int:
    """Builds and runs one kernel per target; the exit status says whether all were right."""
    package = Path(sw.__file__).resolve().parent
    source_tree = Path(sys.argv[1]).resolve()
    if package.is_relative_to(source_tree):
        print(f"solway was imported from the source tree: {package}")
        return 1
    for path in (package / "solway-emulator-worker", package / "include" / "sw26010" / "slave.h"):
        if not path.is_file():
            print(f"the installed package lacks {path.name}")
            return 1
    if not os.access(package / "solway-emulator-worker", os.X_OK):
        print("the installed solway-emulator-worker cannot be executed")
        return 1

    a = sw.placeholder((64, 32), name="A")
    b = sw.placeholder((32, 48), name="B")
    k = sw.reduce_axis((0, 32), name="k")
    c = sw.compute((64, 48), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    s[c].parallel("i")
    left = np.arange(64 * 32, dtype="float32").reshape(64, 32) % 7
    right = np.arange(32 * 48, dtype="float32").reshape(32, 48) % 5
    for target in ("host", "c", "example-cluster", "sw26010pro", "sw26010"):
        kernel = sw.build(s, [a, b, c], target=target, name="wheel_matmul")
        right_answer = np.array_equal(kernel.run(left, right), left @ right)
        print(f"target {target}: {'equals NumPy' if right_answer else 'WRONG'}")
        if not right_answer:
            return 1
    kernel.run(left, right, mode="timed")
    page = kernel.last_run.timeline.to_html("timeline.html").read_text()
    print(f"a timeline of {kernel.last_run.cycles} cycles: {len(page)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
