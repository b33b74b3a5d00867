#!/usr/bin/env python3
"""Writes docs/operators.md: runs each operator of each type on each target (some minutes).

A wrong result, or a target whose emulator is not installed, ends it and leaves the page as it was.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

import solway as sw  # noqa: E402
from solway._cpu import runs  # noqa: E402
from support.operator_families import FAMILIES  # noqa: E402
from support.operator_matrix import TARGETS, verdicts_of  # noqa: E402
from support.operator_page import PAGE, cell_of, page_of  # noqa: E402
from support.operator_values import DTYPES  # noqa: E402


def main() -> None:
    """Runs all, and writes the page."""
    if not runs("x86-64-v4"):
        sys.exit("x86-64-v4 does not run on this machine")
    cells, refusals = {}, []
    for dtype in DTYPES:
        for family in FAMILIES:
            print(dtype, family, flush=True)
            found = {}
            for target in TARGETS:
                with sw.emulator("hazard"):
                    found[target] = verdicts_of(family, dtype, target)
            for name in FAMILIES[family].operators:
                verdicts = {target: found[target][name] for target in TARGETS}
                for target, verdict in verdicts.items():
                    if verdict.word == "wrong":
                        sys.exit(f"{family}, {name} of {dtype} on {target}: {verdict.why}")
                    if verdict.word == "refused":
                        refusals.append(f"`{name}` of {dtype} on `{target}`: {verdict.why}")
                cells[family, name, dtype] = cell_of(verdicts)
    PAGE.write_text(page_of(cells, refusals))


if __name__ == "__main__":
    main()
