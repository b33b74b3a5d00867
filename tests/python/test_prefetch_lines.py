"""Requests to the caches change no value, and stand in the code beside what they are for."""

import itertools
import re

import numpy as np
import pytest
import solway as sw


def product(m=12, n=64, depth=96):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def tiled(C, scope="register"):
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", 4)
    jo, ji = s[C].split("j", 16)
    s[C].reorder(jo, io, "k", ii, ji)
    s[C].unroll(ii)
    s[C].vectorize(ji)
    s.buffer_write(C, at=io, scope=scope)
    return s


def values(args):
    rng = np.random.default_rng(0)
    return [rng.integers(-4, 5, size=tensor.shape).astype("float32") for tensor in args]


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "c", "sw26010"])
@pytest.mark.parametrize("distance", [1, 16, 10**6])
def test_values_stay(target, distance):
    A, B, C = product()
    s = tiled(C, "ldm" if target == "sw26010" else "register")
    s[C].prefetch_lines(B, at="k", distance=distance)
    s[C].prefetch_lines(A, at="i.o", distance=1)
    kernel = sw.build(s, [A, B, C], target=target)
    a, b = values([A, B])
    out = np.empty(C.shape, "float32")
    kernel(a, b, out)
    np.testing.assert_array_equal(out, a @ b)


@pytest.mark.parametrize(
    ("target", "request_in_code"),
    [
        ("x86-64-v3", "prefetcht0"),
        ("aarch64-neon", "prfm"),
        ("aarch64-sve", "prfm"),
    ],
)
def test_the_machine_is_asked(target, request_in_code):
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    code = sw.build(s, [A, B, C], target=target).source["kernel.s"]
    assert request_in_code in code
    assert request_in_code not in sw.build(tiled(C), [A, B, C], target=target).source["kernel.s"]


def why_nothing(s, args, target="host"):
    """What a build remarks of requests that have no effect."""
    remarks = sw.build(s, args, target=target).report()
    return [remark.why for remark in remarks if remark.step.startswith("prefetch_lines(")]


@pytest.mark.parametrize("target", ["riscv64-v", "ve"])
def test_a_machine_without_such_an_instruction_does_nothing(target):
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    (why,) = why_nothing(s, [A, B, C], target)
    assert why == f"'{target}' has no instruction that asks a cache for a line"


def test_a_loop_that_stands_at_several_places():
    """The loop over columns is there for the zeros and for the sums, of which only one reads B."""
    A, B, C = product()
    s = sw.create_schedule(C)
    s[C].reorder("i", "k", "j")
    s[C].prefetch_lines(B, at="j", distance=16)
    kernel = sw.build(s, [A, B, C], target="x86-64-v3")
    assert kernel.report() == ()
    assert len(re.findall(r"prefetch B", kernel.ir)) == 1


def test_what_registers_hold_is_not_asked_for():
    A, B, C = product()
    s = tiled(C)
    held = s.buffer_read(A, at="k", scope="register")
    s[C].prefetch_lines(held, at="k", distance=1)
    assert why_nothing(s, [A, B, C]) == [f"'{held.name}' is held in registers"]


def test_a_loop_of_one_iteration_has_nothing_to_ask_for():
    A, B, C = product(m=1)
    s = sw.create_schedule(C)
    s[C].prefetch_lines(A, at="i", distance=1)
    assert why_nothing(s, [A, B, C]) == ["no such loop is left in the code"]


def test_one_request_for_each_line():
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    text = sw.build(s, [A, B, C], target="x86-64-v3").ir
    found = re.findall(r"prefetch (.*)", text)
    assert found == ["B[(k + 8), (j_o * 16)]"]  # of two vectors of 8


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "c", "sw26010"])
@pytest.mark.parametrize(("tensor", "inside"), [("A", "k"), ("A", "i.o"), ("B", "k")])
def test_values_stay_where_requests_are_spread(target, tensor, inside):
    A, B, C = product()
    s = tiled(C, "ldm" if target == "sw26010" else "register")
    at = "j.o" if inside == "i.o" else "i.o" if tensor == "A" else "j.o"
    s[C].prefetch_lines({"A": A, "B": B}[tensor], at=at, distance=1, inside=inside)
    kernel = sw.build(s, [A, B, C], target=target)
    a, b = values([A, B])
    out = np.empty(C.shape, "float32")
    kernel(a, b, out)
    np.testing.assert_array_equal(out, a @ b)


def places_asked_for(kernel, loops):
    """Places of all requests, of the whole buffer, while `loops` run in this order."""
    found = re.findall(r"prefetch \w+\[(?:0, )*(.*)\]\n", kernel.ir)
    values = itertools.product(*(range(extent) for extent in loops.values()))
    at = [dict(zip(loops, each, strict=True)) for each in values]
    return [{eval(text, {"min": min}, each) for text in found} for each in at]


