"""What `k.save()` writes for C programs: libraries or C, and a program that checks."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, require_emulator

TARGETS = ["host", "x86-64-v3", *FOREIGN]
# All that an object may ask of the C library.
LIBC = {"aligned_alloc", "free", "memcpy", "memmove", "memset"}
LIBM = {"exp", "log", "tanh", "pow", "fmod", "floor", "ceil", "rint", "trunc"}
ALLOWED = LIBC | LIBM | {f"{name}f" for name in LIBM}


def normalised(dtype="float32"):
    """Two stages with a temporary too large for the stack, functions, and a vector rest."""
    A = sw.placeholder((70, 300), dtype=dtype, name="A")
    T = sw.compute((70, 300), lambda i, j: sw.exp(A[i, j] * -2) + A[i, j] % 3, name="T")
    k = sw.reduce_axis(300, name="k")
    S = sw.compute((70,), lambda i: sw.sum(T[i, k], axis=k), name="S")
    B = sw.compute((70, 300), lambda i, j: T[i, j] / S[i], name="B")
    s = sw.create_schedule(B)
    s[T].vectorize(T.axis[1])
    s[B].vectorize(B.axis[1])
    return s, [A, B]


def make(folder):
    return subprocess.run(
        ["make", "-C", str(folder)], capture_output=True, text=True, timeout=300, check=False
    )


def undefined(file, dynamic=False):
    """The symbols that an object or a library wants of others."""
    command = ["nm", "-u", *(["-D"] if dynamic else []), str(file)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in out.splitlines() if line.strip() and ":" not in line]
    return {w[1].split("@")[0] for w in words}


def require(target):
    if target in FOREIGN:
        require_emulator(target)
    elif target != "host" and sw.Target.load("host").name < target:
        pytest.skip(f"this machine has no {target}")


@pytest.mark.parametrize("target", TARGETS)
def test_the_example_links_every_file_and_agrees(target, tmp_path):
    require(target)
    s, args = normalised()
    paths = sw.build(s, args, target=target, name="norm").save(tmp_path)
    names = {"norm.ll", "norm.s", "norm.o", "libnorm.a", "libnorm.so", "norm.h"}
    assert {p.name for p in paths} == names | {
        "norm_example.c",
        "norm_reference.c",
        "Makefile",
    }
    done = make(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("norm: 21000 values agree") == 3


def test_the_example_of_c_builds_it_and_agrees(tmp_path):
    s, args = normalised()
    paths = sw.build(s, args, target="c", name="norm").save(tmp_path)
    names = {"norm.c", "norm.h", "norm_example.c", "norm_reference.c", "Makefile"}
    assert {path.name for path in paths} == names
    done = make(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "norm: 21000 values agree" in done.stdout
    source = tmp_path / "norm.c"
    source.write_text(source.read_text().replace("expf(", "cosf("))
    assert "plain loops give" in make(tmp_path).stderr
    (tmp_path / "other").mkdir()
    alone = sw.build(s, args, target="c", name="norm").save(tmp_path / "other", example=False)
    assert {path.name for path in alone} == {"norm.c", "norm.h"}


@pytest.mark.parametrize("target", TARGETS)
def test_objects_want_the_c_library_and_nothing_else(target, tmp_path):
    s, args = normalised()
    require(target)
    sw.build(s, args, target=target, name="norm").save(tmp_path)
    for file, dynamic in (("norm.o", False), ("libnorm.a", False), ("libnorm.so", True)):
        wanted = undefined(tmp_path / file, dynamic)
        assert "aligned_alloc" in wanted and "fmodf" in wanted
        assert wanted <= ALLOWED, wanted


LIBC_OF_THREADS = {
    "getenv",
    "getpid",
    "pthread_cond_broadcast",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_detach",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_sigmask",
    "sched_getaffinity",
    "sigfillset",
}


def on_threads():
    """A stage that needs all rows of the one before: barriers, and memory that threads share."""
    A = sw.placeholder((64, 96), dtype="int32", name="A")
    T = sw.compute((64, 96), lambda i, j: A[i, j] * 2 + 1, name="T")
    k = sw.reduce_axis(64, name="k")
    B = sw.compute((96,), lambda j: sw.sum(T[k, j], axis=k), name="B")
    s = sw.create_schedule(B)
    s[T].parallel(T.axis[0])
    s[B].parallel(B.axis[0])
    return s, [A, B]


@pytest.mark.parametrize("target", TARGETS)
def test_a_library_with_threads(target, tmp_path, monkeypatch):
    require(target)
    s, args = on_threads()
    sw.build(s, args, target=target, name="sums").save(tmp_path, threads=True)
    for file, dynamic in (("sums.o", False), ("libsums.so", True)):
        wanted = undefined(tmp_path / file, dynamic)
        assert "pthread_create" in wanted
        assert wanted <= LIBC | LIBC_OF_THREADS, wanted
    monkeypatch.setenv("SOLWAY_THREADS", "3")
    done = make(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("sums: 96 values agree") == 3


def test_how_many_threads_a_library_has(tmp_path):
    s, args = on_threads()
    sw.build(s, args, name="sums").save(tmp_path, threads=True, example=False)
    assert "void sums_set_threads(int32_t threads);" in (tmp_path / "sums.h").read_text()
    # In a process of its own, which has no other threads.
    program = f"""
