"""A table for each figure of rows that `auto_layers.py --rows` kept: planners and styles by hand.

    python bench/sunway/auto_layers.py --by greedy --by optimal --rows rows.jsonl
    python bench/sunway/auto_layers.py --by openacc --by athread --by mesh --rows rows.jsonl
    python bench/sunway/tables_by_style.py rows.jsonl

The later of two rows of one layer and one way counts. What was planned with the filters of sums and
weights side by side stands beside what was planned with their columns side by side.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from auto_layers import PLANNERS, STYLES, Row

#: The end of the names of convolutions in the second layout.
OTHER_LAYOUT = ", filters side by side"
#: Columns, in their order.
WAYS = [*PLANNERS, *(planner + OTHER_LAYOUT for planner in PLANNERS), *STYLES.values()]
FIGURES: list[tuple[str, Callable[[Row], str]]] = [
    ("Thousands of cycles", lambda row: f"{row.cycles / 1000:,.0f}"),
    ("GFLOP/s, and what that is of the peak", lambda row: f"{row.rate:.1f} ({row.of_peak:.1%})"),
    ("MB moved", lambda row: f"{row.megabytes:,.1f}"),
    ("LDM used, bytes of a core", lambda row: f"{row.ldm:,}"),
]


def read_rows(lines: list[str]) -> dict[str, dict[str, Row]]:
    """The rows of each layer, by the columns in which they stand."""
    found: dict[str, dict[str, Row]] = {}
    for line in lines:
        row = Row(**json.loads(line))
        layer = row.layer.removesuffix(OTHER_LAYOUT)
        by = row.by + row.layer[len(layer) :]
        found.setdefault(layer, {})[by] = row
    return found


def tables(rows: dict[str, dict[str, Row]]) -> str:
    """A table for each figure; columns of which there is no row are left out."""
    ways = [way for way in WAYS if any(way in of_layer for of_layer in rows.values())]
    lines: list[str] = []
    for title, text_of in FIGURES:
        lines += [
            f"{title}:",
            "",
            f"| layer | {' | '.join(ways)} |",
            "|" + "---|" * (len(ways) + 1),
        ]
        for layer, of_layer in rows.items():
            cells = [text_of(of_layer[way]) if way in of_layer else "" for way in ways]
            lines.append(f"| {layer} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=Path, nargs="+", help="files that `--rows` wrote")
    files = parser.parse_args().rows
    print(tables(read_rows([line for file in files for line in file.read_text().splitlines()])))


if __name__ == "__main__":
    main()
