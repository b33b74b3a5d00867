"""Pipelined loops with conditions in each iteration, and peeled, in cycles of the emulator's clock.

    python bench/sunway/pipelines.py [--layer "product 256" ...]

Prints for each plan of `auto_buffer`, and for a product whose steps are short, the cycles of both
forms, what the cores waited for code, and which form the target's figures favour.
"""

from __future__ import annotations

import argparse

import numpy as np
import solway as sw
from auto_layers import Program, inputs_of, programs


def short_steps(rows: int) -> tuple[sw.Schedule, Program]:
    """A sum of rows of 64 numbers, one row in each step."""
    x = sw.placeholder((64 * rows, 64), name="X")
    y = sw.compute((64 * rows, 64), lambda i, j: x[i, j] + 1.0, name="Y")
    s = sw.create_schedule(y)
    core, row = s[y].split("i", factor=rows)
    s[y].parallel(core)
    s.buffer_read(x, at=row, depth=2)
    s.buffer_write(y, at=row, depth=2)
    s[y].vectorize("j")
    made = Program(
        f"{rows} short steps", [x, y], 64 * rows * 64, lambda x: x + 1, lambda inputs: None
    )
    return s, made


def planned(program: Program) -> sw.Schedule:
    """As `auto_buffer` plans it."""
    s = sw.create_schedule(program.tensors[-1])
    s.auto_buffer("sw26010")
    return s


def measure(s: sw.Schedule, program: Program) -> str:
    """One line: both forms, right results only."""
    cells = []
    for form in ("guarded", "peeled"):
        options = sw.Options(pipelines=form)
        kernel = sw.build(s, program.tensors, target="sw26010", name="layer", options=options)
        inputs = inputs_of(program)
        found = kernel.run(*inputs, mode="timed")
        np.testing.assert_array_equal(found, program.expected(*inputs))
        assert kernel.last_run is not None
        assert kernel.last_run.stalls is not None
        cells += [f"{kernel.last_run.cpe_cycles:,}", f"{kernel.last_run.stalls['instructions']:,}"]
    forms = {decision.chosen for decision in s.explain("sw26010").pipelines}
    return f"| {program.name} | {' | '.join(cells)} | {', '.join(sorted(forms)) or 'none'} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose line contains this")
    wanted = parser.parse_args().layer
    print("| program | guarded | waits for code | peeled | waits for code | chosen |")
    print("|---|---|---|---|---|---|")
    for rows in (16, 64, 256, 1024):
        s, program = short_steps(rows)
        if not wanted or any(text in program.name for text in wanted):
            print(measure(s, program), flush=True)
    for program in programs():
        if not wanted or any(text in program.name for text in wanted):
            print(measure(planned(program), program), flush=True)


if __name__ == "__main__":
    main()
