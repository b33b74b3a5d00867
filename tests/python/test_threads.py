"""Kernels on several threads: the same bits for any number of them, and who gets which."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import solway as sw
from solway import _core

COUNTS = (1, 2, 3, 4, 7, 40)


def same_for_all(kernel, *inputs):
    """Runs on each number of threads; the outputs, which are the same bits for all."""
    first = None
    for threads in COUNTS:
        for _ in range(3):  # a missing barrier does not show each time
            out = kernel.run(*inputs, threads=threads)
            assert kernel.last_run.threads == threads
            if first is None:
                first = out
            np.testing.assert_array_equal(out, first)
    return first


def product(m=37, n=40, k=29):
    A = sw.placeholder((m, k), name="A")
    B = sw.placeholder((k, n), name="B")
    r = sw.reduce_axis((0, k), name="k")
    C = sw.compute((m, n), lambda y, x: sw.sum(A[y, r] * B[r, x], axis=r), name="C")
    return A, B, C, sw.create_schedule(C)


def data(*shape, seed=1):
    """Whole numbers, of which NumPy and contracted products give the same bits."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype("float32")


def test_a_product_with_tiles_in_registers():
    A, B, C, s = product()
    yo, yi = s[C].split("y", factor=4)
    xo, xi = s[C].split("x", factor=16)
    s[C].reorder(yo, xo, "k", yi, xi)
    s[C].unroll(yi)
    s[C].vectorize(xi)
    s[C].parallel(yo)
    s.buffer_write(C, [yi, xi], at=xo, scope="register")
    kernel = sw.build(s, [A, B, C])
    assert not [r for r in kernel.report() if "thread" in r.verdict]
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(shape).astype("float32") for shape in ((37, 29), (29, 40)))
    np.testing.assert_allclose(same_for_all(kernel, a, b), a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("columns", [40, 9000])
def test_each_thread_has_panels_of_its_own(columns):
    """Small ones are on its stack, large ones in its part of what the call provides."""
    A = sw.placeholder((23, columns), name="A")
    B = sw.compute((23, columns), lambda y, x: A[y, columns - 1 - x] * 2 + y, name="B")
    s = sw.create_schedule(B)
    yo, yi = s[B].split("y", factor=2)
    s[B].parallel(yo)
    s.buffer_read(A, [yi, "x"], at=yo)
    s.buffer_write(B, [yi, "x"], at=yo)
    kernel = sw.build(s, [A, B])
    a = data(23, columns)
    expected = a[:, ::-1] * 2 + np.arange(23, dtype="float32")[:, None]
    np.testing.assert_array_equal(same_for_all(kernel, a), expected)


@pytest.mark.parametrize("depth", [29, 3000])
@pytest.mark.parametrize("at", [None, "x.o"])
def test_threads_read_one_panel_that_is_filled_before(depth, at):
    A, B, C, s = product(k=depth)
    xo, xi = s[C].split("x", factor=16)
    s[C].reorder(xo, "y", "k", xi)
    s[C].vectorize(xi)
    s.buffer_read(B, ["k", xi] if at else [xo, "k", xi], at=at, scope="shared", layout=[1, 0])
    s[C].parallel("y")
    kernel = sw.build(s, [A, B, C])
    assert "in shared" in kernel.ir and "barrier" in kernel.ir
    a, b = data(37, depth), data(depth, 40, seed=2)
    np.testing.assert_array_equal(same_for_all(kernel, a, b), a @ b)
    np.testing.assert_array_equal(sw.build(s, [A, B, C], target="c").run(a, b), a @ b)


def test_auto_schedule_shares_out_loops_that_read_panels():
    A = sw.placeholder((64, 256), name="A")
    B = sw.placeholder((256, 256), name="B")
    k = sw.reduce_axis((0, 256), name="k")
    C = sw.compute((64, 256), lambda i, j: sw.sum(A[i, k] * B[j, k], axis=k), name="C")
    R = sw.compute((64, 256), lambda i, j: sw.maximum(C[i, j], 0.0), name="R")
    s = sw.create_schedule(R)
    s.auto_schedule("x86-64-v4", search=False)
    text = s.to_python()
    assert 'scope="shared"' in text and "parallel(" in text
    a, b = data(64, 256), data(256, 256, seed=2)
    kernel = sw.build(s, [A, B, R])
    np.testing.assert_array_equal(same_for_all(kernel, a, b), np.maximum(a @ b.T, 0))


def test_a_recurrence_has_barriers_between_its_steps():
    A = sw.placeholder((64,), "int32", name="A")
    H = sw.recurrence(
        (200, 64),
        lambda H, t, i: sw.select(
            t == 0, A[i], sw.select(i > 2, H[t - 1, i - 3] * 3 + H[t - 1, i], H[t - 1, i] + 1)
        ),
        "int32",
        name="H",
    )
    s = sw.create_schedule(H)
    s[H].parallel(s[H].axis[1])
    kernel = sw.build(s, [A, H])
    assert kernel.ir.count("barrier") == 1
    a = data(64).astype("int32")
    expected = np.zeros((200, 64), "int32")
    expected[0] = a
    for t in range(1, 200):
        expected[t] = expected[t - 1] + 1
        expected[t, 3:] = expected[t - 1, :-3] * 3 + expected[t - 1, 3:]
    np.testing.assert_array_equal(same_for_all(kernel, a), expected)


def test_stages_wait_for_those_before():
    A = sw.placeholder((64, 33), name="A")
    B = sw.compute((64, 33), lambda y, x: A[y, x] + 1, name="B")
    C = sw.compute((33, 64), lambda x, y: B[y, x] * 2, name="C")
    D = sw.compute((33,), lambda x: C[x, x] + C[32 - x, 63 - x], name="D")
    s = sw.create_schedule(D)
    s[B].parallel("y")
    s[C].parallel("x")
    kernel = sw.build(s, [A, D])
    assert kernel.ir.count("barrier") == 2
    a = data(64, 33)
    c = ((a + 1) * 2).T
    i = np.arange(33)
    np.testing.assert_array_equal(same_for_all(kernel, a), c[i, i] + c[32 - i, 63 - i])


def test_equal_loops_need_no_barrier_and_others_do():
    """Whoever wrote a row reads it: for any number of threads only if the bounds are the same."""
    A = sw.placeholder((60,), name="A")
    B = sw.compute((60,), lambda i: A[i] + 1, name="B")
    C = sw.compute((60,), lambda i: B[i] * 2, name="C")
    D = sw.compute((50,), lambda i: C[i] * 3, name="D")
    s = sw.create_schedule(D)
    for stage in (B, C, D):
        s[stage].parallel("i")
    kernel = sw.build(s, [A, D])
    assert kernel.ir.count("barrier") == 1
    a = data(60)
    np.testing.assert_array_equal(same_for_all(kernel, a), ((a + 1) * 2 * 3)[:50])


def test_rows_that_do_not_divide_are_shared_out_whole():
    """The last block is cut off inside the loop: cut in two, its rows went to other threads."""
    A = sw.placeholder((43, 21), name="A")
    B = sw.compute((43, 21), lambda y, x: A[y, x] + 1, name="B")
    C = sw.compute((43, 21), lambda y, x: B[y, x] * 2, name="C")
    s = sw.create_schedule(C)
    for stage, marks in ((B, True), (C, False)):
        yo, yi = s[stage].split("y", factor=6)
        s[stage].parallel(yo)
        if marks:
            s[stage].reorder(yo, "x", yi)
            s[stage].unroll(yi)
    kernel = sw.build(s, [A, C])
    assert "barrier" not in kernel.ir
    a = data(43, 21)
    np.testing.assert_array_equal(same_for_all(kernel, a), (a + 1) * 2)


def test_sizes_that_a_call_gives():
    n = sw.size("n", max=500)
    A = sw.placeholder((n,), name="A")
    B = sw.compute((n,), lambda i: A[i] + 1, name="B")
    C = sw.compute((n,), lambda i: B[n - 1 - i] * 2, name="C")
    s = sw.create_schedule(C)
    s[B].parallel("i")
    s[C].parallel("i")
    kernel = sw.build(s, [A, C])
    for extent in (1, 2, 5, 500):
        a = data(extent)
        np.testing.assert_array_equal(same_for_all(kernel, a), (a[::-1] + 1) * 2)


def test_a_kernel_without_parallel_loops_runs_on_one():
    A, B, C, s = product()
    kernel = sw.build(s, [A, B, C], threads=4)
    kernel.run(data(37, 29), data(29, 40))
    assert kernel.last_run.threads == 1


def test_who_says_how_many(monkeypatch):
    A, B, C, s = product()
    s[C].parallel("y")
    a, b = data(37, 29), data(29, 40)

    def threads_of(kernel, **call):
        kernel.run(a, b, **call)
        return kernel.last_run.threads

    monkeypatch.setenv("SOLWAY_THREADS", "5")
    assert threads_of(sw.build(s, [A, B, C])) == 5
    options = sw.Options(threads=3)
    assert threads_of(sw.build(s, [A, B, C], options=options)) == 3
    kernel = sw.build(s, [A, B, C], options=options, threads=2)
    assert threads_of(kernel) == 2
    assert threads_of(kernel, threads=4) == 4
    monkeypatch.delenv("SOLWAY_THREADS")
    assert 1 <= threads_of(sw.build(s, [A, B, C])) <= os.cpu_count()


def test_what_is_no_number_of_threads(monkeypatch):
    A, B, C, s = product()
    s[C].parallel("y")
    kernel = sw.build(s, [A, B, C])
    for bad in (0, -1, 1025, 2.0, "2", True):
        with pytest.raises(sw.ScheduleArgumentError, match="no number of threads"):
            kernel.run(data(37, 29), data(29, 40), threads=bad)
        with pytest.raises(sw.ScheduleArgumentError, match="no number of threads"):
            sw.build(s, [A, B, C], threads=bad)
    for text in ("", "0", "two", "2x", "99999999999"):
        monkeypatch.setenv("SOLWAY_THREADS", text)
        with pytest.raises(sw.ScheduleArgumentError, match="SOLWAY_THREADS"):
            kernel.run(data(37, 29), data(29, 40))


def test_other_targets_have_one():
    A, B, C, s = product()
    s[C].parallel("y")
    kernel = sw.build(s, [A, B, C], target="c", threads=1)
    a, b = data(37, 29), data(29, 40)
    kernel.run(a, b, threads=1)
    assert kernel.last_run.threads is None
    with pytest.raises(sw.UnsupportedError, match="threads=2"):
        kernel.run(a, b, threads=2)
    with pytest.raises(sw.UnsupportedError, match="threads=2"):
        sw.build(s, [A, B, C], target="c", threads=2)


def test_calls_from_several_threads():
    A, B, C, s = product()
    s[C].parallel("y")
    kernel = sw.build(s, [A, B, C])
    a, b = data(37, 29), data(29, 40)
    expected = kernel.run(a, b, threads=1)
    wrong = []

    def call():
        for _ in range(200):
            out = np.zeros_like(expected)
            kernel(a, b, out, threads=3)
            if not np.array_equal(out, expected):
                wrong.append(out)

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def test_a_forked_process_has_threads_of_its_own():
    A, B, C, s = product()
    s[C].parallel("y")
    kernel = sw.build(s, [A, B, C])
    a, b = data(37, 29), data(29, 40)
    expected = kernel.run(a, b, threads=3)
    child = os.fork()
    if child == 0:
        good = _core.resident_workers() == 0
        good = good and np.array_equal(kernel.run(a, b, threads=3), expected)
        os._exit(0 if good and kernel.last_run.threads == 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


ALONE = """
import os
import numpy as np, solway as sw
from solway import _core
A = sw.placeholder((64,), name="A")
B = sw.compute((64,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
s[B].parallel("i")
k = sw.build(s, [A, B])
before = len(os.listdir("/proc/self/task"))
k.run(np.ones(64, "float32"))
print(k.last_run.threads, _core.resident_workers(), len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.parametrize(
    ("limit", "expected"),
    [({"SOLWAY_THREADS": "1"}, "1 0 0"), ({"SOLWAY_THREADS": "3"}, "3 2 2"),
     ({"OMP_NUM_THREADS": "1"}, "1 0 0"), ({"pin": "1"}, "1 0 0")],
    ids=str,
)  # fmt: skip
def test_no_threads_are_made_but_those_that_run(limit, expected):
    """Of one thread none; a process that may use one processor gets one."""
    environment = {
        k: v for k, v in os.environ.items() if k not in ("SOLWAY_THREADS", "OMP_NUM_THREADS")
    }
    pin = None
    if "pin" in limit:
        pin = lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # noqa: E731
    else:
        environment |= limit
    run = subprocess.run(
        [sys.executable, "-c", ALONE], env=environment, preexec_fn=pin, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert run.stdout.strip() == expected, run.stderr


BESIDE = """
import ctypes, os, sys, threading
import numpy as np, solway as sw
from solway import _core

n = 200
a = np.random.default_rng(1).integers(-9, 10, (n, n)).astype("float32")
right = a.astype("int64") @ a.astype("int64")
if sys.argv[1:]:
    library = ctypes.CDLL(sys.argv[1])
    def other():
        return library.team() == 2
else:
    def other():
        return np.array_equal(a @ a, right)

A, B = sw.placeholder((n, n), name="A"), sw.placeholder((n, n), name="B")
k = sw.reduce_axis(n, name="k")
C = sw.compute((n, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
s[C].reorder("i", "k", "j")
s[C].vectorize("j")
s[C].parallel("i")
kernel = sw.build(s, [A, B, C])

def ours(**threads):
    return np.array_equal(kernel.run(a, a, **threads), right)

def count():
    return len(os.listdir("/proc/self/task"))

assert other()
before = count()
assert ours() and kernel.last_run.threads <= 2  # OMP_NUM_THREADS says so
assert ours(threads=2) and kernel.last_run.threads == 2
assert count() - before == _core.resident_workers() == 1
for _ in range(50):
    assert other() and ours(threads=2)
assert count() - before == 1

has_begun, is_over, results = threading.Event(), threading.Event(), []
def others():
    while not is_over.is_set():
        results.append(other())
        has_begun.set()
caller = threading.Thread(target=others)
caller.start()
has_begun.wait()
before = count()  # with the caller, and a team of its own
for _ in range(50):
    assert ours(threads=2)
assert count() == before
is_over.set()
caller.join()
assert all(results)
print("right")
"""
# A team of another library, which waits for work by spinning.
TEAM = """
#include <omp.h>
int team(void) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  count += 1;
  return count;
}
"""


def openmp_library(folder):
    """The path of a library with a team of threads."""
    source, library = folder / "team.c", folder / "team.so"
    source.write_text(TEAM)
    command = ["cc", "-O2", "-fopenmp", "-shared", "-fPIC", str(source), "-o", str(library)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no C compiler with OpenMP")
    return library


@pytest.mark.parametrize("other", ["NumPy", "OpenMP"])
def test_beside_the_threads_of_another_library(other, tmp_path):
    """In turns and at once: both are right and come back, and no more threads are made."""
    limits = {"OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "active"}
    unset = ("SOLWAY_THREADS", "OPENBLAS_NUM_THREADS")
    environment = {k: v for k, v in os.environ.items() if k not in unset} | limits
    arguments = [str(openmp_library(tmp_path))] if other == "OpenMP" else []
    run = subprocess.run(
        [sys.executable, "-c", BESIDE, *arguments], env=environment, text=True,
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    assert run.stdout.strip() == "right", run.stderr


def test_a_saved_library_runs_on_one_thread(tmp_path):
    """It needs nothing of ours: the thread that calls it does all."""
    import ctypes

    A = sw.placeholder((64, 33), name="A")
    B = sw.compute((64, 33), lambda y, x: A[y, x] + 1, name="B")
    C = sw.compute((33, 64), lambda x, y: B[y, x] * 2, name="C")
    s = sw.create_schedule(C)
    s[B].parallel("y")
    s[C].parallel("x")
    sw.build(s, [A, C], name="two_stages").save(tmp_path)
    a, c = data(64, 33), np.zeros((33, 64), "float32")
    library = ctypes.CDLL(str(tmp_path / "libtwo_stages.so"))
    assert library.two_stages(*(ctypes.c_void_p(x.ctypes.data) for x in (a, c))) == 0
    np.testing.assert_array_equal(c, ((a + 1) * 2).T)
