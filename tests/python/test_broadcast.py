"""One read that the cores of a row, a column or the mesh share: values, order, bytes, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

MACHINES = ["sw26010", "sw26010pro"]
LANDINGS = ["at_wait", "at_issue", "random"]


class Product:
    """A product of matrices, a tile for each core of a grid, its operands staged."""

    def __init__(self, shape, tiles, grid=(8, 8), dtype="float32", depth=1):
        m, n, depth_of_sum = shape
        self.a = sw.placeholder((m, depth_of_sum), dtype=dtype, name="A")
        self.b = sw.placeholder((depth_of_sum, n), dtype=dtype, name="B")
        k = sw.reduce_axis(depth_of_sum, name="k")
        a, b = self.a, self.b
        self.c = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
        self.s = s = sw.create_schedule(self.c)
        self.io, ii = s[self.c].split("i", factor=tiles[0])
        self.jo, ji = s[self.c].split("j", factor=tiles[1])
        self.ko, ki = s[self.c].split(k, factor=tiles[2])
        s[self.c].reorder(self.io, self.jo, self.ko, ii, ki, ji)
        s[self.c].parallel(self.io, self.jo, grid=grid)
        self.aa = s.buffer_read(a, [ii, ki], depth=depth)
        self.bb = s.buffer_read(b, [ki, ji], depth=depth)
        s.buffer_write(self.c, [ii, ji])

    def share(self):
        self.s.broadcast(self.aa, over="row")
        self.s.broadcast(self.bb, over="column")
        return self

    def build(self, target="sw26010"):
        return sw.build(self.s, [self.a, self.b, self.c], target=target, name="product")


def integers(tensor, seed):
    return np.random.default_rng(seed).integers(-4, 5, tensor.shape).astype(tensor.dtype)


def check(kernel, *tensors, result, landings=LANDINGS):
    """The kernel's result, in hazard mode under every policy of completion."""
    inputs = [integers(t, k) for k, t in enumerate(tensors)]
    expected = result(*(x.astype("float64") for x in inputs))
    for seed, landing in enumerate(landings):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            got = kernel.run(*inputs)
        np.testing.assert_array_equal(got, expected)
    return kernel.last_run


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize("depth", [1, 2])
def test_rows_and_columns_read_once(target, depth):
    alone = Product((64, 128, 48), (8, 16, 12), depth=depth)
    kernel = alone.build(target)
    apart = check(kernel, alone.a, alone.b, result=np.matmul).bytes["get"]
    shared = Product((64, 128, 48), (8, 16, 12), depth=depth).share()
    together = check(shared.build(target), shared.a, shared.b, result=np.matmul).bytes["get"]
    parameters = apart - 8 * 4 * (64 * 48 + 48 * 128)
    assert together == 4 * (64 * 48 + 48 * 128) + parameters


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize(
    ("shape", "tiles", "grid"),
    [
        ((64, 64, 20), (8, 8, 12), (8, 8)),  # the last step is shorter on all cores
        ((56, 64, 12), (8, 8, 12), (8, 8)),  # a row of the mesh has nothing to do, for A alone
        ((64, 128, 9), (4, 8, 3), (8, 8)),  # several tiles for each core
        ((12, 20, 7), (3, 5, 7), (4, 4)),  # a corner of the mesh; rows that no message fits
        ((24, 24, 24), (3, 3, 1), (8, 8)),  # fewer rows than cores
        ((13, 64, 12), (2, 8, 4), (7, 8)),  # seven rows of cores, the last with one row of two
        ((27, 20, 8), (4, 4, 3), (7, 5)),  # cores that do not work in rows and in columns
        ((26, 24, 9), (2, 8, 3), (7, 3)),  # two tiles for each of seven; 26 are one tile short
    ],
)
def test_sizes_that_do_not_divide(target, shape, tiles, grid):
    p = Product(shape, tiles, grid)
    p.s.broadcast(p.aa, over="row")
    if shape[0] not in (26, 56):
        p.s.broadcast(p.bb, over="column")
    check(p.build(target), p.a, p.b, result=np.matmul)


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize("over", ["row", "column", "all"])
@pytest.mark.parametrize(
    ("shape", "tile"),
    [
        ((8, 16, 12), (4, 8)),  # each of four rows by two cores
        ((10, 12, 9), (4, 8)),  # the last tiles are smaller in both dimensions
        ((5, 16, 8), (2, 16)),
        ((6, 8, 40), (3, 8)),  # three rows for eight cores
        ((4, 3, 16), (4, 3)),  # three do not divide among two
    ],
)
def test_fewer_rows_than_cores(target, over, shape, tile):
    a = sw.placeholder((8, 8), name="A")
    w = sw.placeholder(shape, name="W")
    b = sw.compute((8, 8, *shape), lambda i, j, c, y, x: w[c, y, x] * a[i, j], name="B")
    s = sw.create_schedule(b)
    i, j, c, y, x = b.axis
    co, ci = s[b].split(c, factor=tile[0])
    yo, yi = s[b].split(y, factor=tile[1])
    s[b].reorder(i, j, co, yo, ci, yi, x)
    s[b].parallel(i, j, grid=(8, 8))
    s.buffer_write(b, at=yo)
    s.broadcast(s.buffer_read(w, at=yo, depth=2), over=over)
    kernel = sw.build(s, [a, w, b], target=target, name="scaled")
    check(kernel, a, w, result=lambda a, w: np.einsum("ij,cyx->ijcyx", a, w))


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("tiles", [(8, 3, 9), (8, 3, 10), (9, 16, 35)])
def test_parts_that_are_no_whole_messages(target, depth, tiles):
    """Of 36 and 40 bytes; the last one of 12; of 280 bytes, where nobody reads for three cores."""
    shape = (8 * tiles[0], 8 * tiles[1], 3 * tiles[2])
    p = Product(shape, tiles, depth=depth).share()
    kernel = p.build(target)
    if target == "sw26010":
        assert "exchange_row_words(" in "".join(kernel.source.values())
    run = check(kernel, p.a, p.b, result=np.matmul)
    loaded = 4 * 8 * 3 * tiles[2] * 8 * (tiles[0] + tiles[1]) // 8
    assert 0 <= run.bytes["get"] - loaded <= 64 * 32  # the parameters of each core


