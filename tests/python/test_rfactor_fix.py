"""A reduction on several cores: refused as a race, and mended by partial results."""

import numpy as np
import pytest
import solway as sw


def rows():
    A = sw.placeholder((6, 32), "int32", name="A")
    k = sw.reduce_axis(32, name="k")
    C = sw.compute((6,), lambda i: sw.sum(A[i, k], axis=k), name="C")
    return A, k, C, sw.create_schedule(C)


@pytest.mark.parametrize("mark", ["parallel", "athread_parallel", "bind"])
@pytest.mark.parametrize("target", ["host", "c"])
def test_the_fix_is_rfactor_and_then_the_primitive(mark, target):
    A, k, C, s = rows()
    outer, _ = s[C].split(k, 8)
    arguments = [outer, "core"] if mark == "bind" else [outer]
    with pytest.raises(sw.IllegalScheduleError) as caught:
        getattr(s[C], mark)(*arguments)
    given = "'k.o', 'core'" if mark == "bind" else "'k.o'"
    assert caught.value.fix == f"P = s.rfactor(C, 'k.o'), then s[P].{mark}({given})"
    caught.value.apply_fix()
    assert [step.primitive for step in s.log][1] == "rfactor"
    assert "# parallel" in str(s)
    a = np.arange(6 * 32, dtype=np.int32).reshape(6, 32)
    assert np.array_equal(sw.build(s, [A, C], target=target).run(a), a.sum(axis=1))


def test_terms_that_keep_their_order_have_no_such_fix():
    A = sw.placeholder((8,), "int32", name="A")
    k = sw.reduce_axis(8, name="k")
    first = sw.reducer(lambda a, b: a, 0, commutative=False)
    C = sw.compute((2,), lambda i: first(A[k] + i, axis=k), name="C")
    s = sw.create_schedule(C)
    with pytest.raises(sw.IllegalScheduleError) as caught:
        s[C].parallel(k)
    assert "rfactor" not in (caught.value.fix or "")
