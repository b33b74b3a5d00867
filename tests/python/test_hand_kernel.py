"""Hand-written kernels: called as built ones are."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import solway as sw

KERNELS = Path(__file__).parents[1] / "emulator" / "kernels"
N = 32768


def inputs():
    x = np.arange(N, dtype="float32") % 7
    return np.float32(3), x, np.ones(N, "float32")


def changed(tmp_path, old, new, file="kernel.toml"):
    """The folder of saxpy with one text replaced."""
    folder = tmp_path / "saxpy"
    shutil.copytree(KERNELS / "saxpy", folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    return folder


def test_a_call_writes_in_place():
    k = sw.hand_kernel(KERNELS / "saxpy", target="sw26010")
    assert (k.name, k.target, k.last_run) == ("saxpy", "sw26010", None)
    assert {"kernel.toml", "mpe.c", "cpe.c"} <= set(k.source)
    assert [(a.name, a.shape, a.role) for a in k.arguments] == [
        ("alpha", (), "in"),
        ("x", (N,), "in"),
        ("y", (N,), "inout"),
    ]
    alpha, x, y = inputs()
    assert k(alpha, x, y) is None
    np.testing.assert_array_equal(y, 3 * x + 1)
    assert k.last_run.seconds > 0
    assert set(k.last_run.bytes) == {"get", "put", "gld", "gst"}
    assert k.last_run.bytes["get"] >= 2 * x.nbytes and k.last_run.bytes["put"] == y.nbytes
    assert 0 < k.last_run.ldm_peak_bytes <= 65536
    assert k.last_run.cycles is None
    assert k.report() == ()


def test_run_keeps_what_it_is_given():
    k = sw.hand_kernel(str(KERNELS / "saxpy"))
    alpha, x, y = inputs()
    np.testing.assert_array_equal(k.run(alpha, x, y), 3 * x + 1)
    np.testing.assert_array_equal(y, np.ones(N))


def test_scalars_may_be_python_numbers():
    k = sw.hand_kernel(KERNELS / "saxpy")
    _, x, y = inputs()
    np.testing.assert_array_equal(k.run(3, x, y), 3 * x + 1)
    np.testing.assert_array_equal(k.run(0.5, x, y), np.float32(0.5) * x + 1)
    with pytest.raises(sw.ArgumentMismatchError, match="'alpha' is no number"):
        k.run("3", x, y)


def test_tensors_as_arguments():
    alpha = sw.placeholder((), name="alpha")
    x, y = sw.placeholder((N,), name="x"), sw.placeholder((N,), name="y")
    sw.hand_kernel(KERNELS / "saxpy", args=[alpha, x, y])
    long = sw.placeholder((N + 1,), name="x")
    wide = sw.placeholder((N,), "float64", name="y")
    for args, what, why in [
        ([alpha, x], "names 2 tensors", "3 arguments"),
        ([alpha, y, x], "'x' of hand kernel 'saxpy' has another name", "has y"),
        ([alpha, long, y], "has another shape", "(32769,), kernel.toml says (32768,)"),
        ([alpha, x, wide], "has another dtype", "float64, kernel.toml says float32"),
    ]:
        with pytest.raises(sw.ArgumentMismatchError) as caught:
            sw.hand_kernel(KERNELS / "saxpy", args=args)
        assert what in caught.value.what and why in caught.value.why
        assert caught.value.where.file == __file__


def test_arrays_that_do_not_fit():
    k = sw.hand_kernel(KERNELS / "saxpy")
    alpha, x, y = inputs()
    for arrays, what in [
        ((alpha, x[:-1], y), "'x' has another shape"),
        ((alpha, x, y.astype("f8")), "'y' has another dtype"),
        ((np.float64(3), x, y), "'alpha' has another dtype"),
        ((alpha, x, x), "output 'y' of saxpy overlaps 'x'"),
        ((alpha, x), "takes 3 arrays"),
    ]:
        with pytest.raises(sw.ArgumentMismatchError, match=what):
            k(*arrays)


def sized(tmp_path):
    """The folder of saxpy, for any number of elements."""
    folder = changed(tmp_path, "[[argument]]", "[sizes]\nN = 32768\n\n[[argument]]")
    toml, cpe = folder / "kernel.toml", folder / "cpe.c"
    toml.write_text(toml.read_text().replace("[32768]", '["N"]'))
    cpe.write_text(cpe.read_text().replace("#define BLOCK 512", "#define BLOCK (N / 64)"))
    return folder


def test_sizes_are_chosen_or_read_off_tensors(tmp_path):
    folder = sized(tmp_path)
    assert sw.hand_kernel(folder).sizes == {"N": 32768}
    alpha = sw.placeholder((), name="alpha")
    x, y = (sw.placeholder((8192,), name=name) for name in "xy")
    for kernel in (
        sw.hand_kernel(folder, sizes={"N": 8192}),
        sw.hand_kernel(folder, args=[alpha, x, y]),
    ):
        assert kernel.sizes == {"N": 8192}
        values = np.arange(8192, dtype="float32")
        result = kernel.run(2, values, np.ones(8192, "float32"))
        np.testing.assert_array_equal(result, 2 * values + 1)
        kernel.save(tmp_path / "saved")
        assert sw.hand_kernel(tmp_path / "saved").sizes == {"N": 8192}
    short = sw.placeholder((64,), name="y")
    with pytest.raises(sw.ArgumentMismatchError, match=r"'y' of .* has another shape") as caught:
        sw.hand_kernel(folder, args=[alpha, x, short])
    assert caught.value.why == "the tensor has (64,), kernel.toml says (8192,) with N = 8192"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('role = "inout"', 'role = "inout"\ncolour = "red"', "unknown key 'colour'"),
        ('entry = "saxpy"\n', "", "entry"),
        ("shape = [32768]", "shape = [-1]", "extent -1"),
        ('"mpe.c"', '"none.c"', "'none.c' does not exist"),
    ],
)
def test_folders_that_do_not_fit(tmp_path, old, new, what):
    folder = changed(tmp_path, old, new)
    with pytest.raises(sw.DslError, match=what) as caught:
        sw.hand_kernel(folder)
    assert caught.value.where.file == str(folder / "kernel.toml")
    assert caught.value.where.line > 0


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(sw.DslError, match="is not the folder of a kernel") as caught:
        sw.hand_kernel(tmp_path / "none")
    assert caught.value.where.file == __file__


def test_targets_that_are_not_emulated():
    with pytest.raises(sw.UnsupportedError, match="cannot run on target 'c'"):
        sw.hand_kernel(KERNELS / "saxpy", target="c")


def test_c_that_does_not_compile():
    k = sw.hand_kernel(KERNELS / "not_c")
    with pytest.raises(sw.DslError, match="does not compile") as caught:
        k(*[np.zeros(a.shape, a.dtype) for a in k.arguments])
    assert Path(caught.value.where.file).suffix == ".c" and caught.value.where.line > 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("endless_wait", "deadlock"),
        ("static_too_large", "ldm_overflow"),
        ("transfer_past_array", "out_of_bounds_main"),
        ("dropped_wait", None),
    ],
)
def test_what_the_machine_forbids(name, kind):
    k = sw.hand_kernel(KERNELS / name)
    arrays = [np.ones(a.shape, a.dtype) for a in k.arguments]
    with pytest.raises(sw.EmulatorError) as caught:
        k(*arrays)
    error = caught.value
    assert kind is None or error.kind == kind
    assert error.why and error.fix
    assert Path(error.where.file).parent == KERNELS / name
    assert all((array == 1).all() for array in arrays)
    assert k.last_run is None


def test_saving_writes_all_files(tmp_path):
    k = sw.hand_kernel(KERNELS / "saxpy")
    paths = k.save(tmp_path / "saxpy")
    assert {p.name for p in paths} == set(k.source)
    alpha, x, y = inputs()
    np.testing.assert_array_equal(sw.hand_kernel(tmp_path / "saxpy").run(alpha, x, y), 3 * x + 1)
