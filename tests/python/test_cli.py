"""The command ``solway``: what it prints, what it writes, and its exit codes."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from solway import _core, cli

ROOT = Path(__file__).parents[2]
HAND = ROOT / "bench" / "hand" / "sw26010"

SCHEDULED = """
import solway as sw

print("the script speaks")
B = sw.placeholder((8,), name="B")
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: B[i] * 2 + A[i], name="C")
s = sw.create_schedule(C)
s[C].vectorize("i")
"""

OUTPUTS = """
import solway as sw

def outputs():
    A = sw.placeholder((8,), dtype="int32", name="A")
    return sw.compute((8,), lambda i: A[i] + 1, name="C")
"""


@pytest.fixture
def script(tmp_path):
    """Writes a script and gives its path."""

    def write(text, name="scale.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def run_json(capsys, *words, code=0):
    """What a command prints with --json."""
    assert cli.main([*words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert capsys.readouterr().out == f"solway {project['version']}\n"
    assert sw.__version__ == project["version"]


def test_doctor_tries_every_target(capsys):
    found = run_json(capsys, "doctor")
    assert [row["name"] for row in found["targets"]] == list(_core.target_names())
    assert {row["name"]: row["there"] for row in found["targets"]}["host"] is True
    assert found["versions"]["isl"].startswith("0.")
    assert found["versions"]["llvm"].startswith("19.")
    assert {"C compiler", "clang 19"} <= {row["name"] for row in found["programs"]}


def test_doctor_says_what_is_missing(capsys, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    found = run_json(capsys, "doctor")
    target = {row["name"]: row for row in found["targets"]}["c"]
    assert not target["there"]
    assert "no-such-compiler" in target["detail"]
    assert "set CC" in target["fix"]
    assert cli.main(["doctor"]) == 0
    assert "MISSING  c " in capsys.readouterr().out


def test_targets(capsys):
    found = run_json(capsys, "targets")
    assert [row["name"] for row in found["targets"]] == list(_core.target_names())
    assert all(row["description"] for row in found["targets"])
    assert cli.main(["targets"]) == 0
    assert capsys.readouterr().out.startswith("host ")


def test_build_writes_the_generated_files(capsys, script, tmp_path):
    out = tmp_path / "out"
    found = run_json(capsys, "build", script(SCHEDULED), "-o", str(out), "--target", "c")
    assert found["name"] == "scale"
    assert found["arguments"] == ["B", "A", "C"]  # in the order in which they are read first
    assert str(out / "scale.c") in found["files"]
    assert (
        "void scale(" in (out / "scale.c").read_text() or "scale(" in (out / "scale.c").read_text()
    )
    assert any(remark["step"] == "vectorize(i)" for remark in found["remarks"])


def test_build_takes_outputs_and_a_name(capsys, script, tmp_path):
    words = ["build", script(OUTPUTS), "-o", str(tmp_path / "o"), "--target", "c", "--name", "inc"]
    assert cli.main(words) == 0
    assert "inc(A, C) for c:" in capsys.readouterr().out
    assert (tmp_path / "o" / "inc.c").is_file()


def test_build_takes_args(capsys, script, tmp_path):
    text = SCHEDULED + "args = [A, B, C]\n"
    found = run_json(capsys, "build", script(text), "-o", str(tmp_path / "o"), "--target", "c")
    assert found["arguments"] == ["A", "B", "C"]


def test_build_prints_after_a_pass(capfd, script, tmp_path):
    words = ["build", script(SCHEDULED), "-o", str(tmp_path / "o"), "--target", "c"]
    assert cli.main([*words, "--print-after", "lower", "--print-after=simplify"]) == 0
    printed = capfd.readouterr().err
    assert "// after lower\nkernel scale(" in printed
    assert "// after simplify\n" in printed
    assert "// after remove_unit_loops" not in printed


def test_build_stops_after_a_pass(capsys, script, tmp_path):
    words = ["build", script(SCHEDULED), "-o", str(tmp_path / "o"), "--stop-after=simplify_bounds"]
    found = run_json(capsys, *words)
    assert found["files"] == [str(tmp_path / "o" / "scale.ir")]
    assert "for i in [0, 8) vectorized" in (tmp_path / "o" / "scale.ir").read_text()


def test_build_lists_the_passes(capsys, script):
    found = run_json(capsys, "build", script(SCHEDULED), "--print-after=inline", code=1)
    assert "there is no pass 'inline'" in found["error"]["what"]
    assert "lower, peel_pipelines, inline_copies" in found["error"]["why"]


def test_script_prints_beside_the_json(capsys, script, tmp_path):
    words = ["build", script(SCHEDULED), "-o", str(tmp_path / "o"), "--target", "c", "--json"]
    assert cli.main(words) == 0
    captured = capsys.readouterr()
    json.loads(captured.out)
    assert "the script speaks" in captured.err


def test_a_script_without_schedule_is_refused(capsys, script):
    found = run_json(capsys, "build", script("x = 1\n"), code=1)
    assert found["error"]["class"] == "DslError"
    assert "neither a schedule named 's' nor a function 'outputs()'" in found["error"]["why"]
    assert found["error"]["where"]["file"].endswith("scale.py")


def test_an_error_of_the_program_names_its_line(capsys, script):
    path = script(SCHEDULED + "s[C].split('i', factor=0)\n")
    found = run_json(capsys, "build", path, code=1)
    assert found["error"]["class"] == "ScheduleArgumentError"
    assert found["error"]["where"] == {
        "file": path,
        "line": 10,
        "text": "s[C].split('i', factor=0)",
    }
    assert cli.main(["build", path]) == 1
    assert capsys.readouterr().err.rstrip().endswith("scale.py:10: s[C].split('i', factor=0)")


def test_a_failing_script_is_not_our_bug(capsys, script):
    assert cli.main(["build", script("1 / 0\n")]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_script_that_exits_is_not_done(capsys, script):
    assert cli.main(["build", script("import sys\nsys.exit(0)\n")]) == 1
    assert "sys.exit(0)" in capsys.readouterr().err


def test_an_unknown_target_is_refused(capsys, script):
    found = run_json(capsys, "build", script(SCHEDULED), "--target", "vax", code=1)
    assert found["error"]["class"] in ("UnsupportedError", "ArgumentMismatchError")
    assert "vax" in found["error"]["what"]


def test_a_folder_that_cannot_be_written(capsys, script, tmp_path):
    (tmp_path / "file").write_text("")
    words = ["build", script(SCHEDULED), "--target", "c", "-o", str(tmp_path / "file" / "out")]
    assert run_json(capsys, *words, code=1)["error"]["class"] == "ArgumentMismatchError"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["fly"],
        ["build"],
        ["build", "no-such-file.py"],
        ["emulate", "no-such-folder"],
        ["targets", "--verbose"],
    ],
)
def test_usage(words, capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(words)
    assert raised.value.code == 2
    assert "usage: solway" in capsys.readouterr().err


def test_our_bug(capsys, monkeypatch):
    def broken(options):
        raise RuntimeError("the cat is out")

    monkeypatch.setattr(cli, "_targets", broken)
    found = run_json(capsys, "targets", code=3)
    assert found["error"]["class"] == "InternalError"
    assert found["error"]["why"] == "the cat is out"


def test_explain(capsys, script, tmp_path):
    page = tmp_path / "page.html"
    words = ["--target", "sw26010", "--html", str(page)]
    found = run_json(capsys, "explain", script(SCHEDULED), *words)
    assert found["target"] == "sw26010" and found["decisions"]
    assert "<html" in page.read_text()
    assert cli.main(["explain", script(SCHEDULED)]) == 0
    assert "1. s[C]." in capsys.readouterr().out


def test_compare(capsys, script, tmp_path):
    text = SCHEDULED + "def candidates():\n    return {'numpy': lambda b, a: b * 2 + a}\n"
    page = tmp_path / "c.html"
    words = ["compare", script(text), "--html", str(page), "--repeats", "2"]
    assert cli.main(words) == 0
    out = capsys.readouterr().out
    assert "solway host" in out
    assert "solway c" in out
    assert "numpy" in out
    assert "<html" in page.read_text()


def test_emulate(capsys, tmp_path):
    folder = HAND / "matmul_athread"
    found = run_json(capsys, "emulate", str(folder), "--outputs", str(tmp_path / "o.npz"))
    assert found["ldm_peak_bytes"] <= 65536
    assert found["bytes"]
    with np.load(tmp_path / "o.npz") as outputs:
        assert set(found["outputs"]) == set(outputs.files)


def test_emulate_says_how_much_of_the_roofline_a_kernel_reaches(capsys):
    words = ["emulate", str(HAND / "matmul_athread"), "--mode", "timed", "--operations"]
    found = run_json(capsys, *words, "1000000000")
    assert found["gflops"] == pytest.approx(1e9 / found["cycles"] * 1450 / 1e3)
    twice = run_json(capsys, *words, "2000000000")
    assert twice["gflops"] == pytest.approx(2 * found["gflops"])
    assert 0 < found["roofline"]
    assert cli.main([*words, "1000000000"]) == 0
    assert "% of the roofline" in capsys.readouterr().out


def test_emulate_reads_inputs(capsys, tmp_path):
    np.savez(tmp_path / "i.npz", wrong=np.zeros(3))
    words = ["emulate", str(HAND / "matmul_athread"), "--inputs", str(tmp_path / "i.npz")]
    found = run_json(capsys, *words, code=1)
    assert found["error"]["class"] == "ArgumentMismatchError"
    assert "has no array" in found["error"]["what"]


def test_emulate_reads_arrays_only(capsys, tmp_path):
    (tmp_path / "i.npz").write_text("no arrays")
    words = ["emulate", str(HAND / "matmul_athread"), "--inputs", str(tmp_path / "i.npz")]
    found = run_json(capsys, *words, code=1)
    assert "holds no arrays" in found["error"]["what"]


def test_emulate_without_kernel_toml(capsys, tmp_path):
    assert "kernel.toml" in json.dumps(run_json(capsys, "emulate", str(tmp_path), code=1))


def test_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "solway", "targets"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stdout.startswith("host ")


@pytest.mark.parametrize("seed", ["-1", "x", "1.5"])
def test_a_seed_is_a_number_from_0_on(seed, script, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["compare", script(SCHEDULED), f"--seed={seed}"])
    assert ended.value.code == 2
    assert "is no number from 0 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("def outputs():\n    return [3]\n", "only tensors can be scheduled"),
        ("def outputs():\n    return []\n", "at least one output"),
        (SCHEDULED + "\n\ndef candidates():\n    return 3\n", "candidates() returns no dict"),
    ],
)
def test_what_a_script_gives_is_wrong_at_its_line(text, what, script, capsys):
    path = script(text)
    command = ["compare", path] if "candidates" in text else ["explain", path]
    error = run_json(capsys, *command, code=1)["error"]
    assert what in error["what"] + error["why"]
    assert error["where"]["file"] == path and error["where"]["text"].startswith("def ")


@pytest.mark.parametrize("text", [b"s = (\n", b"s = '\xff'\n"])
def test_a_script_that_cannot_be_read_is_named_without_frames_of_solway(text, tmp_path, capsys):
    path = tmp_path / "broken.py"
    path.write_bytes(text)
    assert cli.main(["explain", str(path)]) == 1
    said = capsys.readouterr().err
    assert "broken.py" in said and "SyntaxError" in said and "_script.py" not in said


def test_what_build_writes_for_the_emulator_can_be_emulated(script, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["build", script(SCHEDULED), "-o", str(out), "--target", "sw26010"]) == 0
    assert cli.main(["emulate", str(out)]) == 0
    assert "scale" in capsys.readouterr().out
