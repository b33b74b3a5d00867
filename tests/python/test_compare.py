"""sw.compare: results before times, and what its tables, pages and pictures say."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
import solway as sw
from solway import _comparison_text
from solway.kernel import CallableKernel, LastRun

N = 48


def matmul(dtype="float32"):
    A = sw.placeholder((N, N), dtype=dtype, name="A")
    B = sw.placeholder((N, N), dtype=dtype, name="B")
    k = sw.reduce_axis(N, name="k")
    C = sw.compute((N, N), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return [A, B, C]


def build(args, target="host"):
    return sw.build(sw.create_schedule(args[-1]), args, target=target, name=f"product_{target}")


def inputs(dtype="float32"):
    rng = np.random.default_rng(0)
    return [rng.standard_normal((N, N)).astype(dtype) for _ in range(2)]


class Emulated(CallableKernel):
    """A kernel of an emulated machine that counts what its function does not do."""

    target = "sw26010"
    arguments = ()

    def __init__(self, function, cycles=None):
        self._function = function
        self._cycles = cycles
        self.calls = 0

    def __call__(self, *arrays):
        raise AssertionError("an emulated kernel is not timed")

    def run(self, *arrays):
        self.calls += 1
        self.last_run = LastRun(99.0, {"get": 18432, "put": 9216}, 60592, self._cycles)
        return self._function(*arrays)


@pytest.fixture
def small():
    return sw.compare({"host": build(matmul()), "numpy": np.matmul}, inputs=inputs(), repeats=12)


def test_times_and_work_of_this_machine(small):
    host, numpy = small.measurements["host"], small.measurements["numpy"]
    assert (host.target, numpy.target) == ("host", "python")
    assert small.operations == 2 * N**3
    assert small.argument_bytes == 3 * N * N * 4
    assert len(host.seconds) == len(numpy.seconds) == small.repeats == 12
    assert host.min == min(host.seconds) <= host.median
    assert host.spread >= 0
    assert host.gflops(small.operations) == pytest.approx(2 * N**3 / host.median / 1e9)
    assert host.error < 1
    assert small.ratio("host", "numpy") == pytest.approx(host.median / numpy.median)


def test_at_least_ten_repeats_by_default():
    slow = []
    found = sw.compare(
        {"host": build(matmul()), "numpy": lambda a, b: slow.append(0) or a @ b}, inputs=inputs()
    )
    assert found.repeats >= 10
    assert len(slow) >= found.repeats + 2


def test_candidates_take_turns():
    order = []
    sw.compare(
        {"a": lambda x: order.append("a") or x, "b": lambda x: order.append("b") or x},
        inputs=[np.arange(3)],
        repeats=10,
    )
    assert order[-20:] == ["a", "b"] * 10


def test_text_says_bound_load_and_numbers(small):
    text = str(small)
    assert "results agree: within 2 x 50 roundings of float32 of 'C' in float64" in text
    assert "relative to the same sums over absolute values" in text
    assert "one call: 221 kFLOP, arguments 27.6 kB" in text
    assert "load before:" in text
    for word in ("candidate", "median", "spread", "GFLOP/s", "ratio", "1.00"):
        assert word in text
    assert "cycles" not in text


def test_plain_table_without_rich(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    text = str(small)
    assert "┃" not in text
    lines = [line.split() for line in text.splitlines()]
    assert ["candidate", "target", "min"] == next(x for x in lines if x[0] == "candidate")[:3]
    assert any(x[:2] == ["numpy", "python"] for x in lines)


def test_wrong_result_names_candidate_element_and_values():
    def wrong(a, b):
        c = a @ b
        c[3, 5] += 1
        return c

    with pytest.raises(sw.ComparisonError) as raised:
        sw.compare({"host": build(matmul()), "mine": wrong}, inputs=inputs())
    error = raised.value
    assert (error.candidate, error.element) == ("mine", (3, 5))
    assert error.got == pytest.approx(error.expected + 1, abs=1e-4)
    assert "'mine' gives a wrong result" in str(error)
    assert "element [3, 5] is " in error.why
    assert "1 of 2304 elements" in error.why
    assert "nothing is timed" in error.fix
    assert "sw.compare" in error.where.text


def test_wrong_result_is_not_timed():
    calls = []
    with pytest.raises(sw.ComparisonError):
        sw.compare(
            {"right": lambda x: calls.append(0) or x, "wrong": lambda x: x + 1},
            inputs=[np.arange(4)],
        )
    assert len(calls) == 1


@pytest.mark.parametrize("size", [1e-7, 1e7])
def test_rounding_is_relative_to_the_terms(size):
    a, b = (x * np.float32(size) for x in inputs())
    found = sw.compare({"host": build(matmul()), "numpy": np.matmul}, inputs=[a, b], repeats=1)
    assert all(m.error < 1 for m in found.measurements.values())
    with pytest.raises(sw.ComparisonError, match="wrong result"):
        sw.compare(
            {"host": build(matmul()), "x": lambda a, b: a @ b * np.float32(1.001)}, inputs=[a, b]
        )


def test_integers_are_exact():
    args = matmul("int32")
    values = [np.arange(N * N, dtype=np.int32).reshape(N, N) % 7 for _ in range(2)]
    found = sw.compare({"c": build(args, "c"), "numpy": np.matmul}, inputs=values, repeats=1)
    assert "'C' without a schedule, exactly" in str(found)
    with pytest.raises(sw.ComparisonError) as raised:
        sw.compare({"c": build(args, "c"), "more": lambda a, b: a @ b + 1}, inputs=values)
    assert raised.value.got == raised.value.expected + 1


def test_nan_and_infinity_are_values():
    x = np.array([1, np.nan, np.inf, -np.inf], np.float32)
    sw.compare({"a": lambda x: x * 1, "b": lambda x: x + 0}, inputs=[x], repeats=1)
    with pytest.raises(sw.ComparisonError):
        sw.compare({"a": lambda x: x, "b": np.nan_to_num}, inputs=[x], repeats=1)


def test_other_functions_are_relative_to_the_largest_value():
    A = sw.placeholder((256,), name="A")
    B = sw.compute((256,), lambda i: sw.exp(A[i]) / 3, name="B")
    a = np.linspace(-2, 2, 256, dtype=np.float32)
    found = sw.compare({"host": build([A, B]), "np": lambda a: np.exp(a) / 3}, inputs=[a])
    assert "relative to the largest |B|" in str(found)
    assert found.operations == 2 * 256


def test_stages_and_guards_count_once():
    A = sw.placeholder((8,), name="A")
    P = sw.compute((10,), lambda i: sw.select(sw.all_of(i >= 1, i < 9), A[i - 1], 0.0), name="P")
    r = sw.reduce_axis(3, name="r")
    B = sw.compute((8,), lambda i: sw.sum(P[i + r], axis=r), name="B")
    found = sw.compare(
        {"host": build([A, B]), "np": lambda a: np.convolve(a, np.ones(3, "f"), "same")},
        inputs=[np.arange(8, dtype="float32")],
        repeats=1,
    )
    assert found.operations == 3 * 8
    assert "absolute values" in str(found)


def test_callables_alone_are_held_against_the_first_in_float64():
    a, b = inputs()
    found = sw.compare({"matmul": np.matmul, "dot": np.dot}, inputs=[a, b], repeats=10)
    assert "of 'matmul' in float64" in str(found)
    assert found.operations is None
    assert "GFLOP/s" not in str(found)


def test_emulated_kernels_run_once_and_have_no_seconds():
    emulated = Emulated(np.matmul)
    found = sw.compare({"host": build(matmul()), "athread": emulated}, inputs=inputs(), repeats=10)
    assert emulated.calls == 1
    assert found.measurements["athread"].seconds == ()
    text = str(found)
    assert "no clock in this mode" in text
    for word in ("get bytes", "18,432", "put bytes", "9,216", "LDM peak", "60,592"):
        assert word in text
    assert "99 s" not in text  # of this machine; the host's call takes microseconds
    with pytest.raises(sw.UnsupportedError, match="no clock in this mode"):
        found.ratio("host", "athread")


def test_emulated_kernels_with_a_clock_compare_in_cycles():
    found = sw.compare(
        {"a": Emulated(np.matmul, 3000), "b": Emulated(np.matmul, 1500)}, inputs=inputs()
    )
    assert found.ratio("a", "b") == 2
    assert "3,000" in str(found)
    assert "no clock" not in str(found)


def test_dict_is_json(small):
    found = json.loads(json.dumps(small.to_dict()))
    assert found["operations"] == 2 * N**3
    assert len(found["candidates"]["host"]["seconds"]) == 12
    assert found["candidates"]["numpy"]["bytes"] is None


def test_page_holds_tables_and_numbers(tmp_path):
    found = sw.compare({"a<b": Emulated(np.matmul), "n": np.matmul}, inputs=inputs(), repeats=2)
    path = found.to_html(tmp_path / "cmp.html")
    text = path.read_text()
    assert "a&lt;b" in text
    assert "a<b" not in text
    assert "LDM peak" in text
    assert "&quot;repeats&quot;: 2" in text


def test_page_that_cannot_be_written(small, tmp_path):
    with pytest.raises(sw.ArgumentMismatchError, match="cannot be written") as raised:
        small.to_html(tmp_path / "none" / "cmp.html")
    assert "No such file" in raised.value.why


def test_picture(tmp_path):
    pytest.importorskip("matplotlib")
    found = sw.compare({"e": Emulated(np.matmul), "n": np.matmul}, inputs=inputs(), repeats=2)
    assert found.plot(tmp_path / "cmp.png").read_bytes().startswith(b"\x89PNG")


def test_picture_without_matplotlib(small, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(sw.UnsupportedError) as raised:
        small.plot(tmp_path / "cmp.png")
    assert raised.value.fix == "pip install 'solway[plot]'"


@pytest.mark.parametrize(
    ("candidates", "options", "text"),
    [
        ({}, {}, "compare takes candidates"),
        ({"a": 3}, {}, "candidate 'a' is neither a kernel nor a callable"),
        ({"a": np.abs}, {"repeats": 0}, "compare takes at least one repeat"),
    ],
)
def test_arguments_that_do_not_fit(candidates, options, text):
    with pytest.raises(sw.ArgumentMismatchError, match=text) as raised:
        sw.compare(candidates, inputs=[np.ones(3)], **options)
    assert raised.value.where.file == __file__


def test_candidate_of_another_shape():
    with pytest.raises(sw.ComparisonError, match="another shape") as raised:
        sw.compare({"a": lambda x: x, "b": lambda x: x[:2]}, inputs=[np.ones(3)])
    assert raised.value.why == "expected (3,), got (2,)"


def test_candidate_that_changes_its_input():
    def clears(x):
        x[:] = 0
        return x

    with pytest.raises(sw.ArgumentMismatchError, match="'b' changes input 0"):
        sw.compare({"a": np.abs, "b": clears}, inputs=[np.ones(3)])


def test_errors_of_a_candidate_name_it():
    with pytest.raises(sw.ArgumentMismatchError) as raised:
        sw.compare({"mine": build(matmul())}, inputs=[np.ones((2, 2), "f")] * 2)
    assert raised.value.__notes__ == ["in candidate 'mine'"]


def test_unknown_candidate(small):
    with pytest.raises(sw.ArgumentMismatchError, match="no candidate 'x'") as raised:
        small.ratio("x", "host")
    assert "'host', 'numpy'" in raised.value.why


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 s"), (2e-9, "2 ns"), (1.5e-5, "15 µs"), (0.25, "250 ms"), (3, "3 s"), (4e6, "4 Ms")],
)
def test_quantities(value, text):
    assert _comparison_text.quantity(value, "s") == text
