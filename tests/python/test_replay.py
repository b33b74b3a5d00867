"""What an InternalError saves runs again, and gets small."""

import json
import pickle

import numpy as np
import pytest
import solway as sw
from solway import _core, cli, failure, reduce
from solway.failure import Failure
from solway.replay import replay

PROGRAM = """\
import solway as sw
A = sw.placeholder((8, 6), "int32", name="A")
B = sw.placeholder((6, 5), "int32", name="B")
k = sw.reduce_axis((0, 6), name="k")
C = sw.compute((8, 5), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=[k]), name="C")
D = sw.compute((8, 5), lambda i, j: sw.maximum(C[i, j], 0) - C[7 - i, j] * 2, name="D")
outputs = [D]
"""
SCHEDULE = """\
s = sw.create_schedule(outputs)
C = s.tensors["C"]
D = s.tensors["D"]
i_o, i_i = s[C].split(C.axis[0], factor=4)
k_o, k_i = s[C].split(C.reduce_axis[0], factor=3)
s[C].reorder(i_o, k_o, i_i)
x = s[D].fuse(D.axis[0], D.axis[1])
s[C].vectorize(C.axis[1])
s[C].parallel(i_o)
s[D].unroll(x)
"""


class OffByOne:
    """A kernel whose first output is wrong when its schedule fuses and vectorizes."""

    def __init__(self, schedule, kernel):
        steps = {step.primitive for step in schedule.log}
        self._kernel, self._wrong = kernel, {"fuse", "vectorize"} <= steps

    def __call__(self, *arrays):
        self._kernel(*arrays)
        if self._wrong:
            arrays[-1].flat[0] += 1


@pytest.fixture
def wrong(monkeypatch):
    """A failure that a fault put into solway makes."""
    real = failure.build

    def build(schedule, *given, **named):
        return OffByOne(schedule, real(schedule, *given, **named))

    monkeypatch.setattr(failure, "build", build)
    return Failure("wrong result", PROGRAM, SCHEDULE, target="host")


def test_a_failure_without_a_fault_is_right():
    assert Failure("wrong result", PROGRAM, SCHEDULE, target="host").happens().found == "nothing " \
        "is wrong"  # fmt: skip


def test_a_wrong_result_gets_small(wrong):
    assert wrong.happens().found == "wrong result"
    small, tried, primitives = reduce.reduce(wrong, seconds=120)
    assert primitives == 2
    assert "fuse(" in small.schedule and "vectorize(" in small.schedule
    assert len(small.program.splitlines()) <= 5  # one stage, and nothing that it does not need
    assert small.happens().found == "wrong result"
    assert tried < 1000


def test_a_failure_is_a_script(wrong, tmp_path, capsys):
    exec(wrong.script(), {})
    assert "'D' on host is" in capsys.readouterr().out


def test_files_come_back(wrong, tmp_path):
    wrong.save(tmp_path / "f.json")
    assert Failure.load(tmp_path / "f.json") == wrong


@pytest.fixture
def broken_split(monkeypatch, tmp_path):
    """A split that stops where it must not."""
    monkeypatch.setenv("SOLWAY_FAILURES", str(tmp_path / "failures"))

    def split(*given):
        raise sw.InternalError("the tree has no band", "got a leaf")

    monkeypatch.setattr(_core, "split", split)


def test_an_internal_error_saves_what_repeats_it(broken_split):
    A = sw.placeholder((8, 6), name="A")
    C = sw.compute((8, 6), lambda i, j: A[i, j] * 2, name="C")
    s = sw.create_schedule(C)
    s[C].reorder("j", "i")
    with pytest.raises(sw.InternalError) as caught:
        s[C].split(C.axis[1], parts=3)
    saved = caught.value.saved
    assert f"solway replay {saved}" in str(caught.value)
    again = Failure.load(saved)
    assert again.call == "s[C].split(C.axis[1], parts=3)"
    assert again.program == sw.to_python(C)
    assert "s[C].reorder(C.axis[1], C.axis[0])" in again.schedule
    assert dict(again.versions)["isl"].startswith("0.")
    assert again.happens().found == again.found
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.saved == saved and str(copy) == str(caught.value)


