"""The README's example is a program that runs."""

import re
from pathlib import Path

import numpy as np

README = Path(__file__).parents[2] / "README.md"


def test_readme_example(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    names = {}
    exec(compile(program, "README.md", "exec"), names)
    assert "For k.o in range(16)" in capsys.readouterr().out
    a = np.ones((1, 1024), np.float32)
    b = np.full((1024, 1024), 2, np.float32)
    c = np.zeros((1, 1024), np.float32)
    names["matmul"](a, b, c)
    assert np.array_equal(c, a @ b)
