"""Buffers inside loops that were fused: as large as in the loops before, in every form of split."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS


def integers(shape, seed):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("float32")


def run(s, args, given):
    """The result of the emulated kernel, the same under every policy; of host and C too."""
    kernel = sw.build(s, args, target="sw26010")
    results = []
    for policy in HAZARDS:
        with sw.emulator(**policy):
            results.append(kernel.run(*given))
    for target in ("host", "c"):
        results.append(sw.build(s, args, target=target, poison_transfers=True).run(*given))
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
    return results[0]


def buffers(s):
    """What the report says of each buffer's shape and bytes."""
    (ldm,) = s.ldm_report("sw26010").to_dict()["memories"]
    return {b["name"]: (tuple(b["shape"]), b["bytes"]) for b in ldm["buffers"]}


class Product:
    """A tiled product with its buffers; `share` changes the loops over its tiles before them."""

    def __init__(self, m, n, depth, tiles, share):
        self.a = sw.placeholder((m, depth), name="A")
        self.b = sw.placeholder((depth, n), name="B")
        k = sw.reduce_axis(depth, name="k")
        a, b = self.a, self.b
        self.c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
        s = self.s = sw.create_schedule(self.c)
        stage = s[self.c]
        xo, xi = stage.split("x", tiles[0])
        yo, yi = stage.split("y", tiles[1])
        ko, ki = stage.split("k", tiles[2])
        stage.reorder(xo, yo, ko, xi, yi, ki)
        at = share(stage, xo, yo)
        s.buffer_read(a, at=ko)
        s.buffer_read(b, at=ko)
        s.buffer_write(self.c, at=at)

    def check(self):
        left, right = integers(self.a.shape, 1), integers(self.b.shape, 2)
        result = run(self.s, [self.a, self.b, self.c], [left, right])
        np.testing.assert_array_equal(result, left @ right)


def unfused(stage, xo, yo):
    stage.parallel(xo)
    return yo


def fused(stage, xo, yo):
    f = stage.fuse(xo, yo)
    stage.parallel(f)
    return f


def split_after(factor):
    def share(stage, xo, yo):
        outer, inner = stage.split(stage.fuse(xo, yo), factor)
        stage.parallel(outer)
        return inner

    return share


def split_twice(stage, xo, yo):
    outer, inner = stage.split(stage.fuse(xo, yo), 6)
    _, inner = stage.split(inner, 2)
    stage.parallel(outer)
    return inner


def fused_again(stage, xo, yo):
    outer, inner = stage.split(stage.fuse(xo, yo), 5)
    f = stage.fuse(outer, inner)
    stage.parallel(f)
    return f


def shifted(stage, xo, yo):
    f = stage.fuse(xo, yo)
    stage.shift(f, 3)
    stage.parallel(f)
    return f


SHARES = {
    "fused": fused,
    "split by a row": split_after(4),
    "split by half a row": split_after(2),
    "split by two rows": split_after(8),
    "split by what divides nothing": split_after(3),
    "split twice": split_twice,
    "fused again": fused_again,
    "shifted": shifted,
}


@pytest.mark.parametrize("share", SHARES.values(), ids=list(SHARES))
@pytest.mark.parametrize("shape", [(12, 16, 8), (11, 15, 7)], ids=["whole", "tails"])
def test_a_product(shape, share):
    tiles = (3, 4, 4)
    product = Product(*shape, tiles, share)
    assert buffers(product.s) == buffers(Product(*shape, tiles, unfused).s)
    product.check()


def test_the_product_of_256():
    """The buffers of a tile, and indices without a choice between cases."""
    product = Product(256, 256, 256, (32, 32, 32), fused)
    assert set(buffers(product.s).values()) == {((32, 32), 4096)}
    text = str(product.s)
    assert "select" not in text, text
    product.check()


def test_slots_in_a_fused_loop():
    """The next tile is loaded while this one is computed, over the ends of rows."""

    def share(stage, xo, yo):
        return stage.fuse(xo, yo)

    product = Product(11, 15, 7, (3, 4, 7), share)
    for buffer in ("AA", "BB", "CC"):
        product.s.double_buffer(buffer)
    product.check()


