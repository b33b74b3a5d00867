"""Other algorithms for the same function, written as stages of tensor expressions."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple

from solway import _core
from solway.expr import Tensor, here

__all__ = ["winograd"]


def winograd(tensor: Tensor, outputs: int = 4) -> Tensor:
    """A convolution computed by minimal filtering, F(m x m, r x r) of Winograd.

    A tile of m x m results takes (m + r - 1)^2 products for each channel in place of (m r)^2: 36 in
    place of 144 for m = 4 and r = 3. The image and the weights are transformed before, the results
    after, by stages like any others, which a schedule names: of a convolution ``C`` they are
    ``C_B`` and ``C_V`` (the image), ``C_G`` and ``C_U`` (the weights; ``C_U`` alone, a constant,
    where these are one), ``C_M`` (the products), ``C_A`` and ``C``. `Schedule.auto_schedule` has a
    schedule for them.

    The result is that of another order of the same sums: of float32 and m = 4, a convolution of 64
    channels is off by some 4e-6 of its largest result, against 3e-7 as it is written.

    Args:
        tensor: a sum of products of float32 or float64, in any layout, of an image and weights with
            as many rows as columns of taps (2 to 7) whose windows move by one row and one column;
            zeros around the image may be a stage of their own, or a `select` in the sum.
        outputs: m, rows and columns of a tile; with the taps less one, at most 8.

    Returns:
        A tensor with the same name, shape and dtype, of the same inputs.

    Raises:
        UnsupportedError: a tensor that is no such convolution, or tiles too large for its taps.

    Example:
        >>> X = sw.placeholder((6, 6, 16), name="X")
        >>> W = sw.placeholder((3, 3, 16, 32), name="W")
        >>> r, q, c = (sw.reduce_axis(n, name=m) for n, m in ((3, "r"), (3, "q"), (16, "c")))
        >>> C = sw.compute(
        ...     (4, 4, 32),
        ...     lambda y, x, f: sw.sum(X[y + r, x + q, c] * W[r, q, c, f], axis=(r, q, c)),
        ...     name="C",
        ... )
        >>> sw.create_schedule(sw.winograd(C)).tensors["C_M"].shape
        (6, 6, 1, 1, 32)

    Source: Winograd, Arithmetic Complexity of Computations, 1980; Lavin and Gray, Fast Algorithms
    for Convolutional Neural Networks, 2016.
    """
    return Tensor(_core.winograd(tensor._node, operator.index(outputs), here()))


class Exchanged(NamedTuple):
    """Tensors of which some are computed by another algorithm.

    Args:
        outputs: what is computed.
        by: what took the place of each tensor that is another one now.
        remarks: (step, verdict, why) of what was exchanged, and of what was not.
    """

    outputs: list[_core.Tensor]
    by: dict[_core.Tensor, _core.Tensor]
    remarks: list[tuple[str, str, str]]


def exchanged(
    outputs: Iterable[_core.Tensor], machine: _core.Target, given: Iterable[str]
) -> Exchanged:
    """What ``fast_math=True`` makes of tensors for a machine; other kernels compute `given`."""
    made, pairs, remarks = _core.exchange_algorithms(list(outputs), machine, set(given), here())
    return Exchanged(made, dict(pairs), remarks)
