"""What s.explain says: figures that can be counted by hand, on both sides."""

import solway as sw

k = sw.reduce_axis(64, name="k")
A = sw.placeholder((32, 64), name="A")
B = sw.placeholder((64, 1024), name="B")
C = sw.compute((32, 1024), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")


def figures(s, number, target=None):
    """The figures of one primitive by their quantity."""
    return {f.quantity: f for f in s.explain(target).decisions[number].figures}


def test_a_read_buffer_is_explained_in_bytes_and_cycles():
    s = sw.create_schedule(C)
    jo, ji = s[C].split("j", factor=128)
    s[C].reorder(jo, "i", "k", ji)
    s[C].parallel(jo)
    s.buffer_read(B, ["k", ji])
    shown = figures(s, 3, "sw26010")
    moved = shown["bytes of B from and to main memory"]
    # The buffer holds 64 x 128 elements and is filled once for each of 8 outer iterations.
    assert (moved.before, moved.after) == (32 * 1024 * 64 * 4, 8 * 64 * 128 * 4)
    assert shown["bytes of B used per byte moved"].after == 32
    assert shown["near memory of BB"].after == 64 * 128 * 4
    cycles = shown["transfers of BB (get)"]
    share = 27.42e9 / 64  # blocks of 512 bytes; each core has its part of the bandwidth
    assert cycles.before is None
    assert cycles.after == round(200 + 32768 / share * 1450e6)
    assert "27.42 GB/s / 64 cores" in cycles.formula
    assert "not modelled" in str(cycles)


def test_a_buffer_without_reuse_shows_it():
    s = sw.create_schedule(C)
    _, ji = s[C].split("j", factor=128)
    s[C].reorder("i", "j.o", "k", ji)
    s.buffer_read(B, [ji])
    moved = figures(s, 2)["bytes of B from and to main memory"]
    assert moved.before == moved.after
    assert figures(s, 2)["bytes of B used per byte moved"].after == 1


def test_stages_in_tiles_of_others_run_as_often_as_before():
    """Each element is computed once; what depends on the tile alone is no box of iterations."""
    X = sw.placeholder((256, 256, 64), name="X")
    c = sw.reduce_axis(64, name="c")
    P = sw.compute((256, 256), lambda i, j: sw.sum(X[i, j, c], axis=c), name="P")
    Q = sw.compute((256, 256), lambda i, j: P[i, j] + 1, name="Q")
    s = sw.create_schedule(Q)
    _, jo, *_ = s[Q].tile("i", "j", 32, 16)
    s[P].compute_at(Q, jo)
    shown = figures(s, len(s.log) - 1)
    assert "bytes of P from and to main memory" in shown
    assert "iterations of P" not in shown and "bytes of X from and to main memory" not in shown


def test_a_count_that_is_a_bound_is_said_to_be_one():
    X = sw.placeholder((2000,), name="X")
    P = sw.compute((1000,), lambda i: X[i] + 1, name="P")
    Q = sw.compute((1000, 1000), lambda i, j: P[i] * P[j], name="Q", where=lambda i, j: j <= i)
    s = sw.create_schedule(Q)
    s[P].compute_at(Q, "j")
    assert str(figures(s, 0)["iterations of P"]).endswith("(at most: of the box around them)")


def test_a_target_without_an_engine_is_said_to_have_none():
    s = sw.create_schedule(C)
    s.buffer_read(B, ["k", "j"])
    (cycles,) = (f for q, f in figures(s, 0, "c").items() if q.startswith("transfers"))
    assert cycles.after is None and "gives no transfer engine" in cycles.formula


def test_cores_and_their_balance():
    s = sw.create_schedule(C)
    jo, _ = s[C].split("j", factor=10)  # 103 blocks
    s[C].reorder(jo, "i", "k", "j.i")
    s[C].parallel(jo)
    shown = figures(s, 2, "sw26010")
    assert shown["iterations of j.o on the busiest core"].after == 2
    assert shown["cores that work"].after == 52
    assert shown["balance"].after == round(103 / 128, 3)
    assert figures(s, 2)["iterations of j.o on the busiest core"].after is None


def test_lanes_and_strides():
    s = sw.create_schedule(C)
    s[C].reorder("i", k, "j")
    s[C].vectorize("j")
    strides = figures(s, 0)["innermost step of C"]
    assert strides.before == "k: C by 0, A by 1, B by 1024"
    assert strides.after == "j: C by 1, A by 0, B by 1"
    shown = figures(s, 1, "x86-64-v4")
    lanes = shown["lanes of C along j"]
    assert lanes.after == "C: unit stride, A: broadcast, B: unit stride"
    assert shown["steps of j"].after == 64
    s = sw.create_schedule(C)
    s[C].vectorize(k)
    assert "B: gather, 1024 apart" in figures(s, 0)["lanes of C along k"].after


def test_what_changes_nothing_says_so():
    s = sw.create_schedule(C)
    s[C].split("i", 4)
    assert figures(s, 0) == {}
    assert "the model sees no difference" in str(s.explain())
    assert str(sw.create_schedule(C).explain()) == "no primitives"


def test_plain_data_and_html():
    s = sw.create_schedule(C, target="sw26010")
    s[C].parallel("i")
    data = s.explain().to_dict()
    assert data["target"] == "sw26010"
    (decision,) = data["decisions"]
    assert decision["primitive"] == "s[C].parallel(i)"
    assert decision["where"]["text"] == 's[C].parallel("i")'
    assert decision["figures"][0]["formula"] == "ceil(32 / 64 cores)"
    html = s.explain()._repr_html_()
    assert "<table>" in html and "cores that work" in html


def test_a_grid_shares_out_rows_and_columns():
    X = sw.placeholder((10, 16), name="X")
    Y = sw.compute((10, 16), lambda i, j: X[i, j] * 2, name="Y")
    s = sw.create_schedule(Y, target="sw26010")
    s[Y].parallel("i", "j", grid=(8, 4))
    rows, _, _, columns, _, balance = s.explain().decisions[0].figures
    assert (rows.after, rows.formula) == (2, "ceil(10 / 8 rows)")
    assert (columns.after, columns.formula) == (4, "ceil(16 / 4 columns)")
    assert (balance.after, balance.formula) == (1.0, "16 / (4 x 4 columns)")
    s.buffer_read(X, at="j")
    (moved,) = (f for f in s.explain().decisions[1].figures if f.quantity.startswith("transfers"))
    assert "8 per core" in moved.formula  # 2 of 10 rows x 4 of 16 columns
    assert "ceil(10 / 1 cores)" in str(s.explain("c"))


def test_what_the_planner_chose_is_explained():
    s = sw.create_schedule(C, target="sw26010")
    s.auto_buffer("sw26010", planner="greedy")
    text = str(s.explain())
    assert "near memory of BB" in text and "cycles" in text


def test_slots_and_how_early_they_are_asked_for():
    X = sw.placeholder((32, 64), name="X")
    Y = sw.compute((32, 64), lambda i, j: X[i, j] + 1, name="Y")
    s = sw.create_schedule(Y)
    XX = s.buffer_read(X, ["j"])
    s.prefetch(XX, distance=2)
    assert [str(figure) for figure in s.explain().decisions[1].figures] == [
        "near memory of XX: 256 -> 768 B   (3 x 256 B: the box that one position holds)",
        "iterations between issue and use of XX: 0 -> 2",
    ]


def test_transfers_that_a_later_primitive_shares_out():
    X = sw.placeholder((64, 1024), name="X")
    Y = sw.compute((64, 1024), lambda i, j: X[i, j] + 1, name="Y")
    s = sw.create_schedule(Y, target="sw26010")
    s.buffer_read(X, at="i")
    s[Y].parallel("i")
    staged, shared = ({f.quantity: f for f in d.figures} for d in s.explain().decisions)
    alone, together = staged["transfers of XX (get)"], shared["transfers of XX (get)"]
    assert alone.before is None and together.before == alone.after
    assert together.after == round(alone.after / 64)


def test_sizes_count_as_the_largest():
    n = sw.size("n", max=4096)
    X = sw.placeholder((n,), name="X")
    Y = sw.compute((n,), lambda i: X[i] * 2, name="Y")
    s = sw.create_schedule(Y)
    outer, _ = s[Y].split("i", 16)
    s[Y].specialize(outer < 4)
    changed = figures(s, 1)
    assert (changed["iterations of Y"].before, changed["iterations of Y"].after) == (4096, 64)
    assert changed["iterations of Y_else"].after == 4032


def test_a_table_has_no_empty_column():
    s = sw.create_schedule(C)
    s[C].vectorize("j")
    html = s.explain().to_html()
    assert "formula" not in html and "unit</th>" not in html
