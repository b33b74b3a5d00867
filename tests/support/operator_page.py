"""docs/operators.md: what the matrix of operators found, as tables and back."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from support.operator_families import FAMILIES, ODD
from support.operator_matrix import NO_SUCH, RIGHT, TARGETS
from support.operator_values import DTYPES
from support.register_lengths import LENGTHS

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"
MARKS = {"right": "✓", "no such": "·"}
IN_REGISTERS = "; ".join(
    f"`{name}` in registers of {', '.join(map(str, lengths))} bits"
    for name, lengths in LENGTHS.items()
)
INTRODUCTION = f"""\
# Operators, element types and targets

Written by `tools/generate_operators.py` from what it ran; `tests/python/test_operators.py` runs all
of it again, and fails where a cell says something else.

Targets: {", ".join(f"`{name}`" for name in TARGETS)};
those of other processors under QEMU, Sunway and the cluster under solway's emulator in hazard mode,
`ve-ncc`'s C by this machine's compiler, `ve`'s assembly by a model of its instructions in Python
(`tests/support/ve_machine.py`). In the cell of an operator and a type is

* ✓: on every target every result is NumPy's. Integers, moved
  elements and what IEEE 754 rounds exactly have the same bits (which of two zeros `minimum`,
  `maximum` and reductions give is left open); functions are within 3 ulp of float64's (1 of 16-bit
  types), softmax within 24 ulp, layer norm within 64 (3 and 8).
* ·: the matrix has no such operator; why stands below the tables.
* not on TARGET: refused there, with the reason below the tables.

Results have NumPy's types: sums and products of bool are int64, roots of int16 float32.

## What is run

Loops are in vectors where an order is not part of the meaning. Each target runs all of this:

* No elements: `n` and `m` of 0, products without rows, columns and terms, reductions of nothing,
  batches of no image.
* One element: `n` of 1, rows and products of 1 x 1, batches of one.
* Extents that no number of lanes divides: {ODD} elements, rows of {ODD}, products of 5 x 13 x 37,
  images of 7 x 9.
* Extents that are known only at the call: every family once more, in kernels of its own.
* NaN, both infinities, both zeros, denormals: in all pairs of the corners of a type where elements
  are computed from elements; in rows of reductions, softmax and layer norm; in a factor of
  products; in windows of images; among moved elements.
* The smallest normal and the largest numbers of floats, both ends of integers, division by 0 and
  -1: in the same pairs. Integers at both ends also in rows, the largest in products and images.
* Registers of each length that QEMU has, where a target leaves it open, by the same kernel:
  {IN_REGISTERS}.
* Memory beside arrays: each lies against an unreadable page, once after it and once before it
  (where there are many lengths, with every second one); solway's emulator and the model of `ve`
  check bounds themselves.
* Views: every second column of a wider array, reversed and transposed ones are refused by name,
  with `ArgumentMismatchError`.

On `riscv64-v`, `trunc` of float16, float32 and float64 runs element by element: QEMU 7.2 ends with
an assertion of its own at its vector instructions.
"""


class Refusal(NamedTuple):
    """A target that refuses an operator of a type, and why."""

    family: str
    name: str
    dtype: str
    target: str
    why: str


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
        refusals: of cells that say so.
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
    lines += ["## Not in the matrix", "", *_left_out()]
    if refusals:
        lines += ["", "## Refused", "", *_by_reason(refusals)]
    return "\n".join(lines).rstrip() + "\n"


def _left_out():
    """Operators that some types have not, by reason."""
    reasons = defaultdict(list)
    for about in FAMILIES.values():
        for name, operator in about.operators.items():
            missing = tuple(dtype for dtype in DTYPES if dtype not in operator.dtypes)
            if missing:
                reasons[missing, operator.why_not].append(name)
    return [
        f"* {_quoted(names)} of {', '.join(missing)}: {why}"
        for (missing, why), names in reasons.items()
    ]


def _by_reason(refusals):
    """An item for each target and reason, in the order of the tables."""
    reasons = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for family, about in FAMILIES.items():
        for name, dtype in itertools.product(about.operators, DTYPES):
            for r in refusals:
                if (r.family, r.name, r.dtype) == (family, name, dtype):
                    reasons[r.target, r.why][family][name].append(dtype)
    lines = []
    for (target, why), families in sorted(reasons.items()):
        lines.append(f"* `{target}`: {why}")
        for family, names in families.items():
            lines += [f"  * {family}: `{name}` of {', '.join(of)}" for name, of in names.items()]
    return lines


def _quoted(names):
    return ", ".join(f"`{name}`" for name in names)


def cells_on(page):
    """The cells of a page, and its refusals."""
    cells, refusals, family, target, why = {}, [], "", "", ""
    for line in page.splitlines():
        if line.startswith("## "):
            family = line[3:]
        elif line.startswith("| `"):
            name, *row = (part.strip() for part in line.strip("|").split("|"))
            name = name.strip("`").replace("&#124;", "|")
            cells |= {(family, name, d): text for d, text in zip(DTYPES, row, strict=True)}
        elif family == "Refused" and (item := re.fullmatch(r"\* `([^`]+)`: (.*)", line)):
            target, why = item.groups()
        elif family == "Refused" and (item := re.fullmatch(r"  \* (.*): `([^`]+)` of (.*)", line)):
            of, name, dtypes = item.groups()
            refusals += [Refusal(of, name, dtype, target, why) for dtype in dtypes.split(", ")]
    return cells, refusals
