"""The README's example is a program that runs, and prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
import solway as sw

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def example():
    """The example's names after it ran, what it printed and what it should print."""
    text = README.read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (printed,) = re.findall(r"```\n(For .*?)```", text, re.S)
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(program, "README.md", "exec"), names)
    return names, out.getvalue(), printed


def test_readme_example_prints_these_loops(example):
    _, out, printed = example
    assert out.strip() == printed.strip()


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
def test_readme_example_runs_on_every_target(example, target):
    names, _, _ = example
    a = np.ones((1, 1024), np.float32)
    b = np.full((1024, 1024), 2, np.float32)
    kernel = names["matmul"]
    if target != kernel.target:
        arguments = [names["A"], names["B"], names["C"]]
        kernel = sw.build(names["s"], arguments, target=target, name="matmul")
    assert np.array_equal(kernel.run(a, b), a @ b)