def test_shares_are_all_that_the_next_iteration_reads():
    A, B, C = product(m=12, n=64, depth=96)
    s = tiled(C)
    s[C].prefetch_lines(A, at="i.o", distance=1, inside="k")
    loops = {"j_o": 4, "i_o": 3, "k": 96}
    asked = places_asked_for(sw.build(s, [A, B, C], target="x86-64-v3"), loops)
    lines = [{place // 16 for place in each} for each in asked]
    for tile in range(12):
        found = set().union(*lines[tile * 96 : (tile + 1) * 96])
        after = (tile + 1) % 3  # past the last rows the first ones are next
        assert found == set(range(after * 24, after * 24 + 24))  # 4 rows of 6 lines
    assert all(len(each) == 1 for each in lines)


def test_lines_of_a_copy_come_while_the_one_before_is_used():
    X = sw.placeholder((4, 6, 8, 16), name="X")
    W = sw.placeholder((4, 4, 16, 16), name="W")
    c, k = sw.reduce_axis(4, name="c"), sw.reduce_axis(16, name="k")
    C = sw.compute(
        (4, 3, 4, 16),
        lambda f, y, x, v: sw.sum(X[c, y * 2, x * 2, k] * W[f, c, k, v], axis=(c, k)),
        name="C",
    )
    s = sw.create_schedule(C)
    xo, xi = s[C].split("x", 2)
    s[C].reorder("y", xo, "f", c, k, xi, "v")
    s[C].unroll(xi)
    s[C].vectorize("v")
    s.buffer_read(X, [xi, c, k], at=xo)
    s.buffer_write(C, at="f", scope="register")
    s[C].prefetch_lines(X, at=xo, distance=1, inside="f")
    kernel = sw.build(s, [X, W, C], target="x86-64-v3")
    asked = places_asked_for(kernel, {"y": 3, "x_o": 2, "f": 4})
    for tile in range(5):
        y, xo = divmod(tile + 1, 2)
        right = {((c * 6 + 2 * y) * 8 + 2 * (2 * xo + x)) for c in range(4) for x in range(2)}
        found = [{place // 16 for place in each} for each in asked[tile * 4 : tile * 4 + 4]]
        assert set().union(*found) == right
        assert [len(each) for each in found] == [2] * 4


def test_requests_that_cannot_be_spread_are_said():
    n = sw.size("n", max=64)
    A = sw.placeholder((8, n), name="A")
    B = sw.compute((8, n), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B)
    s[B].prefetch_lines(A, at="i", distance=1, inside="j")
    remarks = sw.build(s, [A, B], target="host").report()
    assert any("constant extent" in remark.why for remark in remarks)


def test_a_schedule_with_requests_is_written_and_read(tmp_path):
    _, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    assert "prefetch_lines(B, C.reduce_axis[0], distance=8)" in s.to_python()
    s.save(tmp_path / "s.schedule")
    again = sw.load_schedule(tmp_path / "s.schedule", C)
    assert again.to_python() == s.to_python()


def test_what_a_split_takes_away_is_said():
    A, B, C = product()
    s = tiled(C)
    s[C].prefetch_lines(B, at="k", distance=8)
    s[C].split("k", 8)
    remarks = sw.build(s, [A, B, C], target="host").report()
    assert any(
        remark.step == "prefetch_lines(B, k)" and remark.why == "the loop is not there any more"
        for remark in remarks
    )


def test_auto_schedule_asks_for_weights():
    A = sw.placeholder((96, 512), name="A")
    B = sw.placeholder((32, 512, 16), name="B")
    k = sw.reduce_axis(512, name="k")
    C = sw.compute(
        (96, 512), lambda i, j: sw.sum(A[i, k] * B[j // 16, k, j % 16], axis=k), name="C"
    )
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v3", search=False)
    assert "prefetch_lines(B" in s.to_python()
    assert "lines of B: asked for" in str(s.explain("x86-64-v3"))


def test_copies_of_a_nest_that_lack_its_loop_stay_as_they_are():
    X, W = sw.placeholder((4, 24, 16), name="X"), sw.placeholder((8, 4, 16, 16), name="W")
    co, ci = sw.reduce_axis(4, name="co"), sw.reduce_axis(16, name="ci")
    C = sw.compute(
        (8, 24, 16),
        lambda f, p, v: sw.sum(X[co, p, ci] * W[f, co, ci, v], axis=(co, ci)),
        name="C",
    )
    s = sw.create_schedule(C)
    fo, fi = s[C].split("f", 3)  # the last tile has two
    po, pi = s[C].split("p", 8)
    s[C].reorder(po, fo, "co", "ci", pi, fi, "v")
    s[C].unroll(pi)
    s[C].unroll(fi)
    s[C].vectorize("v")
    s.buffer_write(C, at=fo, scope="register")
    s[C].prefetch_lines(X, at=po, distance=1, inside="co")
    kernel = sw.build(s, [X, W, C], target="host")
    x, w = values([X, W])
    out = np.empty(C.shape, "float32")
    kernel(x, w, out)
    np.testing.assert_array_equal(out, np.einsum("cpi,fciv->fpv", x, w))