def test_idle_cores_take_what_their_line_passes_on():
    p = Product((14, 64, 12), (2, 8, 4), (7, 8)).share()
    source = p.build().source["product_cpe.c"]
    assert "exchange_column((char *)&BB[0][0], 128, 32, 7, 8);" in source
    assert source.count("exchange_row((char *)&") == 1  # nobody reads in the eighth row


@pytest.mark.parametrize("seed", range(8))
def test_random_products(seed):
    random = np.random.default_rng(seed)
    grid = [int(random.choice([1, 2, 3, 5, 8])) for _ in range(2)]
    rounds = random.integers(1, 3, 2)
    tiles = [int(t) for t in random.integers(1, 9, 3)]
    m, n = (int(grid[d] * rounds[d] * tiles[d]) for d in range(2))
    shape = (m, n, int(random.integers(1, 20)))
    dtype = str(random.choice(["float32", "float64", "int32"]))
    depth = int(random.integers(1, 4)) if shape[2] > tiles[2] else 1
    p = Product(shape, tiles, grid, dtype, depth).share()
    check(p.build(str(random.choice(MACHINES))), p.a, p.b, result=np.matmul)


def scaled_rows(n=64, width=24, dtype="float32"):
    a = sw.placeholder((n, width), dtype=dtype, name="A")
    w = sw.placeholder((width,), dtype=dtype, name="W")
    b = sw.compute((n, width), lambda i, j: a[i, j] * w[j], name="B")
    return a, w, b, sw.create_schedule(b)


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize(
    ("dtype", "width"), [("float32", 1000), ("float64", 25), ("int16", 24), ("float32", 1)]
)
def test_numbered_cores_share_with_all(target, dtype, width):
    n = 128 if width == 24 else 64
    a, w, b, s = scaled_rows(n, width, dtype)
    s[b].parallel("i")
    s.broadcast(s.buffer_read(w, at="i"))
    kernel = sw.build(s, [a, w, b], target=target, name="scaled")
    moved = check(kernel, a, w, result=lambda x, y: x * y).bytes
    assert moved["get"] < 64 * 64 + (n // 64) * 64 * width * np.dtype(dtype).itemsize or width == 1


@pytest.mark.parametrize("target", MACHINES)
def test_a_mesh_shares_with_all(target):
    a = sw.placeholder((16, 16), name="A")
    w = sw.placeholder((40,), name="W")
    k = sw.reduce_axis(40, name="k")
    b = sw.compute((16, 16), lambda i, j: sw.sum(a[i, j] * w[k], axis=k), name="B")
    s = sw.create_schedule(b)
    s[b].parallel("i", "j", grid=(8, 4))
    _, ki = s[b].split(k, factor=10)
    s.broadcast(s.buffer_read(w, [ki]))
    kernel = sw.build(s, [a, w, b], target=target, name="all")
    check(kernel, a, w, result=lambda x, y: x * y.sum())


def test_the_schedule_says_who_shares(tmp_path):
    p = Product((64, 64, 16), (8, 8, 8)).share()
    text = str(p.s)
    assert "AA[i.i, k.i] = A[i.o*8 + i.i, k.o*8 + k.i]  # shared by row" in text
    assert [str(step) for step in p.s.log][-1] == "s.broadcast(BB, over=column)"
    assert 's.broadcast(AA, over="row")' in p.s.to_python()
    p.s.save(tmp_path / "product.txt")
    again = sw.load_schedule(tmp_path / "product.txt", [p.c])
    assert str(again) == text
    assert [str(step) for step in again.log] == [str(step) for step in p.s.log]
    p.s.double_buffer(p.aa)
    assert "# 8 x 8, shared by row" in str(p.s)


def test_reports_count_each_byte_once():
    p = Product((64, 64, 16), (8, 8, 8)).share()
    report = p.s.ldm_report("sw26010").to_dict()["memories"][0]
    lifetimes = {buffer["name"]: buffer["lifetime"] for buffer in report["buffers"]}
    assert lifetimes["AA"].endswith("shared by row")
    assert "shared" not in lifetimes["CC"]
    for explained in (p.s.explain(), p.s.explain("sw26010")):
        figures = {figure.quantity: figure for figure in explained.decisions[-2].figures}
        assert figures["cores that read AA together"][1:3] == (1, 8)
        moved = figures["bytes of A from and to main memory"]
        assert moved[1:3] == (8 * 64 * 16 * 4, 64 * 16 * 4)
    assert "transfers of AA (get)" in figures
    _, w, b, s = scaled_rows()
    s[b].parallel("i")
    s.broadcast(s.buffer_read(w, at="i"))
    figure = s.explain().decisions[-1].figures[-1]
    assert figure[:3] == ("cores that read WW together", 1, None)
    assert figure.formula == "the number of cores is known when it runs"


def test_later_primitives_keep_the_proof():
    p = Product((64, 64, 16), (8, 8, 8)).share()
    before = str(p.s)
    with pytest.raises(sw.Error):
        p.s[p.c].reorder(p.ko, p.io, p.jo)
    assert str(p.s) == before
    p.s.prefetch(p.bb, distance=2)
    check(p.build(), p.a, p.b, result=np.matmul)


def test_a_legal_question():
    p = Product((64, 64, 16), (8, 8, 8))
    assert p.s.legal("broadcast", p.aa, over="row")
    refused = p.s.legal("broadcast", p.bb, over="row")
    assert not refused
    assert refused.error.tensor == "B"


def test_the_same_region_by_chance():
    """j // 32 is the same on half of the columns only."""
    a = sw.placeholder((8, 2), name="A")
    c = sw.compute((8, 64), lambda i, j: a[i, j // 32] * 2, name="C")
    s = sw.create_schedule(c)
    jo, _ = s[c].split("j", factor=8)
    s[c].parallel("i", jo, grid=(8, 8))
    aa = s.buffer_read(a, at=jo)
    with pytest.raises(sw.IllegalScheduleError, match="only some of them read"):
        s.broadcast(aa, over="row")


@pytest.mark.parametrize("target", ["host", "c", "example-cluster"])
def test_targets_without_a_way_between_cores(target):
    a, w, b, s = scaled_rows()
    s[b].parallel("i")
    s.broadcast(s.buffer_read(w, at="i"))
    with pytest.raises(sw.UnsupportedError, match="no way from core to core"):
        sw.build(s, [a, w, b], target=target)
