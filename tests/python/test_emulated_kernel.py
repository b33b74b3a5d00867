"""Kernels of target sw26010: results, what a run counts, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate

DTYPES = ["float32", "float64", "int32", "int64", "int8"]


def whole(shape, dtype="float32", seed=1):
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


def check(s, inputs, out, **kwargs):
    """Runs a schedule and compares it exactly with the oracle; the kernel."""
    k = sw.build(s, [*inputs, out], target="sw26010", **kwargs)
    arrays = [whole(t.shape, t.dtype, seed) for seed, t in enumerate(inputs)]
    expected = evaluate(out, dict(zip(inputs, arrays, strict=True))).astype(out.dtype)
    got = k.run(*arrays)
    assert got.dtype == out.dtype
    np.testing.assert_array_equal(got, expected)
    return k


def matmul(m, k, n, dtype="float32"):
    A, B = sw.placeholder((m, k), dtype, name="A"), sw.placeholder((k, n), dtype, name="B")
    axis = sw.reduce_axis(k, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, axis] * B[axis, j], axis=axis), name="C")
    return A, B, C, sw.create_schedule(C)


def tiled(dtype="float32", m=4, k=24, n=40):
    """A matrix product with three buffers, and sizes that the tiles do not divide."""
    A, B, C, s = matmul(m, k, n, dtype)
    jo, ji = s[C].split("j", factor=16)
    ko, ki = s[C].split("k", factor=8)
    s[C].reorder(jo, "i", ko, ji, ki)
    s[C].parallel(jo)
    s.buffer_read(B, [ki, ji])
    s.buffer_read(A, [ki])
    s.buffer_write(C, [ji])
    return A, B, C, s


@pytest.mark.parametrize("dtype", DTYPES)
def test_transfers_of_every_type(dtype):
    A, B, C, s = tiled(dtype)
    k = check(s, [A, B], C)
    copied = [r for r in k.report() if r.verdict == "copied by loads and stores"]
    assert all("multiples of 4 bytes" in r.why for r in copied)
    if dtype != "int8":
        assert not copied
        assert k.last_run.bytes["gld"] == k.last_run.bytes["gst"] == 0
        assert k.last_run.bytes["put"] == C.shape[0] * C.shape[1] * C.dtype.itemsize


@pytest.mark.parametrize("columns", [7, 8])
def test_int8_that_the_engine_cannot_move_is_copied_with_a_remark(columns):
    A = sw.placeholder((6, columns), "int8", name="A")
    C = sw.compute((6, columns), lambda i, j: A[i, j] + 1, name="C")
    s = sw.create_schedule(C)
    s[C].parallel("i")
    s.buffer_read(A, ["j"])
    k = check(s, [A], C)
    remarks = [] if columns == 8 else ["copied by loads and stores"]
    assert [r.verdict for r in k.report()] == remarks
    assert all(r.step == "buffer_read(A, [j])" for r in k.report())
    assert all("multiples of 4 bytes" in r.why for r in k.report())
    assert k.last_run.bytes["gld"] == (0 if columns == 8 else A.shape[0] * columns)


def test_what_a_run_counts():
    A, B, C, s = tiled()
    k = sw.build(s, [A, B, C], target="sw26010", name="product")
    assert (k.name, k.target, k.last_run) == ("product", "sw26010", None)
    assert set(k.source) == {"product.h", "product.c", "product_cpe.c", "kernel.toml", "Makefile"}
    k.run(whole(A.shape), whole(B.shape))
    run = k.last_run
    assert run.seconds > 0 and set(run.bytes) == {"get", "put", "gld", "gst"}
    assert (8 * 16 + 8 + 16) * 4 <= run.ldm_peak_bytes <= 65536
    assert run.cycles is None and run.cpe_cycles is None and run.stalls is None


def test_stages_that_read_each_other_across_cores():
    A = sw.placeholder((100,), "int32", name="A")
    D = sw.compute((100,), lambda i: A[i] * 2, name="D")
    E = sw.compute((100,), lambda i: D[99 - i] + D[i], name="E")
    s = sw.create_schedule(E)
    s[D].parallel("i")
    s[E].parallel("i")
    k = check(s, [A], E)
    assert "athread_syn" in k.source["kernel_cpe.c"]


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1,), (1, 1), (1, 5), ()])
def test_empty_and_single_dimensions(shape):
    A = sw.placeholder(shape, "int32", name="A")
    C = sw.compute(shape, lambda *i: A[i] * 2 + 1, name="C")
    s = sw.create_schedule(C)
    if shape:
        s[C].parallel(s[C].axis[0])
    check(s, [A], C)


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (1, 5, 1), (3, 1, 2)])
def test_buffers_of_single_elements(m, k, n):
    A, B, C, s = matmul(m, k, n)
    s[C].parallel("i")
    s.buffer_read(A, at="i")
    s.buffer_read(B, at="i")
    s.buffer_write(C, at="i")
    check(s, [A, B], C)


def test_a_loop_shorter_than_a_vector_is_scalar_with_a_remark():
    A, B, C, s = matmul(4, 4, 3)
    s[C].vectorize("j")
    (remark,) = set(check(s, [A, B], C).report())
    assert remark.step.startswith("vectorize(") and "do not fill a vector" in remark.why


@pytest.mark.parametrize("mode", ["functional", "hazard"])
def test_every_order_and_landing_gives_the_same(mode):
    A, B, C, s = tiled()
    k = sw.build(s, [A, B, C], target="sw26010")
    a, b = whole(A.shape), whole(B.shape, seed=2)
    for landing in ("at_wait", "at_issue", "random"):
        for seed in (0, 1, 2**63):
            with sw.emulator(mode, landing=landing, seed=seed):
                np.testing.assert_array_equal(k.run(a, b), a @ b)


def test_modes():
    A, B, C, s = matmul(2, 2, 2)
    k = sw.build(s, [A, B, C], target="sw26010")
    a, b, c = whole((2, 2)), whole((2, 2)), np.zeros((2, 2), "f4")
    k(a, b, c, mode="functional")
    np.testing.assert_array_equal(k.run(a, b, mode="functional"), c)
    np.testing.assert_array_equal(k.run(a, b, mode="hazard"), c)
    np.testing.assert_array_equal(k.run(a, b, mode="timed"), c)
    with pytest.raises(sw.UnsupportedError, match="has no mode 'fast'") as caught:
        k.run(a, b, mode="fast")
    assert "'functional', 'hazard', 'timed'" in caught.value.why
    assert caught.value.where.file == __file__
    with pytest.raises(sw.UnsupportedError, match="has no mode"), sw.emulator(mode="fast"):
        pass
    for options in ({"seed": -1}, {"landing": "late"}, {"seconds": 0}):
        with pytest.raises(sw.ArgumentMismatchError), sw.emulator(**options):
            pass


def test_a_hazard_names_both_lines_of_c_and_that_of_the_schedule(tmp_path):
    A, B, C, s = tiled()
    k = sw.build(s, [A, B, C], target="sw26010", name="tiled")
    k.save(tmp_path / "tiled")
    source = tmp_path / "tiled" / "tiled_cpe.c"
    wait = "while (CC_put_reply != 1);"
    assert source.read_text().count(wait) == 1
    source.write_text(source.read_text().replace(wait, ""))
    hand = sw.hand_kernel(tmp_path / "tiled", args=[A, B, C])
    a, b = whole(A.shape), whole(B.shape, seed=2)
    for landing in ("at_wait", "at_issue", "random"):
        with sw.emulator("hazard", landing=landing), pytest.raises(sw.EmulatorError) as caught:
            hand.run(a, b)
        assert caught.value.kind == "write_before_complete"
        assert "athread_put" in caught.value.cause.text and caught.value.cpe is not None


def test_a_run_that_takes_too_long():
    A, B, C, s = matmul(64, 64, 64)
    k = sw.build(s, [A, B, C], target="sw26010", name="slow")
    a, b, c = whole((64, 64)), whole((64, 64)), np.full((64, 64), 7, "f4")
    with pytest.raises(sw.EmulatorError, match="'slow' did not end") as caught:
        with sw.emulator(seconds=0.001):
            k(a, b, c)
    assert caught.value.kind == "deadlock" and "0.001 s" in caught.value.why
    assert (c == 7).all() and k.last_run is None


def test_buffers_that_do_not_fit():
    A, B, C, s = matmul(4, 1024, 128)
    s[C].parallel("i")
    s.buffer_read(B, ["k", "j"])
    s.buffer_read(A, ["k"])
    with pytest.raises(sw.CapacityError) as caught:
        sw.build(s, [A, B, C], target="sw26010")
    error = caught.value
    assert error.needed_bytes >= 1024 * 128 * 4 + 1024 * 4
    assert error.available_bytes <= 65536
    assert {name: size for name, size, _ in error.buffers} == {"AA": 4096, "BB": 524288}
    assert all("buffer_read" in primitive for _, _, primitive in error.buffers)
    assert error.where.file == __file__
    sw.build(s, [A, B, C], target="c")


def test_a_scope_that_is_not_there():
    A, B, C, s = matmul(4, 8, 8)
    s.buffer_read(A, ["k"], scope="panel")
    with pytest.raises(sw.UnsupportedError, match="'panel'") as caught:
        sw.build(s, [A, B, C], target="sw26010")
    assert "'ldm'" in caught.value.why
    sw.build(s, [A, B, C], target="c")


def test_a_parallel_loop_has_no_cores_of_its_own():
    A, B, C, s = matmul(4, 8, 8)
    s[C].parallel("i")
    s[C].parallel("j")
    with pytest.raises(sw.UnsupportedError, match="inside the parallel loop 'i'") as caught:
        sw.build(s, [A, B, C], target="sw26010")
    assert caught.value.where.file == __file__


def test_arrays_that_do_not_fit():
    A, B, C, s = matmul(4, 8, 8)
    k = sw.build(s, [A, B, C], target="sw26010")
    for arrays, what in [
        ((whole((8, 4)), whole((8, 8))), "'A' has another shape"),
        ((whole((4, 8), "float64"), whole((8, 8))), "'A' has another dtype"),
        ((whole((8, 4)).T, whole((8, 8))), "'A' has another layout"),
        ((whole((4, 8)),), "takes 2 inputs"),
    ]:
        with pytest.raises(sw.ArgumentMismatchError, match=what):
            k.run(*arrays)


def test_without_clang(monkeypatch, tmp_path):
    A, B, C, s = matmul(2, 2, 2)
    k = sw.build(s, [A, B, C], target="sw26010")
    missing = str(tmp_path / "no-clang")
    monkeypatch.setenv("SOLWAY_CLANG", missing)
    with pytest.raises(sw.UnsupportedError, match="compiler for the emulator was not found") as no:
        k.run(whole((2, 2)), whole((2, 2)))
    assert missing in no.value.why and no.value.where.file == __file__
    monkeypatch.delenv("SOLWAY_CLANG")
    k.run(whole((2, 2)), whole((2, 2)))


def test_without_room_for_temporary_files(monkeypatch):
    A, B, C, s = matmul(2, 2, 2)
    monkeypatch.setenv("TMPDIR", "/proc")
    with pytest.raises(sw.UnsupportedError, match="no folder for temporary files") as caught:
        sw.build(s, [A, B, C], target="sw26010")
    assert "TMPDIR" in caught.value.fix and caught.value.where.file == __file__


@pytest.mark.parametrize("name", ["int", "main", "athread_get"])
def test_names_that_c_reserves(name):
    A, B, C, s = matmul(2, 2, 2)
    with pytest.raises(sw.UnsupportedError, match=f"a kernel named '{name}'"):
        sw.build(s, [A, B, C], target="sw26010", name=name)


def test_save(tmp_path):
    A, B, C, s = matmul(2, 3, 4)
    k = sw.build(s, [A, B, C], target="sw26010", name="small")
    paths = k.save(tmp_path / "small")
    assert {p.name: p.read_text() for p in paths} == k.source
    a, b = whole((2, 3)), whole((3, 4))
    again = sw.hand_kernel(tmp_path / "small", args=[A, B, C])
    np.testing.assert_array_equal(again.run(a, b), k.run(a, b))
    (tmp_path / "file").write_text("")
    with pytest.raises(sw.ArgumentMismatchError, match="cannot be written") as caught:
        k.save(tmp_path / "file" / "out")
    assert str(tmp_path / "file") in caught.value.why
