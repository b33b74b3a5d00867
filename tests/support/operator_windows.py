"""The families of the matrix of operators with windows of images, and with moved elements."""

from __future__ import annotations

import numpy as np
import solway as sw
from support.operator_values import FLOATS, INTEGERS, corners, smallest, smalls, stored
from support.operators import COUNTS, Family, Operator

CHANNELS, OUTPUTS, TAPS = 3, 5, 3


def _padded(X, e, b, c, y, x):
    """An element of an image with a frame of zeros."""
    h, w = e["h"], e["w"]
    inside = sw.all_of(0 <= y - 1, y - 1 < h, 0 <= x - 1, x - 1 < w)
    return sw.select(inside, X[b, c, y - 1, x - 1], _zero(X))


def _zero(tensor):
    """Of the elements' type."""
    return False if tensor._node.dtype == "bool" else 0


def _taps(name):
    return (sw.reduce_axis(TAPS, name=f"{x}_{name}") for x in ("ry", "rx"))


def _convolution(stride, dilation):
    """Padded by one on each side."""

    def extent(size):
        return (size + 2 - (TAPS - 1) * dilation - 1) // stride + 1

    def make(T, e, name):
        ry, rx = _taps(name)
        rc = sw.reduce_axis(CHANNELS, name=f"rc_{name}")
        return sw.compute(
            (e["b"], OUTPUTS, extent(e["h"]), extent(e["w"])),
            lambda b, o, y, x: sw.sum(
                _padded(T["X"], e, b, rc, y * stride + ry * dilation, x * stride + rx * dilation)
                * T["W"][o, rc, ry, rx],
                axis=(rc, ry, rx),
            ),
            name=name,
        )

    def expect(V, e):
        windows = _windows(V["X"], stride, dilation)
        return _sums(windows[:, None] * _wide(V["W"])[None, :, :, None, None], (2, 5, 6))

    return Operator(make, expect, dtype=COUNTS, zeros=False)


def _wide(a):
    return a.astype("float64") if a.dtype.kind == "f" else a


def _windows(x, stride=1, dilation=1, fill=0):
    """(b, c, y, x, ry, rx) of a padded image."""
    wide = np.pad(_wide(x), ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=fill)
    reach = (TAPS - 1) * dilation + 1
    shape = (*(s - reach + 1 for s in wide.shape[2:]), reach, reach)
    steps = (*wide.strides, *wide.strides[2:])
    view = np.lib.stride_tricks.as_strided(wide, (*wide.shape[:2], *shape), steps)
    return view[:, :, ::stride, ::stride, ::dilation, ::dilation]


def _sum_type(x):
    """Of sums: bool counts, integers wrap in their own type, floats do not round on the way."""
    return {"b": "int64", "f": "float64"}.get(x.dtype.kind, x.dtype)


def _sums(terms, axes):
    """Of windows."""
    return terms.sum(axes, dtype=_sum_type(terms))


def depthwise(T, e, name):
    """One filter for each channel."""
    ry, rx = _taps(name)
    return sw.compute(
        (e["b"], CHANNELS, e["h"], e["w"]),
        lambda b, c, y, x: sw.sum(
            _padded(T["X"], e, b, c, y + ry, x + rx) * T["D"][c, ry, rx], axis=(ry, rx)
        ),
        name=name,
    )


def _depthwise(V, e):
    return _sums(_windows(V["X"]) * _wide(V["D"])[None, :, None, None], (4, 5))


