"""Runs PolyBench kernels, compares them with NumPy and takes their time.

    python bench/polybench/run.py [--dataset SMALL] [--target host] [--json FILE] [kernel ...]

The time is that of the plain schedule, as written, without any primitive. Exit code 1: a result
is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import suite


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="kernel", help="default: all 30")
    parser.add_argument("--dataset", default="SMALL", choices=("MINI", "SMALL", "MEDIUM", "LARGE"))
    parser.add_argument("--target", default="host")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    unknown = set(options.kernels) - set(suite.NAMES)
    if unknown:
        parser.error(f"no kernel {', '.join(sorted(unknown))}; there are {', '.join(suite.NAMES)}")
    rows = {}
    print(f"{'kernel':<15} {'ms':>10} {'NumPy ms':>10} {'build ms':>9} {'error':>9}")
    for name in options.kernels or suite.NAMES:
        result = suite.run(name, options.dataset, options.target, options.repeats)
        rows[name] = asdict(result) | {"is_right": result.is_right}
        verdict = "" if result.is_right else "  WRONG"
        print(
            f"{name:<15} {result.seconds * 1e3:10.3f} {result.numpy_seconds * 1e3:10.3f} "
            f"{result.build_seconds * 1e3:9.0f} {result.error:9.1e}{verdict}",
            flush=True,
        )
    if options.json:
        head = {"dataset": options.dataset, "target": options.target, "repeats": options.repeats}
        options.json.write_text(json.dumps(head | {"kernels": rows}, indent=1) + "\n")
    return 0 if all(row["is_right"] for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
