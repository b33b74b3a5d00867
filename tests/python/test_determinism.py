"""The same program gives the same code, byte by byte, whatever process makes it."""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import solway as sw
from solway.failure import arguments_of
from support.random_programs import random_program

ROOT = Path(__file__).parents[2]
TARGETS = ("host", "c", "sw26010")

SCRIPT = """\
import sys
sys.path[:0] = [{tests!r}, {python!r}]
from test_determinism import everything
print(everything())
"""


def scheduled():
    """A product of matrices with a buffer, and a stage after it."""
    A = sw.placeholder((32, 96), name="A")
    B = sw.placeholder((96, 64), name="B")
    k = sw.reduce_axis(96, name="k")
    C = sw.compute((32, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((32, 64), lambda i, j: sw.maximum(C[i, j], 0) + A[i, j], name="D")
    s = sw.create_schedule(D)
    io, ii = s[C].split("i", 8)
    jo, ji = s[C].split("j", 24)
    ko, ki = s[C].split(k, 32)
    s[C].reorder(io, jo, ko, ii, ki, ji)
    s.buffer_read(B, [ki, ji])
    s[C].vectorize(ji)
    s[C].parallel(io)
    s[D].vectorize("j")
    return s, [A, B, D]


def digest(program, target):
    """A digest of what is generated for a target, with the loop IR."""
    s, arguments = program
    kernel = sw.build(s, arguments, target=target, name="kernel")
    parts = [*sorted(kernel.source.items()), kernel.ir]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def everything():
    """Digests of all that a program gives, scheduled once."""
    s, arguments = scheduled()
    built = [digest((s, arguments), target) for target in TARGETS]
    return "\n".join([str(s), s.tree, s.to_python(), *built])


def test_ten_runs_of_one_program_are_equal():
    assert len({everything() for _ in range(10)}) == 1


def test_processes_with_other_hashes_agree():
    script = SCRIPT.format(
        tests=str(ROOT / "tests" / "python"),
        python=os.pathsep.join([str(ROOT / "python")]),
    )
    found = set()
    for seed in ("0", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "python")])
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert found == {everything() + "\n"}


def test_random_programs_twice():
    def built(seed):
        outputs = random_program(random.Random(seed))
        s = sw.create_schedule(outputs)
        kernels = [sw.build(s, arguments_of(outputs), target=target) for target in ("c", "host")]
        return str(s), s.tree, [(kernel.source, kernel.ir) for kernel in kernels]

    for seed in range(20):
        assert built(seed) == built(seed), f"seed {seed}"
