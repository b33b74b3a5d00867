"""Schedule scripts as C++ programs run them."""

from __future__ import annotations

import pytest
import solway as sw
from solway import _embed


@pytest.fixture
def output():
    A = sw.placeholder((8, 4), name="A")
    return sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")


def run(tmp_path, output, text):
    path = tmp_path / "schedule.py"
    path.write_text(text)
    return _embed.run_script(str(path), [output._node])


def test_a_script_schedules_the_tensors_that_it_is_given(tmp_path, output):
    state = run(
        tmp_path, output, "s = sw.create_schedule(outputs)\ns[outputs[0]].reorder('j', 'i')"
    )
    assert [row[1] for row in state.loops("B")] == ["j", "i"]


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("x = 1\n", "defines no schedule", 1),
        ("s = 1\n", "defines no schedule", 1),
        ("\nx = 1 / 0\n", "raised ZeroDivisionError", 2),
        ("s = (\n", "raised SyntaxError", 1),
        (
            "C = sw.compute((4,), lambda i: i + 1, name='C')\ns = sw.create_schedule(C)\n",
            "schedules other tensors",
            1,
        ),
    ],
)
def test_what_a_script_does_wrong_has_its_line(tmp_path, output, text, what, line):
    with pytest.raises(sw.ScheduleArgumentError) as raised:
        run(tmp_path, output, text)
    assert what in raised.value.what
    assert raised.value.where.line == line
    assert raised.value.where.file == str(tmp_path / "schedule.py")


def test_errors_of_primitives_pass_through(tmp_path, output):
    with pytest.raises(sw.ScheduleArgumentError, match="'z' is not a loop of 'B'") as raised:
        run(tmp_path, output, "s = sw.create_schedule(outputs)\ns[outputs[0]].unroll('z')\n")
    assert raised.value.where.line == 2


def test_a_script_that_is_not_there(output):
    with pytest.raises(sw.ScheduleArgumentError, match="cannot be read"):
        _embed.run_script("/nowhere/schedule.py", [output._node])
