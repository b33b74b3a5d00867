"""C with the directives of NEC's compiler: what it says, and that it is right on this machine."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import solway as sw
from support.c_pack import CPack
from support.nec_directives import Rewritten, backwards, directives


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def whole(rng, shape, dtype="float32"):
    """Whole numbers of a type, of which sums are exact."""
    return rng.integers(-8, 9, shape).astype(dtype)


def product(m, n, depth, dtype="float32"):
    """A product of matrices."""
    A = sw.placeholder((m, depth), dtype=dtype, name="A")
    B = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def check_backwards(kernel, arrays, expected, folder):
    """Runs every loop that is said to have no dependences from its end."""
    assert CPack(folder / "backwards", [backwards(kernel)]).run(kernel, arrays) == 0
    assert np.array_equal(arrays[-1], expected)


def test_fused_loops_are_one_long_vector_loop(tmp_path, rng):
    A = sw.placeholder((3, 20, 50), name="A")
    B = sw.placeholder((3, 20, 50), name="B")
    C = sw.compute((3, 20, 50), lambda i, j, k: sw.maximum(A[i, j, k] + B[i, j, k], 0), name="C")
    s = sw.create_schedule(C)
    s[C].vectorize(s[C].fuse(s[C].fuse("i", "j"), "k"))
    kernel = sw.build(s, [A, B, C], target="ve-ncc", name="relu")
    (loop,) = {variable for variable, _ in directives(kernel)}
    assert [words for _, words in directives(kernel)] == ["ivdep", "packed_vector"]
    text = kernel.source["relu.c"]
    assert text.count("for (") == 1 and f"for (int64_t {loop} = 0; {loop} < 3000;" in text
    assert f"C[{loop}] = " in text and f"A[{loop}] + B[{loop}]" in text
    assert kernel.report() == ()
    a, b = whole(rng, (3, 20, 50)), whole(rng, (3, 20, 50))
    assert np.array_equal(kernel.run(a, b), np.maximum(a + b, 0))
    check_backwards(kernel, [a, b, np.empty_like(a)], np.maximum(a + b, 0), tmp_path)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_columns_of_a_product(dtype, tmp_path, rng):
    A, B, C = product(12, 300, 20, dtype)
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", factor=6)
    s[C].reorder(io, "k", ii, "j")
    s[C].unroll(ii)
    s[C].vectorize("j")
    kernel = sw.build(s, [A, B, C], target="ve-ncc", name="gemm")
    packs = ["packed_vector"] if dtype == "float32" else []
    found = directives(kernel)
    update = [words for variable, words in found if variable == found[-1][0]]
    assert update == ["ivdep", *packs]
    assert ("k", "novector") in found
    assert [w for v, w in found if v.startswith("i_i")][-2:] == ["novector", "outerloop_unroll(4)"]
    a, b = whole(rng, (12, 20), dtype), whole(rng, (20, 300), dtype)
    assert np.array_equal(kernel.run(a, b), a @ b)
    check_backwards(kernel, [a, b, np.empty((12, 300), dtype)], a @ b, tmp_path)


def test_a_reduction_is_left_to_the_compiler(rng):
    A = sw.placeholder((1000,), dtype="int64", name="A")
    k = sw.reduce_axis(1000, name="k")
    C = sw.compute((1,), lambda i: sw.sum(A[k], axis=k), name="C")
    s = sw.create_schedule(C)
    s[C].vectorize("k")
    kernel = sw.build(s, [A, C], target="ve-ncc")
    assert [words for _, words in directives(kernel) if words != "novector"] == ["vector"]
    (remark,) = kernel.report()
    assert remark.step == "vectorize(k)" and "reduction" in remark.why
    a = whole(rng, 1000, "int64")
    assert kernel.run(a) == a.sum()


def test_a_reduction_of_an_extent_that_is_known_later_may_be_short(rng):
    n = sw.size("n", max=5000)
    A = sw.placeholder((n,), dtype="float64", name="A")
    k = sw.reduce_axis(n, name="k")
    C = sw.compute((1,), lambda i: sw.max(A[k], axis=k), name="C")
    s = sw.create_schedule(C)
    s[C].vectorize("k")
    kernel = sw.build(s, [A, C], target="ve-ncc")
    assert ("k", "shortloop_reduction") in directives(kernel)
    a = whole(rng, 700, "float64")
    assert kernel.run(a) == a.max()


def test_what_a_later_iteration_overwrites_is_a_dependence(tmp_path, rng):
    A = sw.placeholder((65,), name="A")
    U = sw.update(A, (64,), lambda i: i, lambda i: A[i + 1] * 2, name="U")
    s = sw.create_schedule(U)
    s[U].vectorize("i")
    kernel = sw.build(s, [A], target="ve-ncc", name="shift")
    assert directives(kernel) == [("i", "vector"), ("i", "shortloop")]
    a = np.arange(65, dtype="float32")
    wrong = a.copy()
    expected = np.append(a[1:] * 2, a[64])
    kernel(a)
    assert np.array_equal(a, expected)
    # The wrong claim would be found.
    text = kernel.source["shift.c"].replace("_NEC vector\n", "_NEC ivdep\n")
    claims = backwards(Rewritten("shift", {"shift.c": text}))
    assert CPack(tmp_path / "wrong", [claims]).run(claims, [wrong]) == 0
    assert not np.array_equal(wrong, expected)


def test_a_recurrence_is_refused():
    A = sw.placeholder((65,), name="A")
    U = sw.update(A, (64,), lambda i: i + 1, lambda i: A[i] * 2, name="U")
    s = sw.create_schedule(U)
    with pytest.raises(sw.IllegalScheduleError):
        s[U].vectorize("i")


def test_loops_of_one_name_are_told_apart(tmp_path, rng):
    A = sw.placeholder((40, 300), name="A")
    j = sw.reduce_axis(300, name="j")
    M = sw.compute((40,), lambda i: sw.sum(A[i, j], axis=j), name="M")
    C = sw.compute((40, 300), lambda i, j: A[i, j] - M[i], name="C")
    s = sw.create_schedule(C)
    s[M].vectorize("j")
    s[C].vectorize("j")
    kernel = sw.build(s, [A, C], target="ve-ncc")
    found = [(v, words) for v, words in directives(kernel) if v.startswith("j")]
    assert found == [("j", "vector"), ("j", "packed_vector"),
                     ("j_1", "ivdep"), ("j_1", "packed_vector")]  # fmt: skip
    a = whole(rng, (40, 300))
    expected = a - a.sum(axis=1, keepdims=True)
    assert np.array_equal(kernel.run(a), expected)
    check_backwards(kernel, [a, np.empty_like(a)], expected, tmp_path)


def test_panels_are_copied_by_vectors(tmp_path, rng):
    A, B, C = product(16, 512, 32)
    s = sw.create_schedule(C)
    jo, ji = s[C].split("j", factor=256)
    s[C].reorder(jo, "i", "k", ji)
    s.buffer_read(B, ["k", ji])
    s[C].vectorize(ji)
    kernel = sw.build(s, [A, B, C], target="ve-ncc", name="gemm")
    assert [w for v, w in directives(kernel) if v.startswith("BB")] == [
        "novector", "ivdep", "shortloop"]  # fmt: skip
    a, b = whole(rng, (16, 32)), whole(rng, (32, 512))
    assert np.array_equal(kernel.run(a, b), a @ b)
    check_backwards(kernel, [a, b, np.empty((16, 512), "float32")], a @ b, tmp_path)


def test_the_makefile_builds_a_library(tmp_path, rng):
    A, B, C = product(4, 300, 5)
    s = sw.create_schedule(C)
    s[C].reorder("i", "k", "j")
    s[C].vectorize("j")
    kernel = sw.build(s, [A, B, C], target="ve-ncc", name="gemm")
    names = {"gemm.c", "gemm.h", "gemm_example.c", "gemm_reference.c", "Makefile"}
    assert {path.name for path in kernel.save(tmp_path)} == names
    assert shutil.which("make") and shutil.which("cc")
    subprocess.run(["make", "-s", "CC=cc -fPIC", "AR=ar"], cwd=tmp_path, check=True)
    command = ["cc", "-shared", "-o", "gemm.so", "-Wl,--whole-archive", "libgemm.a",
               "-Wl,--no-whole-archive", "-lm"]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True)
    a, b, c = whole(rng, (4, 5)), whole(rng, (5, 300)), np.empty((4, 300), "float32")
    entry = ctypes.CDLL(str(tmp_path / "gemm.so")).gemm
    assert entry(*(ctypes.c_void_p(array.ctypes.data) for array in (a, b, c))) == 0
    assert np.array_equal(c, a @ b)
    checked = subprocess.run(
        ["make", "-s", "CC=cc -fPIC", "AR=ar", "check"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert checked.stdout == "gemm: 1200 values agree\n"


def test_the_makefile_calls_the_vendors_compiler(tmp_path):
    A = sw.placeholder((8,), name="A")
    C = sw.compute((8,), lambda i: A[i] + 1, name="C")
    sw.build(sw.create_schedule(C), [A, C], target="ve-ncc", name="inc").save(tmp_path)
    for tool in ("ncc", "nar"):
        (tmp_path / tool).write_text(f'#!/bin/sh\necho {tool} "$@" >> calls\n')
        (tmp_path / tool).chmod(0o755)
    path = f"{tmp_path}:{shutil.os.environ['PATH']}"
    environment = {k: v for k, v in shutil.os.environ.items() if k not in ("CC", "AR")}
    subprocess.run(["make", "-s"], cwd=tmp_path, check=True, env=environment | {"PATH": path})
    calls = (tmp_path / "calls").read_text().splitlines()
    assert (
        calls[0].startswith("ncc -O3 -finline-functions -std=c99")
        and calls[1] == "nar cr libinc.a inc.o"
    )


def test_a_network_is_built_by_the_same_tools(rng):
    A, B, C = product(8, 300, 5)
    s = sw.create_schedule(C)
    s[C].reorder("i", "k", "j")
    s[C].vectorize("j")
    net = sw.build_network([(s, [A, B, C])], target="ve-ncc", name="net")
    assert "CC = ncc" in net.source["Makefile"]
    assert any("_NEC ivdep" in text for text in net.source.values())
    a, b = whole(rng, (8, 5)), whole(rng, (5, 300))
    assert np.array_equal(net.run(a, b), a @ b)


def test_the_target_says_whose_directives_it_has():
    assert sw.Target.load("ve-ncc").pragmas == "nec"
    assert sw.Target.load("c").pragmas == ""


def test_a_schedule_is_chosen_for_long_vectors(tmp_path, rng):
    X = sw.placeholder((4, 12, 12, 8), name="X")
    b = sw.placeholder((8,), name="b")
    Y = sw.compute(X.shape, lambda n, h, w, c: sw.maximum(X[n, h, w, c] * 2, 0), name="Y")
    Z = sw.compute(X.shape, lambda n, h, w, c: Y[n, h, w, c] + b[c], name="Z")
    R = sw.compute(X.shape, lambda n, h, w, c: sw.exp(X[n, h, w, c]), name="R")
    s = sw.create_schedule(R)
    chosen = s.auto_schedule("ve-ncc")
    assert chosen.stages[0].planner == "long vectors"
    kernel = sw.build(s, [X, R], target="ve-ncc", name="expo")
    assert [words for _, words in directives(kernel)] == ["ivdep", "packed_vector"]
    assert kernel.source["expo.c"].count("for (") == 1
    x = rng.standard_normal(X.shape).astype("float32")
    assert np.allclose(kernel.run(x), np.exp(x), rtol=1e-6)
    fused = sw.build(Z, target="ve-ncc", name="bias")  # Y is computed in Z
    x, bias = whole(rng, X.shape), whole(rng, 8)
    expected = np.maximum(x * 2, 0) + bias
    assert np.array_equal(fused.run(x, bias), expected)
    check_backwards(fused, [x, bias, np.empty_like(x)], expected, tmp_path)


def test_a_layer_is_chosen_and_right(tmp_path, rng):
    A, _, C = product(30, 257, 19)
    D = sw.compute((30, 257), lambda i, j: sw.maximum(C[i, j] + A[i, 0], 0), name="D")
    kernel = sw.build(D, target="ve-ncc", name="layer")
    assert ("k", "novector") in directives(kernel)
    a, b = whole(rng, (30, 19)), whole(rng, (19, 257))
    expected = np.maximum(a @ b + a[:, :1], 0)
    assert np.array_equal(kernel.run(a, b), expected)
    check_backwards(kernel, [a, b, np.empty((30, 257), "float32")], expected, tmp_path)
