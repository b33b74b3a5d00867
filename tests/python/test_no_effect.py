"""A primitive without effect on a target says so in the report; one with effect says nothing."""

import pytest
import solway as sw

TARGETS = ("x86-64-v3", "c", "sw26010")


def program(dtype="float32"):
    A = sw.placeholder((32, 32), dtype, name="A")
    B = sw.compute((32, 32), lambda i, j: A[i, j] * A[i, j], name="B")
    return A, B, sw.create_schedule(B)


def double_buffer(s, A, B):
    s.double_buffer(s.buffer_read(A, [s[B].split("i", 4)[1], "j"]))


def prefetch(s, A, B):
    s.prefetch(s.buffer_read(A, [s[B].split("i", 4)[1], "j"]))


def single_buffer(s, A, B):
    s.single_buffer(s.buffer_read(A, [s[B].split("i", 4)[1], "j"]))


def vectorized_lines(s, A, B):
    s[B].vectorize("j")
    s[B].prefetch_lines(A, at="j", distance=4)


def write_twice(s, A, B):
    s.buffer_write(B, [s[B].split("i", 4)[1], "j"], depth=2)


# Per primitive, what each target says: a part of the verdict, or None where it has its effect.
CASES = {
    "parallel": (
        lambda s, A, B: s[B].parallel("i"),
        (None, "runs as a plain loop", None),
    ),
    "parallel of one iteration": (
        lambda s, A, B: s[B].parallel(s[B].split("i", 32)[0]),
        ("runs on one thread", "runs as a plain loop", "runs on one core"),
    ),
    "parallel on a grid": (
        lambda s, A, B: s[B].parallel("i", "j", grid=(8, 8)),
        ("is an ordinary parallel loop", "runs on one core", None),
    ),
    "bind to a row": (
        lambda s, A, B: s[B].bind("i", "row"),
        ("is an ordinary parallel loop", "runs on one core", None),
    ),
    "bind to cores": (
        lambda s, A, B: s[B].bind("i", "core"),
        (None, "runs as a plain loop", None),
    ),
    "vectorize": (
        lambda s, A, B: s[B].vectorize("j"),
        (None, "runs as a plain loop", None),
    ),
    "unroll": (lambda s, A, B: s[B].unroll("j"), (None, "runs as a plain loop", None)),
    "a mask": (
        lambda s, A, B: s[B].vectorize(s[B].split("j", 5, tail="mask")[1]),
        (None, "guards the rest", "guards the rest"),
    ),
    "a mask without vectors": (
        lambda s, A, B: s[B].split("j", 5, tail="mask"),
        ("guards the rest", "guards the rest", "guards the rest"),
    ),
    "double_buffer": (
        double_buffer,
        ("is copied when it is asked for", "is copied when it is asked for", None),
    ),
    "prefetch": (
        prefetch,
        ("is copied when it is asked for", "is copied when it is asked for", None),
    ),
    "single_buffer": (
        single_buffer,
        ("is copied when it is asked for", "is copied when it is asked for", None),
    ),
    "a write of depth 2": (
        write_twice,
        ("is copied when it is asked for", "is copied when it is asked for", None),
    ),
    "registers": (
        lambda s, A, B: s.buffer_read(A, at="i", scope="register"),
        ("stays in memory", "stays in memory", "refused"),
    ),
    "lines of a vectorized loop": (
        vectorized_lines,
        ("has no effect", "has no effect", "has no effect"),
    ),
    "lines": (
        lambda s, A, B: s[B].prefetch_lines(A, at="i", distance=4),
        (None, "has no effect", "has no effect"),
    ),
    "lines inside": (
        lambda s, A, B: s[B].prefetch_lines(A, at="i", distance=4, inside="j"),
        (None, "has no effect", "has no effect"),
    ),
    "order": (lambda s, A, B: s[B].reorder("j", "i"), (None, None, None)),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES)
def test_what_has_no_effect_is_reported(case, target):
    apply, verdicts = CASES[case]
    wanted = verdicts[TARGETS.index(target)]
    A, B, s = program()
    apply(s, A, B)
    if wanted == "refused":
        with pytest.raises(sw.UnsupportedError):
            sw.build(s, [A, B], target=target)
        return
    remarks = sw.build(s, [A, B], target=target).report()
    if wanted is None:
        assert remarks == ()
    else:
        assert any(wanted in remark.verdict for remark in remarks)
        assert all(remark.why for remark in remarks)


def test_vectors_of_a_type_that_has_none_are_reported():
    A, B, s = program("int16")
    s[B].vectorize("j")
    remarks = sw.build(s, [A, B], target="sw26010").report()
    assert any("no vectors of its element types" in remark.why for remark in remarks)