import ctypes, os, sys
def threads():
    return len(os.listdir("/proc/self/task"))
library = ctypes.CDLL("{tmp_path}/libsums.so")
a, b = (ctypes.c_int32 * (64 * 96))(*range(64 * 96)), (ctypes.c_int32 * 96)()
before, right = threads(), [sum(2 * (96 * i + j) + 1 for i in range(64)) for j in range(96)]
for number in (1, 4, 2, 3):
    library.sums_set_threads(number)
    assert library.sums(a, b) == 0 and list(b) == right
    print(threads() - before)
"""
    command = [sys.executable, "-c", program]
    out = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert out.split() == ["0", "3", "3", "3"]


def test_threads_that_cannot_be_saved(tmp_path):
    s, args = normalised()
    with pytest.raises(sw.UnsupportedError, match="no loop of it is parallel"):
        sw.build(s, args, name="norm").save(tmp_path, threads=True)
    s, args = on_threads()
    for target in ("c", "sw26010"):
        with pytest.raises(sw.UnsupportedError, match="it is source code"):
            sw.build(s, args, target=target, name="sums").save(tmp_path, threads=True)
    assert not list(tmp_path.iterdir())


def test_the_example_can_fail(tmp_path):
    s, args = normalised()
    sw.build(s, args, name="norm").save(tmp_path)
    reference = tmp_path / "norm_reference.c"
    text = reference.read_text()
    assert text.count("-2.0f") == 1
    reference.write_text(text.replace("-2.0f", "-2.01f"))
    done = make(tmp_path)
    assert done.returncode != 0
    assert "plain loops give" in done.stderr


def test_the_shared_library_loads_by_itself(tmp_path):
    s, args = normalised()
    k = sw.build(s, args, name="norm")
    k.save(tmp_path)
    library = ctypes.CDLL(str(tmp_path / "libnorm.so"))
    a = np.random.default_rng(1).random((70, 300), dtype="float32")
    b = np.zeros((70, 300), "float32")
    assert library.norm(a.ctypes.data_as(ctypes.c_void_p), b.ctypes.data_as(ctypes.c_void_p)) == 0
    np.testing.assert_array_equal(b, k.run(a))


@pytest.mark.parametrize("target", ["host", "aarch64-neon"])
@pytest.mark.parametrize(
    "dtype", ["float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
)
def test_examples_of_all_element_types(dtype, target, tmp_path):
    require(target)
    A = sw.placeholder((5, 7), dtype=dtype, name="A")
    twice = (lambda x: ~x) if dtype == "bool" else (lambda x: x * x + x)
    B = sw.compute((5, 7), lambda i, j: twice(A[i, j]), name="B")
    sw.build(sw.create_schedule(B), [A, B], target=target, name="twice").save(tmp_path)
    done = make(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "35 values agree" in done.stdout


def test_sizes_indices_and_arrays_that_are_changed(tmp_path):
    n = sw.size("n", min=3, max=100)
    A, idx = sw.placeholder((n,), name="A"), sw.placeholder((n,), dtype="int32", name="idx")
    T = sw.placeholder((n,), name="T")
    B = sw.compute((n,), lambda i: A[sw.bounded(idx[i], 2, n)], name="B")
    T2 = sw.update(T, (n - 1,), lambda i: (i + 1,), lambda i: T[i] + A[i], name="T2")
    s = sw.create_schedule([B, T2])
    s.assume(n % 4 == 0)
    paths = sw.build(s, [A, idx, T, B], name="mixed").save(tmp_path)
    header = next(p for p in paths if p.name == "mixed.h").read_text()
    assert (
        "int32_t mixed(const float* A, const int32_t* idx, float* T, float* B, "
        "const int64_t* sizes);" in header
    )
    assert "sizes[0]: n, 3 to 100." in header and "A: float32[n], read" in header
    done = make(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mixed: 32 values agree" in done.stdout  # n = 16


def test_powers_of_integers(tmp_path):
    A = sw.placeholder((9,), dtype="int64", name="A")
    B = sw.placeholder((9,), dtype="int64", name="B")
    C = sw.compute((9,), lambda i: sw.pow(A[i], B[i]), name="C")
    sw.build(sw.create_schedule(C), [A, B, C], name="power").save(tmp_path)
    library = ctypes.CDLL(str(tmp_path / "libpower.so"))
    a = np.array([2, -3, 1, -1, -1, 0, 7, 3, -2], "int64")
    b = np.array([10, 3, -5, -2, -3, -1, 0, 45, 63], "int64")
    c = np.zeros(9, "int64")
    assert library.power(*(x.ctypes.data_as(ctypes.c_void_p) for x in (a, b, c))) == 0
    expected = [1024, -27, 1, 1, -1, 0, 1, 3**45 - 2**71, -(2**63)]
    wrapped = [(v + 2**63) % 2**64 - 2**63 for v in expected]
    assert c.tolist() == wrapped


def test_saving_is_deterministic(tmp_path):
    for folder in ("one", "two"):
        s, args = normalised()
        sw.build(s, args, target="aarch64-neon", name="norm").save(tmp_path / folder)
    for one in (tmp_path / "one").iterdir():
        assert one.read_bytes() == (tmp_path / "two" / one.name).read_bytes(), one.name


def test_foreign_libraries_need_no_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/nowhere")
    for target in FOREIGN:
        s, args = normalised()
        paths = sw.build(s, args, target=target, name="norm").save(tmp_path / target)
        so = next(p for p in paths if p.name == "libnorm.so").read_bytes()
        machine = int.from_bytes(so[18:20], "little")  # e_machine of the ELF header
        assert so[:4] == b"\x7fELF"
        assert machine == (243 if target.startswith("riscv") else 183)


def test_libraries_without_an_example(tmp_path):
    A = sw.placeholder((100,), name="A")
    idx = sw.placeholder((8,), dtype="int32", name="idx")
    C = sw.compute((8,), lambda i: A[sw.bounded(idx[i], 70, 100)], name="C")
    k = sw.build(sw.create_schedule(C), [A, idx, C], name="gather")
    names = {path.name for path in k.save(tmp_path, example=False)}
    assert names == {"gather.ll", "gather.s", "gather.o", "libgather.a", "libgather.so", "gather.h"}


def test_a_name_that_the_c_library_has(tmp_path):
    A = sw.placeholder((4,), name="A")
    B = sw.compute((4,), lambda i: A[i] * 2, name="B")
    k = sw.build(sw.create_schedule(B), [A, B], name="memcpy")
    with pytest.raises(sw.UnsupportedError, match="a kernel named 'memcpy'") as caught:
        k.save(tmp_path)
    assert caught.value.fix == "choose another name="
    assert caught.value.where.file == __file__
