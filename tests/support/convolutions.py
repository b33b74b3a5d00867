"""A convolution as users write it: its border a stage of its own, a ReLU behind it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import solway as sw


class BorderedConvolution(NamedTuple):
    """S[f, y, x] = sum of P[rc, y + ry, x + rx] * W[f, rc, ry, rx], with P the image A in a border
    of zeros half the kernel wide; R = max(S, 0). S and R have the rows and columns of the image."""

    A: sw.Tensor
    W: sw.Tensor
    P: sw.Tensor
    S: sw.Tensor
    R: sw.Tensor

    def sums(self, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """What S holds."""
        kernel = weights.shape[2]
        border = (kernel // 2, kernel // 2)
        padded = np.pad(image, ((0, 0), border, border))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,fcrq->fyx", windows, weights)

    def relu(self, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """What R holds."""
        return np.maximum(self.sums(image, weights), 0)


def bordered_convolution(
    channels: int, filters: int, rows: int, columns: int, kernel: int = 3
) -> BorderedConvolution:
    """In float32; an odd kernel of as many rows as columns."""
    a = sw.placeholder((channels, rows, columns), name="A")
    w = sw.placeholder((filters, channels, kernel, kernel), name="W")
    border = kernel // 2

    def padded(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        inside = sw.all_of(border <= y, y < rows + border, border <= x, x < columns + border)
        return sw.select(inside, a[c, y - border, x - border], 0.0)

    p = sw.compute((channels, rows + 2 * border, columns + 2 * border), padded, name="P")
    terms = zip((channels, kernel, kernel), ("rc", "ry", "rx"), strict=True)
    rc, ry, rx = axes = [sw.reduce_axis(extent, name=name) for extent, name in terms]
    s = sw.compute(
        (filters, rows, columns),
        lambda f, y, x: sw.sum(p[rc, y + ry, x + rx] * w[f, rc, ry, rx], axis=axes),
        name="S",
    )
    r = sw.compute((filters, rows, columns), lambda f, y, x: sw.maximum(s[f, y, x], 0.0), name="R")
    return BorderedConvolution(a, w, p, s, r)
