"""Direct convolutions from and to each layout: values, and that their sums run in vectors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
import solway as sw
from support.unscheduled import built

BLOCK = 16  # channels that lie side by side in nChw16c
LAYOUTS = ("NCHW", "NHWC", "nChw16c")
BATCH, SIZE = 1, 5  # images, and rows and columns of a result


class Form(NamedTuple):
    """What a window is: each result lies in the middle of one, with zeros around the image."""

    kernel: int = 3
    stride: int = 1
    dilation: int = 1
    groups: int = 1

    @property
    def border(self):
        return self.dilation * (self.kernel // 2)

    @property
    def image(self):
        return SIZE * self.stride

    @property
    def channels(self):
        """Of the image and of the result; a group has a block."""
        return max(2, self.groups) * BLOCK


FORMS = {
    "1 x 1": Form(1),
    "3 x 3": Form(3),
    "5 x 5": Form(5),
    "7 x 7": Form(7),
    "11 x 11": Form(11),
    "stride 2": Form(stride=2),
    "dilation 2": Form(dilation=2),
    "groups": Form(groups=4),
    "stride 2, groups": Form(stride=2, groups=4),
}


def laid_out(image, layout):
    """An NCHW array in another layout."""
    if layout == "NCHW":
        return image
    if layout == "NHWC":
        return image.transpose(0, 2, 3, 1)
    n, channels, rows, columns = image.shape
    return image.reshape(n, channels // BLOCK, BLOCK, rows, columns).transpose(0, 1, 3, 4, 2)


def shape_of(form, size, layout):
    return laid_out(np.empty((BATCH, form.channels, size, size)), layout).shape


def element(X, layout, n, c, y, x):
    """The one of a tensor at a place of NCHW."""
    if layout == "NCHW":
        return X[n, c, y, x]
    return X[n, y, x, c] if layout == "NHWC" else X[n, c // BLOCK, y, x, c % BLOCK]


def program(form, source, result):
    """Image, weights [row, column, channel, filter] and what comes of them."""
    each = form.channels // form.groups
    X = sw.placeholder(shape_of(form, form.image, source), name="X")
    W = sw.placeholder((form.kernel, form.kernel, each, form.channels), name="W")
    r, q = sw.reduce_axis(form.kernel, name="r"), sw.reduce_axis(form.kernel, name="q")
    c = sw.reduce_axis(each, name="c")

    def pixel(n, f, y, x):
        a = y * form.stride + r * form.dilation - form.border
        b = x * form.stride + q * form.dilation - form.border
        term = element(X, source, n, f // each * each + c, a, b) * W[r, q, c, f]
        inside = sw.all_of(0 <= a, a < form.image, 0 <= b, b < form.image)
        return sw.sum(term, axis=(r, q, c), where=inside if form.border else None)

    of_layout = {
        "NCHW": pixel,
        "NHWC": lambda n, y, x, f: pixel(n, f, y, x),
        "nChw16c": lambda n, f, y, x, v: pixel(n, f * BLOCK + v, y, x),
    }
    Y = sw.compute(shape_of(form, SIZE, result), of_layout[result], name="Y")
    return [X, W, Y]


def convolved(form, image, weights):
    """By NumPy, of NCHW."""
    border, span = form.border, (SIZE - 1) * form.stride + 1
    wide = np.pad(image, [(0, 0), (0, 0), (border, border), (border, border)])
    wide = wide.reshape(BATCH, form.groups, -1, *wide.shape[2:])
    taps = weights.reshape(*weights.shape[:3], form.groups, -1)
    out = np.zeros((BATCH, form.groups, taps.shape[-1], SIZE, SIZE), image.dtype)
    for r in range(form.kernel):
        for q in range(form.kernel):
            y, x = r * form.dilation, q * form.dilation
            part = wide[..., y : y + span : form.stride, x : x + span : form.stride]
            out += np.einsum("ngcyx,cgf->ngfyx", part, taps[r, q])
    return out.reshape(BATCH, -1, SIZE, SIZE)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("result", LAYOUTS)
@pytest.mark.parametrize("source", LAYOUTS)
def test_each_form_from_and_to_each_layout(source, result, form):
    form = FORMS[form]
    X, W, Y = program(form, source, result)
    rng = np.random.default_rng(3)
    image = rng.integers(-3, 4, (BATCH, form.channels, form.image, form.image)).astype("float32")
    weights = rng.integers(-3, 4, W.shape).astype("float32")
    text, kernel = built([X, W, Y])
    expected = laid_out(convolved(form, image, weights), result)
    np.testing.assert_array_equal(
        kernel.run(np.ascontiguousarray(laid_out(image, source)), weights), expected
    )
    assert "vectorize(" in text and 'scope="register"' in text
    # None ran lane by lane or was kept as a loop.
    assert not [r for r in kernel.report() if r.step.startswith("vectorize(")]