def test_three_loops():
    a = sw.placeholder((3, 6, 10), name="A")
    t = sw.compute((10, 3, 6), lambda i, j, k: a[j, k, i] * 2, name="T")

    def schedule(share):
        s = sw.create_schedule(t)
        stage = s[t]
        io, ii = stage.split("i", 4)
        ko, ki = stage.split("k", 4)
        stage.reorder(io, "j", ko, ii, ki)
        at = share(stage, io, stage.axis[1], ko)
        s.buffer_read(a, at=at)
        s.buffer_write(t, at=at)
        return s

    def at_once(stage, *loops):
        f = stage.fuse(*loops)
        stage.parallel(f)
        return f

    def in_steps(stage, io, j, ko):
        f = stage.fuse(io, stage.fuse(j, ko))
        stage.parallel(f)
        return f

    given = integers(a.shape, 1)
    plain = schedule(lambda stage, io, j, ko: ko)
    for share in (at_once, in_steps):
        s = schedule(share)
        assert buffers(s) == buffers(plain)
        np.testing.assert_array_equal(run(s, [a, t], [given]), given.transpose(2, 0, 1) * 2)


@pytest.mark.parametrize("stride", [1, 2])
def test_a_convolution_with_halo_stride_and_padding(stride):
    size, kernel, pad = 11, 3, 1
    out = (size + 2 * pad - kernel) // stride + 1
    x = sw.placeholder((2, size, size), name="X")
    w = sw.placeholder((4, 2, kernel, kernel), name="W")
    c, ry, rx = (sw.reduce_axis(e, name=n) for e, n in ((2, "c"), (kernel, "ry"), (kernel, "rx")))

    def body(f, i, j):
        row, column = i * stride + ry - pad, j * stride + rx - pad
        inside = sw.all_of(row >= 0, row < size, column >= 0, column < size)
        value = sw.select(inside, x[c, row, column], 0)
        return sw.sum(value * w[f, c, ry, rx], axis=[c, ry, rx])

    y = sw.compute((4, out, out), body, name="Y")

    def schedule(is_fused):
        s = sw.create_schedule(y)
        stage = s[y]
        fo, fi = stage.split("f", 2)
        io, ii = stage.split("i", 4)
        jo, ji = stage.split("j", 4)
        stage.reorder(fo, io, jo, fi, ii, ji)
        at = jo
        if is_fused:
            at = stage.fuse(fo, io, jo)
            stage.parallel(at)
        for tensor in (x, w):
            s.buffer_read(tensor, at=at)
        s.buffer_write(y, at=at)
        return s

    s = schedule(True)
    assert buffers(s) == buffers(schedule(False))
    left, right = integers(x.shape, 1), integers(w.shape, 2)
    padded = np.pad(left, ((0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))
    windows = windows[:, ::stride, ::stride]
    expected = np.einsum("cijrs,fcrs->fij", windows, right)
    np.testing.assert_array_equal(run(s, [x, w, y], [left, right]), expected)


def test_a_stage_computed_in_a_fused_loop():
    """Its tile, and the buffers of what it reads, are those of the loops before."""
    a = sw.placeholder((10, 14), name="A")
    p = sw.compute((10, 14), lambda i, j: a[i, j] * 3 + 1, name="P")
    q = sw.compute((9, 13), lambda x, y: p[x, y] + p[x + 1, y + 1], name="Q")

    def schedule(is_fused):
        s = sw.create_schedule(q)
        xo, yo, _, _ = s[q].tile("x", "y", 3, 4)
        at = s[q].fuse(xo, yo) if is_fused else yo
        s[q].parallel(at if is_fused else xo)
        s[p].compute_at(q, at)
        s.buffer_read(a, at=at)
        s.buffer_write(q, at=at)
        return s

    s = schedule(True)
    assert buffers(s) == buffers(schedule(False))
    given = integers(a.shape, 1)
    first = given * 3 + 1
    np.testing.assert_array_equal(run(s, [a, q], [given]), first[:-1, :-1] + first[1:, 1:])
