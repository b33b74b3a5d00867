"""Random machines with scratchpads: the files of `targets/` with other figures.

Scratchpad, alignments, limits of the transfer engine, mesh, bandwidths and latencies are drawn;
what a dialect means is left as it is.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "targets"
BASES = ("sw26010", "sw26010pro", "example-cluster", "example-microcontroller")
SMALLEST, LARGEST = 11, 18  # of a scratchpad, as powers of 2: 2 to 256 KB


def random_machine(rng, name):
    """A machine, as the text of its file."""
    base = rng.choice(BASES)
    table = tomllib.loads((FOLDER / f"{base}.toml").read_text())
    table |= {"name": name, "description": f"{base} with other figures"}
    _draw_cores(rng, table["cores"])
    near = next(m for m in table["memories"] if m["name"] == table["default_scope"])
    _draw_scratchpad(rng, near)
    for engine in table["transfer_engines"]:
        _draw_engine(rng, engine, table["cores"], table["dialect"])
    _draw_timing(rng, table)
    return to_toml(table)


def _draw_cores(rng, cores):
    rows, columns = (rng.choice((1, 1, 2, 3, 4, 5, 7, 8, 8)) for _ in range(2))
    cores["count"] = rows * columns
    has_mesh = cores["mesh_rows"] > 0 or rng.random() < 0.5
    cores["mesh_rows"], cores["mesh_columns"] = (rows, columns) if has_mesh else (0, 0)
    cores["clock_mhz"] = rng.choice((200, 1000, cores["clock_mhz"]))


def _draw_scratchpad(rng, near):
    size = int(2 ** rng.uniform(SMALLEST, LARGEST))
    near["alignment_bytes"] = rng.choice((4, 8, 16, 32, 64, 128))
    near["size_bytes"] = size // 128 * 128
    near["reserved_bytes"] = rng.choice((0, 0, size // 8 // 16 * 16))


def _draw_engine(rng, engine, cores, dialect):
    engine["alignment_bytes"] = rng.choice((4, 4, 8, 16, 32, 64, 128))
    engine["min_size_bytes"] = engine["alignment_bytes"] * rng.choice((1, 1, 2))
    engine["ranks"] = rng.choice((1, 2, 3, 3) if dialect == "generic" else (1, 2, 2))
    engine["max_pending"] = rng.choice((1, 2, 3, 8))
    block = rng.choice((256, 512, 4096, 65536))
    engine["max_block_bytes"] = block
    engine["max_size_bytes"] = block * rng.choice((1, 4, 64))
    engine["transaction_bytes"] = rng.choice((32, 64, 128, 256))
    engine["startup_cycles"] = rng.choice((0, 30, 200, 2000))
    # A bus is shared by whole columns.
    engine["buses"] = rng.choice((1, max(1, cores["mesh_columns"])))
    engine["bandwidth"] = [
        [size, round(rng.uniform(0.1, 30), 2), round(rng.uniform(0.1, 30), 2)]
        for size in sorted(
            rng.sample((16, 32, 64, 128, 200, 256, 512, 1024, 4096), rng.randint(1, 5))
        )
    ]


def _draw_timing(rng, table):
    if table["dialect"] == "generic" and rng.random() < 0.7:
        known = tomllib.loads((FOLDER / "sw26010.toml").read_text())
        table.setdefault("vector", known["vector"])
        table["timing"] = {k: v for k, v in known["timing"].items() if k != "messages"}
    for key in ("main_load_cycles", "main_store_cycles", "main_access_cycles"):
        if "timing" in table:
            table["timing"][key] = rng.choice((1, 8, 100, 1000))


def to_toml(table):
    """A table as the text of a file; of lists of tables each is one of its own."""
    lines, rest = [], []
    for key, value in table.items():
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)):
            rest.append((key, value))
        else:
            lines.append(f"{key} = {_plain(value)}")
    for key, value in rest:
        for one in value if isinstance(value, list) else [value]:
            head = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
            lines += ["", head, *_nested(key, one)]
    return "\n".join(lines) + "\n"


def _nested(name, table):
    lines = [f"{key} = {_plain(v)}" for key, v in table.items() if not isinstance(v, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            lines += ["", f"[{name}.{key}]", *_nested(f"{name}.{key}", value)]
    return lines


def _plain(value):
    return f'"{value}"' if isinstance(value, str) else str(value)