def test_every_argument_of_a_failing_call_is_saved(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_FAILURES", str(tmp_path))

    def place_buffer(*given):
        raise sw.InternalError("no box")

    monkeypatch.setattr(_core, "place_buffer", place_buffer)
    A = sw.placeholder((8, 6), name="A")
    C = sw.compute((8, 6), lambda i, j: A[i, j] * 2, name="C")
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", 4)
    with pytest.raises(sw.InternalError) as caught:
        s.buffer_read(A, [ii, "j"], at=io, readers=[C], scope="panel", layout=(1, 0))
    assert Failure.load(caught.value.saved).call == (
        "s.buffer_read(A, region=[i_i, 'j'], at=i_o, readers=[C], scope='panel', layout=[1, 0])"
    )


def test_an_internal_error_of_build_saves_its_target(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_FAILURES", str(tmp_path))

    def stop(*given, **options):
        raise sw.InternalError("no loop")

    monkeypatch.setattr(_core, "build", stop)
    A = sw.placeholder((8,), name="A")
    C = sw.compute((8,), lambda i: A[i] * 2, name="C")
    with pytest.raises(sw.InternalError) as caught:
        sw.build(sw.create_schedule(C), [A, C], target="c", poison_transfers=True)
    again = Failure.load(caught.value.saved)
    assert (again.call, again.target, again.poison_transfers) == ("", "c", True)


def test_without_a_schedule_nothing_is_saved():
    assert sw.InternalError("no loop").saved == ""


def write(tmp_path, **fields):
    path = tmp_path / "failure.json"
    Failure(**{"found": "wrong result", "program": PROGRAM, **fields}).save(path)
    return path


def test_replay_says_that_nothing_happens(tmp_path, capsys):
    path = write(tmp_path, schedule=SCHEDULE, target="c")
    assert cli.main(["replay", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["again"] is False and found["found"] == "nothing is wrong"


def test_replay_repeats_an_error(tmp_path, capsys):
    path = write(tmp_path, found="ScheduleArgumentError", call="s[outputs[0]].unroll('z')",
                 schedule="s = sw.create_schedule(outputs)\n")  # fmt: skip
    assert cli.main(["replay", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("it happens again:\nScheduleArgumentError\n")
    assert "'z' is not a loop of 'D'" in out


def test_replay_survives_a_crash_and_a_hang(tmp_path):
    end = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    found = replay(Failure("crash", PROGRAM, call=end))
    assert (found.found, found.detail) == ("crash", "ended by SIGSEGV")
    sleep = "import time; time.sleep(60)"
    assert replay(Failure("hang", PROGRAM, call=sleep), seconds=2).found == "hang"


def test_replay_makes_a_failure_small(tmp_path, capsys):
    call = "s[outputs[0]].unroll('z')"
    path = write(tmp_path, found="ScheduleArgumentError", schedule=SCHEDULE, call=call)
    assert cli.main(["replay", str(path), "--reduce"]) == 1
    assert "reduced in" in capsys.readouterr().out
    small = Failure.load(path.with_suffix(".small.json"))
    assert small.happens().found == "ScheduleArgumentError"
    assert len(small.program) < len(PROGRAM) / 2
    assert small.schedule.count("\n") == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        '{"a": 1}',
        "{",
        '{"solway_failure": 1}',
        '{"solway_failure": 1, "program": 3, "schedule": []}',
        '{"solway_failure": 1, "program": [], "schedule": [], "versions": 3}',
        '{"solway_failure": 1, "program": [], "schedule": [], "more": 1}',
    ],
)
def test_a_file_that_is_no_failure(text, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(sw.ArgumentMismatchError, match="holds no failure"):
        Failure.load(path)


def test_a_later_version(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"solway_failure": 99}')
    with pytest.raises(sw.UnsupportedError, match="is of version 99"):
        Failure.load(path)


def test_inputs_depend_on_their_names_only():
    A = sw.placeholder((4,), "int8", name="A")
    assert np.array_equal(failure.input_values(A, 7), failure.input_values(A, 7))
    B = sw.placeholder((4,), "int8", name="B")
    assert not np.array_equal(failure.input_values(A, 7), failure.input_values(B, 7))
