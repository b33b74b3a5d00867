"""A schedule as text: the script out of its log, saved and loaded; every primitive comes back."""

import pytest
import solway as sw
from solway._primitives import SCHEDULE_PRIMITIVES, STAGE_PRIMITIVES

k = sw.reduce_axis(16, name="k")
A = sw.placeholder((12, 16), name="A")
B = sw.placeholder((16, 20), name="B")
C = sw.compute((12, 20), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
P = sw.compute((12, 20), lambda i, j: A[i, 0] * j, name="P")
D = sw.compute((12, 20), lambda i, j: C[i, j] + A[i, 0] + P[i, j], name="D")
n = sw.size("n", max=64)
R = sw.compute((n,), lambda i: A[0, 0] * i, name="R")


def row():
    """What a row of D is."""
    X, Y = sw.placeholder((20,), name="X"), sw.placeholder((1,), name="Y")
    Z = sw.placeholder((20,), P.dtype, name="Z")
    W = sw.compute((20,), lambda j: X[j] + Y[0] + Z[j], name="W")
    return sw.intrinsic(W, {"c": "..."}, name="row")


def tiled():
    s = sw.create_schedule(D)
    io, ii = s[C].split("i", factor=4)
    ko, ki = s[C].split(k, factor=8)
    s[C].reorder(io, ko, ii, "j", ki)
    return s, io, ko, ii, ki


# One use of each primitive, on the schedule that it is given. Whoever adds one adds it here.
USES = {
    "split": lambda s: s[C].split("j", parts=3),
    "tile": lambda s: s[C].tile("i", "j", 3, 5),
    "fuse": lambda s: s[C].fuse("i", "j"),
    "reorder": lambda s: s[C].reorder(k, "i"),
    "skew": lambda s: s[C].skew("j", by="i", factor=2),
    "shift": lambda s: s[C].shift("j", -3),
    "reverse": lambda s: s[C].reverse("j"),
    "affine": lambda s: s[D].affine("{ [i, j] -> [1000i + j] }", names=["all"]),
    "fission": lambda s: s[C].fission("i"),
    "fuse_with": lambda s: s[C].fuse_with(D, "i"),
    "bind": lambda s: s[C].bind("i", "row"),
    "parallel": lambda s: s[C].parallel("i"),
    "athread_parallel": lambda s: s[C].athread_parallel("i"),
    "vectorize": lambda s: s[C].vectorize("j"),
    "unroll": lambda s: s[D].unroll("j"),
    "prefetch_lines": lambda s: s[C].prefetch_lines(B, at="i", distance=2),
    "prefetch_lines inside": lambda s: s[C].prefetch_lines(B, at="i", distance=2, inside=k),
    "compute_at": lambda s: s[C].compute_at(D, "i"),
    "compute_inline": lambda s: s[P].compute_inline(),
    "compute_root": lambda s: (s[C].compute_at(D, "i"), s[C].compute_root()),
    "tensorize": lambda s: s[D].tensorize("j", row()),
    "transform_layout": lambda s: s.transform_layout(A, lambda i, j: (j, i // 4, i % 4)),
    "rfactor": lambda s: s[s.rfactor(C, s[C].split(k, 4)[0])].reorder("i", "k.o"),
    "pad": lambda s: s[s.pad(C, [extent + 1 for extent in C.shape])].reorder("j", "i"),
    "assume": lambda s: s.assume(n % 4 == 0),
    "specialize": lambda s: s[P].specialize(s[P].axis[0] < 5),
    "buffer_read": lambda s: s.buffer_read(A, ["i", k], readers=[C], layout=[1, 0], scope="ldm"),
    "buffer_write": lambda s: s.buffer_write(C, at="i", depth=2),
    "double_buffer": lambda s: s.double_buffer(s.buffer_read(B, at="i")),
    "prefetch": lambda s: s.prefetch(s.buffer_read(B, at="i"), distance=2),
    "single_buffer": lambda s: s.single_buffer(s.buffer_read(B, at="i")),
    "single_buffer across": lambda s: s.single_buffer(s.buffer_read(B, at="j"), across="i"),
    "broadcast": lambda s: (s[C].parallel("i"), s.broadcast(s.buffer_read(B, at="i"), over="all")),
}


def round_trip(s, outputs, tmp_path):
    """The schedule that its script makes, and the one that its file gives."""
    names = {"sw": sw, "outputs": outputs, "intrinsics": s._intrinsics}
    exec(s.to_python(), names)
    path = tmp_path / "saved.schedule"
    s.save(path)
    return names["s"], sw.load_schedule(path, outputs, intrinsics=s._intrinsics)


def assert_round_trip(s, outputs, tmp_path):
    for again in round_trip(s, outputs, tmp_path):
        assert str(again) == str(s)
        assert again.tree == s.tree
        assert [step[:4] for step in again.log] == [step[:4] for step in s.log]
        assert again.to_python() == s.to_python()


def test_every_primitive_has_a_use_here():
    assert {use.split()[0] for use in USES} == STAGE_PRIMITIVES | SCHEDULE_PRIMITIVES


@pytest.mark.parametrize("primitive", USES)
def test_each_primitive_comes_back(primitive, tmp_path):
    outputs = [R] if primitive == "assume" else [D]
    s = sw.create_schedule(outputs)
    USES[primitive](s)
    assert s.log
    assert_round_trip(s, outputs, tmp_path)


def test_texts_that_name_sizes_come_back(tmp_path):
    m = sw.size("m", min=2, max=64)
    X = sw.placeholder((m,), name="X")
    Y = sw.compute((m,), lambda i: X[i] * 2, name="Y")
    s = sw.create_schedule(Y)
    outer, inner = s[Y].split("i", 4)
    s[Y].specialize(outer < m // 4)
    s.buffer_read(X, [inner + sw.minimum(m, 9)])
    s.assume(m > 3)
    assert 'm = s.sizes["m"]' in s.to_python()
    assert_round_trip(s, [Y], tmp_path)


def test_a_size_with_the_name_of_a_lambda_s_parameter(tmp_path):
    m = sw.size("m", min=8, max=8)
    X = sw.placeholder((8, 16), name="X")
    Y = sw.compute((8, 16), lambda i, j: X[i, j] * m, name="Y")
    s = sw.create_schedule(Y)
    s.transform_layout(X, lambda m_, q: (m_, q))
    s.transform_layout(Y, lambda m, q: (m + s.sizes["m"] - 8, q))
    assert_round_trip(s, [Y], tmp_path)


def test_a_whole_schedule_comes_back(tmp_path):
    s, io, ko, ii, ki = tiled()
    jo, ji = s[C].split("j", 5)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s.buffer_read(B, [ki, ji], at=ko)
    s.buffer_read(A, [ii, ki * 1 + 0], readers=[C], at=ko)
    s[C].parallel(io)
    io2, ii2 = s[D].split("i", 4)
    s[D].fuse(ii2, "j")
    s[D].parallel(io2)
    assert_round_trip(s, [D], tmp_path)


def test_what_the_planner_chose_comes_back(tmp_path):
    s = sw.create_schedule(C, target="sw26010")
    s.auto_buffer("sw26010", planner="greedy")
    assert "buffer_read" in s.to_python() and 'target="sw26010"' in s.to_python()
    assert_round_trip(s, [C], tmp_path)


def test_the_script_reads_like_one():
    s, *_ = tiled()
    assert (
        s.to_python()
        == """\
# solway schedule, version 1
s = sw.create_schedule(outputs)
C = s.tensors["C"]
i_o, i_i = s[C].split(C.axis[0], factor=4)
k_o, k_i = s[C].split(C.reduce_axis[0], factor=8)
s[C].reorder(i_o, k_o, i_i, C.axis[1], k_i)
"""
    )


def test_names_that_python_or_the_script_has_are_left_alone(tmp_path):
    s = sw.placeholder((4,), name="s")
    T = sw.compute((4,), lambda outputs: s[outputs] + 1, name="sw")
    schedule = sw.create_schedule(T)
    _o, i = schedule[T].split("outputs", 2)
    schedule.buffer_read(s, [i])
    assert 'sw_2 = s.tensors["sw"]' in schedule.to_python()
    assert_round_trip(schedule, [T], tmp_path)


def test_several_loops_of_one_name_get_variables_of_their_own(tmp_path):
    s = sw.create_schedule(D)
    for tensor in (C, D):
        o, _ = s[tensor].split("i", 4)
        s[tensor].parallel(o)
    assert "i_o_2, i_i_2 = s[D].split" in s.to_python()
    assert_round_trip(s, [D], tmp_path)


def test_a_target_may_take_the_place_of_the_one_in_the_file(tmp_path):
    s = sw.create_schedule(C, target="sw26010")
    s[C].parallel("i")
    s.save(tmp_path / "c.schedule")
    loaded = sw.load_schedule(tmp_path / "c.schedule", [C], target="c")
    assert 'target="c"' in loaded.to_python()


def test_the_log_of_a_loaded_schedule_names_the_file(tmp_path):
    s, *_ = tiled()
    path = tmp_path / "c.schedule"
    s.save(path)
    where = sw.load_schedule(path, D).log[0].where
    assert where == (str(path), 4, "i_o, i_i = s[C].split(C.axis[0], factor=4)")


GOOD = '# solway schedule, version 1\ns = sw.create_schedule(outputs)\nC = s.tensors["C"]\n'
DAMAGED = {
    "# another file\n": (1, "its first line is '# another file'"),
    "": (1, "its first line is ''"),
    "# solway schedule, version 1\n": (1, "no line makes the schedule"),
    "# solway schedule, version 1\nC = 3\n": (2, "the first line is not 's ="),
    GOOD + "s[C].split(\n": (4, "'(' was never closed"),
    GOOD + "a, b, c = s[C].split(C.axis[0], factor=4)\n": (4, "3 names for another number"),
    GOOD + "s[C].shuffle(C.axis[0])\n": (4, "'shuffle' is no primitive"),
    GOOD + "s[C]._id(C.axis[0])\n": (4, "'_id' is no primitive"),
    GOOD + "s.save('x')\n": (4, "'save' is no primitive"),
    GOOD + "s[C].unroll(x)\n": (4, "'x' is not defined above"),
    GOOD + "s[C].unroll(C.axis[7])\n": (4, "'C.axis' has 2 axes"),
    GOOD + "s[C].unroll(C.name)\n": (4, "'C.name' has no meaning in a schedule"),
    GOOD + "s[C].unroll(C.axis[0], 1, 2)\n": (4, "positional arguments"),
    GOOD + 'Z = s.tensors["Z"]\n': (4, "no tensor 'Z'; they have 'A', 'B', 'C', 'P', 'D'"),
    GOOD + 'n = s.sizes["n"]\n': (4, "no size 'n'; they have none"),
    GOOD + "s[C].specialize(sw.exp(C.axis[0]) < 2)\n": (4, "'sw' is not defined above"),
    GOOD + "import os\n": (4, "a line is a primitive or an assignment"),
    GOOD + "__import__('os').getcwd()\n": (4, "'__import__' is no primitive"),
    GOOD + "open('x', 'w')\n": (4, "'open' is no primitive"),
}


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_refused_at_its_line(text, tmp_path):
    path = tmp_path / "damaged.schedule"
    path.write_text(text)
    with pytest.raises(sw.ScheduleArgumentError) as caught:
        sw.load_schedule(path, [D])
    line, why = DAMAGED[text]
    assert caught.value.where[:2] == (str(path), line)
    assert why in caught.value.why


def test_a_file_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "later.schedule"
    path.write_text("# solway schedule, version 99\n")
    with pytest.raises(sw.UnsupportedError, match="version 99"):
        sw.load_schedule(path, [D])


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(sw.ScheduleArgumentError, match="cannot be read"):
        sw.load_schedule(tmp_path / "none.schedule", [D])
    with pytest.raises(sw.ScheduleArgumentError, match="cannot be written"):
        sw.create_schedule(D).save(tmp_path / "none" / "x.schedule")


def test_what_is_illegal_for_other_outputs_is_refused_at_the_line_of_the_file(tmp_path):
    s = sw.create_schedule(D)
    s[D].split("i", 4)
    path = tmp_path / "d.schedule"
    s.save(path)
    other = sw.compute((12,), lambda i: A[i, 0], name="C")
    last = sw.compute((12,), lambda i: other[i], name="D")
    assert str(sw.load_schedule(path, last)).startswith("For i in")
    s[D].vectorize("j")
    s.save(path)
    with pytest.raises(sw.ScheduleArgumentError) as caught:
        sw.load_schedule(path, last)
    assert caught.value.where.line == 5 and caught.value.where.file == str(path)


def test_schedules_of_tuples_and_constants_come_back(tmp_path):
    W = sw.constant([[n + m for m in range(16)] for n in range(12)], "float32", name="W")
    E, F = sw.compute((12, 16), lambda i, j: (A[i, j] * W[i, j], A[i, j] - W[i, j]), name="E")
    G = sw.compute((12,), lambda i: sw.argmax(E[i, k] + F[i, k], axis=k), name="G")
    s = sw.create_schedule([G])
    assert {"W", "E_0", "E_1", "G", "A"} <= set(s.tensors)
    outer, _ = s[G].split("i", factor=4)
    s[F].compute_at(G, outer)
    s.buffer_read(W, at=s[E].axis[0], readers=[E])
    for same in round_trip(s, [G], tmp_path):
        assert str(same) == str(s)
        assert [step.primitive for step in same.log] == [step.primitive for step in s.log]
    t = sw.create_schedule([E, F])
    t.buffer_write(F, ["j"])
    t[F].reorder("i", "j")
    for same in round_trip(t, [E, F], tmp_path):
        assert str(same) == str(t)


def test_the_copy_of_a_tensor_is_fetched_when_it_is_there():
    A = sw.placeholder((8, 8), name="A")
    B = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B)
    s.transform_layout(A, lambda i, j: (j, i))
    s.buffer_read(A, ["j"])
    s[s.tensors["A_layout"]].reorder("j", "i")
    text = s.to_python()
    names = {"sw": sw, "outputs": [B]}
    exec(text, names)
    assert str(names["s"]) == str(s)
    lines = text.splitlines()
    fetch = lines.index('A_layout = s.tensors["A_layout"]')
    assert lines.index("s.transform_layout(A, lambda i, j: (j, i))") < fetch
