"""docs/operators.md: what the matrix of operators found, as tables and back."""

from __future__ import annotations

import re
from pathlib import Path

from support.operator_families import FAMILIES, ODD
from support.operator_matrix import NO_SUCH, RIGHT, TARGETS
from support.operator_values import DTYPES

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"
MARKS = {"right": "✓", "no such": "·"}
INTRODUCTION = f"""\
# Operators, element types and targets

Written by `tools/generate_operators.py` from what it ran; `tests/python/test_operators.py` runs all
of it again, and fails where a cell says something else.

Targets: {", ".join(f"`{name}`" for name in TARGETS)};
those of other processors under QEMU, Sunway and the cluster under solway's emulator in hazard mode,
`ve-ncc`'s C by this machine's compiler. In the cell of an operator and a type is

* ✓: on every target every result is NumPy's. Integers, moved elements and what IEEE 754 rounds
  exactly have the same bits (which of two zeros `minimum`, `maximum` and reductions give is left
  open); functions are within 3 ulp of float64's (1 of 16-bit types), softmax within 24 ulp, layer
  norm within 64 (3 and 8).
* ·: no such operator in the matrix, mostly because NumPy has none of this type.
* not on TARGET: refused there, with the reason below the tables.

Loops are in vectors where an order is not part of the meaning, so that tails are part of every run.
Values are the corners of the type, in all pairs: NaN, infinities, both zeros, the smallest and the
largest denormal, the smallest normal and the largest number; of integers both ends, with divisors
of 0 and -1. Extents are constant ({ODD} elements, products of 5 x 13 x 37, images of 7 x 9) and, in
other kernels, known only at the call: 0, 1 and 19 elements, products without rows, columns and
terms, images of 2 x 2 in batches of 0, 1 and 3. Every array lies against an unreadable page, once
after it and once before it; solway's emulator checks bounds itself. Views with other strides,
reversed and transposed ones are refused by name, with `ArgumentMismatchError`.

On `riscv64-v`, `trunc` of float16, float32 and float64 runs element by element: QEMU 7.2 ends with
an assertion of its own at its vector instructions.
"""


def cell_of(verdicts):
    """The text of a cell, of verdicts by target."""
    words = {verdict.word for verdict in verdicts.values()}
    if len(words) == 1 and (mark := MARKS.get(*words)):
        return mark
    return "not " + ", ".join(t for t, verdict in verdicts.items() if verdict != RIGHT)


def verdict_word(cell, target):
    """What a cell says of one target."""
    if cell == MARKS["no such"]:
        return NO_SUCH.word
    return "refused" if target in re.split(r"[ ,]+", cell) else RIGHT.word


def page_of(cells, refusals=()):
    """The page.

    Args:
        cells: texts by (family, operator, type).
        refusals: lines, each of an operator, a type, a target and a reason.
    """
    lines = [INTRODUCTION]
    for family, about in FAMILIES.items():
        lines += [f"## {family}", ""]
        lines += ["| | " + " | ".join(f"`{dtype}`" for dtype in DTYPES) + " |"]
        lines += ["|---" * (len(DTYPES) + 1) + "|"]
        for name in about.operators:
            row = " | ".join(cells[family, name, dtype] for dtype in DTYPES)
            lines.append(f"| `{name.replace('|', '&#124;')}` | {row} |")
        lines.append("")
    lines += [f"* {text}" for text in refusals]
    return "\n".join(lines).rstrip() + "\n"


def cells_on(page):
    """The cells of a page, and its refusals."""
    cells, family = {}, ""
    for line in page.splitlines():
        if line.startswith("## "):
            family = line[3:]
        elif line.startswith("| `"):
            name, *row = (part.strip() for part in line.strip("|").split("|"))
            name = name.strip("`").replace("&#124;", "|")
            cells |= {(family, name, d): text for d, text in zip(DTYPES, row, strict=True)}
    tables = page.split("\n## ")
    return cells, [line[2:] for line in tables[-1].splitlines() if line.startswith("* ")]