def max_pooling(T, e, name):
    """Of windows of two, without a frame; a row or column that is left over has none."""
    ry, rx = (sw.reduce_axis(2, name=f"{x}_{name}") for x in ("ry", "rx"))
    return sw.compute(
        (e["b"], CHANNELS, e["h"] // 2, e["w"] // 2),
        lambda b, c, y, x: sw.max(T["X"][b, c, 2 * y + ry, 2 * x + rx], axis=(ry, rx)),
        name=name,
    )


def _blocks(x):
    b, c, h, w = x.shape
    cut = x[:, :, : h // 2 * 2, : w // 2 * 2]
    return cut.reshape(b, c, h // 2, 2, w // 2, 2)


def average_pooling(T, e, name):
    """As the pooling by the maximum, of float sums."""
    ry, rx = (sw.reduce_axis(2, name=f"{x}_{name}") for x in ("ry", "rx"))
    return sw.compute(
        (e["b"], CHANNELS, e["h"] // 2, e["w"] // 2),
        lambda b, c, y, x: sw.sum(T["X"][b, c, 2 * y + ry, 2 * x + rx], axis=(ry, rx)) / 4,
        name=name,
    )


WINDOWS = {
    "convolution": _convolution(1, 1),
    "convolution, stride 2": _convolution(2, 1),
    "convolution, dilation 2": _convolution(1, 2),
    "depthwise convolution": Operator(depthwise, _depthwise, dtype=COUNTS, zeros=False),
    "max pooling": Operator(max_pooling, lambda V, e: _blocks(V["X"]).max((3, 5)), zeros=False),
    "average pooling": Operator(
        average_pooling,
        lambda V, e: _blocks(_wide(V["X"])).sum((3, 5), dtype=_sum_type(V["X"])) / 4,
        dtype=dict.fromkeys((*INTEGERS, "bool"), "float64"),
        ulps=8,
        zeros=False,
    ),
}


def _images(e):
    return {
        "X": (e["b"], CHANNELS, e["h"], e["w"]),
        "W": (OUTPUTS, CHANNELS, TAPS, TAPS),
        "D": (CHANNELS, TAPS, TAPS),
    }


def _image_values(dtype, shapes):
    out = {name: smalls(dtype, shape, seed) for seed, (name, shape) in enumerate(shapes.items())}
    if dtype in INTEGERS:
        out["X"][..., -1] = np.iinfo(dtype).max
    if dtype in FLOATS and out["X"].shape[0] > 1 and out["X"].shape[3] > 4:
        out["X"][0, 0, 0, 0], out["X"][0, 2, 3, 4] = stored([np.nan, np.inf], dtype)
        out["X"][0, 1, -1, -1] = stored(-np.inf, dtype)
        # Alone in all windows that have it: a sum with ones depends on the order.
        out["X"][1, :, 1:, 3:] = stored(-0.0, dtype)
        out["X"][1, 0, 5, 7] = stored(smallest(dtype), dtype)
    return out


TABLE = 17
INDEX = "I"


def _move(shape, body, expect, **about):
    """A tensor whose elements are elements of others, unchanged."""

    def make(T, e, name):
        n = e["n"]
        if len(shape(n)) == 1:
            return sw.compute(shape(n), lambda i: body(T, n, i), name=name)
        return sw.compute(shape(n), lambda i, j: body(T, n, i, j), name=name)

    return Operator(make, expect, **about)


def _scan(T, e, name):
    """Each element is the largest up to it."""
    A = T["A"]
    return sw.recurrence(
        (e["n"],),
        lambda H, i: sw.select(i > 0, sw.maximum(A[i], H[i - 1]), A[i]),
        dtype=A._node.dtype,
        name=name,
    )


MOVES = {
    "copy": _move(lambda n: (n,), lambda T, n, i: T["A"][i], lambda V, e: V["A"]),
    "reverse": _move(lambda n: (n,), lambda T, n, i: T["A"][n - 1 - i], lambda V, e: V["A"][::-1]),
    "transpose": _move(lambda n: (n, 3), lambda T, n, i, j: T["M"][j, i], lambda V, e: V["M"].T),
    "every second": _move(
        lambda n: (n,), lambda T, n, i: T["L"][2 * i + 1], lambda V, e: V["L"][1::2]
    ),
    "interleave": _move(
        lambda n: (n, 2),
        lambda T, n, i, j: sw.select(j == 0, T["A"][i], T["L"][i]),
        lambda V, e: np.stack([V["A"], V["L"][: e["n"]]], axis=1),
    ),
    "concatenate": _move(
        lambda n: (n + 3,),
        lambda T, n, i: sw.select(i < n, T["A"][i], T["T"][i - n]),
        lambda V, e: np.concatenate([V["A"], V["T"][:3]]),
    ),
    "pad": _move(
        lambda n: (n + 4,),
        lambda T, n, i: sw.select(sw.all_of(i >= 2, i < n + 2), T["A"][i - 2], _zero(T["A"])),
        lambda V, e: np.pad(V["A"], 2),
    ),
    "broadcast": _move(
        lambda n: (3, n), lambda T, n, i, j: T["A"][j], lambda V, e: np.stack([V["A"]] * 3)
    ),
    "gather": _move(
        lambda n: (n,),
        lambda T, n, i: T["T"][sw.bounded(T[INDEX][i], 0, TABLE)],
        lambda V, e: V["T"][V[INDEX]],
    ),
    "running maximum": Operator(
        _scan, lambda V, e: np.maximum.accumulate(V["A"]), zeros=False, in_order=True
    ),
}


def _moved(e):
    n = e["n"]
    return {"A": (n,), "M": (3, n), "L": (2 * n,), "T": (TABLE,), INDEX: (n,)}


def _move_values(dtype, shapes):
    out = {}
    for seed, (name, shape) in enumerate(shapes.items()):
        rng = np.random.default_rng(seed)
        if name == INDEX:
            out[name] = rng.integers(0, TABLE, shape).astype("int32")
        else:
            special = stored(corners(dtype), dtype)
            out[name] = special[rng.integers(0, len(special), shape)]
            if name == "A" and dtype in FLOATS:
                out[name][: shape[0] // 2] = smalls(dtype, shape[0] // 2, seed)
    return out


WINDOW_FAMILIES = {
    "Windows": Family(
        _images,
        _image_values,
        WINDOWS,
        {"b": 2, "h": 7, "w": 9},
        {"b": (0, 4)},
        [{"b": 0}, {"b": 1}, {"b": 3}],
        fixed={"h": 2, "w": 2},
    ),
    "Moved elements": Family(
        _moved,
        _move_values,
        MOVES,
        {"n": 37},
        {"n": (0, 99)},
        [{"n": 0}, {"n": 1}, {"n": 19}],
        index=(INDEX,),
    ),
}
