"""sw.library: OpenBLAS behind the call interface of kernels."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest
import solway as sw
from solway import _openblas, library


def product(m, n, k, dtype="float32"):
    A = sw.placeholder((m, k), dtype=dtype, name="A")
    B = sw.placeholder((k, n), dtype=dtype, name="B")
    r = sw.reduce_axis(k, name="r")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")
    return A, B, C


@pytest.fixture(autouse=True)
def installed():
    try:
        ctypes.CDLL("libopenblas.so.0")
    except OSError:
        pytest.skip("OpenBLAS is not installed")


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (64, 33, 100), (1, 1024, 1024)])
@pytest.mark.parametrize(
    ("make", "dtype"),
    [(library.openblas_sgemm, "float32"), (library.openblas_dgemm, "float64")],
)
def test_equals_numpy(shape, make, dtype):
    m, n, k = shape
    rng = np.random.default_rng(0)
    a = rng.integers(-8, 9, (m, k)).astype(dtype)
    b = rng.integers(-8, 9, (k, n)).astype(dtype)
    kernel = make(*product(m, n, k, dtype))
    assert np.array_equal(kernel.run(a, b), a @ b)
    c = np.full((m, n), np.nan, dtype)
    kernel(a, b, c)
    assert np.array_equal(c, a @ b)
    assert kernel.last_run.seconds > 0


def test_factors_in_either_order():
    A = sw.placeholder((2, 3), name="A")
    B = sw.placeholder((3, 4), name="B")
    r = sw.reduce_axis(3, name="r")
    C = sw.compute((2, 4), lambda i, j: sw.sum(B[r, j] * A[i, r], axis=r), name="C")
    ones = np.ones((2, 3), "f"), np.ones((3, 4), "f")
    assert np.array_equal(sw.library.openblas_sgemm(A, B, C).run(*ones), np.full((2, 4), 3, "f"))


def test_describes_itself():
    kernel = sw.library.openblas_sgemm(*product(2, 2, 2), threads=2)
    (remark,) = kernel.report()
    assert kernel.name == remark.step == "openblas_sgemm"
    assert kernel.target == "host"
    assert kernel.source == {}
    assert "2 thread(s)" in remark.verdict
    assert "OpenBLAS" in remark.why


def test_arrays_are_checked_as_for_kernels():
    kernel = sw.library.openblas_sgemm(*product(2, 2, 2))
    a = np.ones((2, 2), "f")
    with pytest.raises(sw.ArgumentMismatchError, match="argument 'B' has another shape"):
        kernel.run(a, np.ones((2, 3), "f"))
    with pytest.raises(sw.ArgumentMismatchError, match="overlaps 'A'"):
        kernel(a, np.ones((2, 2), "f"), a)


def transposed():
    A, B, _ = product(4, 4, 4)
    r = sw.reduce_axis(4, name="r")
    return A, B, sw.compute((4, 4), lambda i, j: sw.sum(A[r, i] * B[r, j], axis=r), name="C")


def part_of_k():
    A, B, _ = product(4, 4, 4)
    r = sw.reduce_axis(3, name="r")
    return A, B, sw.compute((4, 4), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")


def square():
    A, B, _ = product(4, 4, 4)
    r = sw.reduce_axis(4, name="r")
    return A, B, sw.compute((4, 4), lambda i, j: sw.sum(A[i, r] * A[r, j], axis=r), name="C")


def scaled():
    A, B, _ = product(4, 4, 4)
    r = sw.reduce_axis(4, name="r")
    return A, B, sw.compute((4, 4), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r) * 2, name="C")


def flat():
    A, B, C = product(4, 4, 4)
    return A, B, sw.compute((4, 4), lambda i, j: C[i, j], name="D")


def placeholder():
    A, B, _ = product(4, 4, 4)
    return A, B, sw.placeholder((4, 4), name="C")


@pytest.mark.parametrize("make", [transposed, part_of_k, square, scaled, flat, placeholder])
def test_what_is_no_product(make):
    with pytest.raises(sw.ArgumentMismatchError, match="is not the matrix product") as raised:
        sw.library.openblas_sgemm(*make())
    assert raised.value.where.file == __file__


def test_other_arguments_that_do_not_fit():
    A, B, C = product(2, 2, 2, "float64")
    with pytest.raises(sw.ArgumentMismatchError, match="openblas_sgemm takes float32") as raised:
        sw.library.openblas_sgemm(A, B, C)
    assert raised.value.fix == "use openblas_dgemm"
    with pytest.raises(sw.ArgumentMismatchError, match="takes tensors"):
        sw.library.openblas_sgemm(A, B, np.ones((2, 2)))
    with pytest.raises(sw.ArgumentMismatchError, match="at least one thread"):
        sw.library.openblas_dgemm(A, B, C, threads=0)


def test_library_that_is_not_installed(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(_openblas.ctypes, "CDLL", missing)
    _openblas.load.cache_clear()
    try:
        with pytest.raises(sw.UnsupportedError) as raised:
            sw.library.openblas_sgemm(*product(2, 2, 2))
    finally:
        _openblas.load.cache_clear()
    assert raised.value.what == "OpenBLAS is not installed"
    assert raised.value.fix == "apt install libopenblas0"


@pytest.mark.parametrize("given", [None, "Haswell"])
def test_core_type_is_chosen_only_when_nobody_did(given):
    code = (
        "import os; from solway import _openblas; found = _openblas.load();"
        "print(_openblas.core_name(found), os.environ.get('OPENBLAS_CORETYPE'))"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    environment |= {"OPENBLAS_CORETYPE": given} if given else {}
    environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(sw.__file__))
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    core, after = done.stdout.split()
    assert after == str(given)
    if given or _openblas._AVX512 <= _openblas.cpu_flags():
        assert core == (given or "SkylakeX")
