"""What the benchmark of CPUs computes, in words that each library understands.

Arrays are of batch 1 without its dimension, in row-major order, images with their channels first.
Each operation has the shapes of its inputs, first `given` of a call and then the parameters, which
a library may prepare, and what NumPy says of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

__all__ = [
    "Attention",
    "Convolution",
    "FullyConnected",
    "Gelu",
    "LayerNorm",
    "Operation",
    "Pool",
    "Product",
    "Softmax",
]

Values = np.ndarray
Shapes = tuple[tuple[int, ...], ...]

EPSILON = 1e-5  # of layer norms


class Operation:
    """What all have.

    Attributes:
        given: how many inputs a call brings; the others are parameters.
        tolerance: of results that are no whole numbers; 0: they are exact.
    """

    given: ClassVar[int] = 1
    tolerance: ClassVar[float] = 0.0

    @property
    def shapes(self) -> Shapes:
        """Of the inputs."""
        raise NotImplementedError

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output; by default that of the first input."""
        return self.shapes[0]

    @property
    def operations(self) -> float:
        """Products and sums; what a function counts as is said where it is used."""
        raise NotImplementedError

    def expected(self, *arrays: Values) -> Values:
        """The same by NumPy."""
        raise NotImplementedError

    def numbers(self) -> list[Values]:
        """Values of the inputs: whole ones whose sums are exact, unless results are rounded.

        Those of a call need up to 10 bits, so that a library that rounds to bfloat16 is found out.
        """
        rng = np.random.default_rng(0)
        if self.tolerance:
            return [rng.standard_normal(shape, np.float32) for shape in self.shapes]
        ends = [300 if n < self.given else 2 for n in range(len(self.shapes))]
        pairs = zip(ends, self.shapes, strict=True)
        return [rng.integers(-end, end + 1, shape).astype(np.float32) for end, shape in pairs]


@dataclass(frozen=True)
class Convolution(Operation):
    """Of a square image, with `border` zeros around; as many groups as channels: each by itself."""

    channels: int
    filters: int
    image: int
    kernel: int
    stride: int = 1
    border: int = 0
    groups: int = 1

    @property
    def size(self) -> int:
        """Rows of the result."""
        return (self.image + 2 * self.border - self.kernel) // self.stride + 1

    @property
    def shapes(self) -> Shapes:
        """Image, weights."""
        weights = (self.filters, self.channels // self.groups, self.kernel, self.kernel)
        return (self.channels, self.image, self.image), weights

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output."""
        return self.filters, self.size, self.size

    @property
    def operations(self) -> float:
        """Those with zeros of the border as well."""
        return 2.0 * self.filters * self.channels / self.groups * (self.kernel * self.size) ** 2

    def expected(self, *arrays: Values) -> Values:
        """A sum over the window's places."""
        image, weights = arrays
        wide = np.pad(image, [(0, 0), (self.border, self.border), (self.border, self.border)])
        span = (self.size - 1) * self.stride + 1
        out = np.zeros((self.filters, self.size, self.size), np.float32)
        for i in range(self.kernel):
            for j in range(self.kernel):
                part = wide[:, i : i + span : self.stride, j : j + span : self.stride]
                if self.groups == 1:
                    flat = weights[:, :, i, j] @ part.reshape(self.channels, -1)
                    out += flat.reshape(out.shape)
                else:
                    out += part * weights[:, 0, i, j, None, None]
        return out


@dataclass(frozen=True)
class Product(Operation):
    """A (m x depth) times B (depth x n), which is a parameter."""

    m: int
    n: int
    depth: int

    @property
    def shapes(self) -> Shapes:
        """A, B."""
        return (self.m, self.depth), (self.depth, self.n)

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output."""
        return self.m, self.n

    @property
    def operations(self) -> float:
        """Of all elements."""
        return 2.0 * self.m * self.n * self.depth

    def expected(self, *arrays: Values) -> Values:
        """By OpenBLAS."""
        return np.asarray(arrays[0] @ arrays[1])


@dataclass(frozen=True)
class FullyConnected(Operation):
    """Weights (outputs x inputs) times a vector."""

    outputs: int
    inputs: int

    @property
    def shapes(self) -> Shapes:
        """Vector, weights."""
        return (self.inputs,), (self.outputs, self.inputs)

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output."""
        return (self.outputs,)

    @property
    def operations(self) -> float:
        """Of all elements."""
        return 2.0 * self.outputs * self.inputs

    def expected(self, *arrays: Values) -> Values:
        """By OpenBLAS."""
        return np.asarray(arrays[1] @ arrays[0])


@dataclass(frozen=True)
class Pool(Operation):
    """The largest or the mean of windows without a border."""

    channels: int
    image: int
    kernel: int
    stride: int
    kind: str = "largest"

    tolerance: ClassVar[float] = 0.01  # of means of numbers up to 300

    def numbers(self) -> list[Values]:
        """Whole numbers."""
        return [np.random.default_rng(0).integers(-300, 301, self.shapes[0]).astype(np.float32)]

    @property
    def size(self) -> int:
        """Rows of the result."""
        return (self.image - self.kernel) // self.stride + 1

    @property
    def shapes(self) -> Shapes:
        """The image."""
        return ((self.channels, self.image, self.image),)

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output."""
        return self.channels, self.size, self.size

    @property
    def operations(self) -> float:
        """One for each element of each window."""
        return 1.0 * self.channels * (self.kernel * self.size) ** 2

    def expected(self, *arrays: Values) -> Values:
        """Of views."""
        windows = np.lib.stride_tricks.sliding_window_view(
            arrays[0], (self.kernel, self.kernel), axis=(1, 2)
        )[:, :: self.stride, :: self.stride]
        if self.kind == "largest":
            return np.asarray(windows.max((3, 4)))
        return np.asarray(windows.mean((3, 4), dtype=np.float64), np.float32)


@dataclass(frozen=True)
class Softmax(Operation):
    """Of each row; an exponential counts as one operation."""

    rows: int
    columns: int

    tolerance: ClassVar[float] = 1e-6

    @property
    def shapes(self) -> Shapes:
        """X."""
        return ((self.rows, self.columns),)

    @property
    def operations(self) -> float:
        """Largest, difference, exponential, sum, quotient."""
        return 5.0 * self.rows * self.columns

    def expected(self, *arrays: Values) -> Values:
        """In float64."""
        return softmax(arrays[0].astype(np.float64))


@dataclass(frozen=True)
class LayerNorm(Operation):
    """Of each row, scaled and shifted; perhaps of the sum of two matrices."""

    rows: int
    columns: int
    residual: bool = False

    tolerance: ClassVar[float] = 1e-4

    @property
    def given(self) -> int:  # type: ignore[override]
        """X, and R where there is one."""
        return 2 if self.residual else 1

    @property
    def shapes(self) -> Shapes:
        """X, R, scale, shift."""
        matrix = ((self.rows, self.columns),)
        return (*matrix * self.given, (self.columns,), (self.columns,))

    @property
    def operations(self) -> float:
        """A root is one."""
        return (10.0 if self.residual else 9.0) * self.rows * self.columns

    def expected(self, *arrays: Values) -> Values:
        """In float64."""
        *given, scale, shift = (a.astype(np.float64) for a in arrays)
        x = np.sum(given, axis=0)
        mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
        return np.asarray((x - mean) / np.sqrt(variance + EPSILON) * scale + shift)


@dataclass(frozen=True)
class Gelu(Operation):
    """x (1 + erf(x / sqrt 2)) / 2; an error function counts as one operation."""

    rows: int
    columns: int

    tolerance: ClassVar[float] = 1e-5

    @property
    def shapes(self) -> Shapes:
        """X."""
        return ((self.rows, self.columns),)

    @property
    def operations(self) -> float:
        """Quotient, function, sum, two products."""
        return 5.0 * self.rows * self.columns

    def expected(self, *arrays: Values) -> Values:
        """By the C library, in float64."""
        x = arrays[0].astype(np.float64)
        erf = np.vectorize(math.erf)
        return np.asarray(x * (1 + erf(x / math.sqrt(2))) / 2)


@dataclass(frozen=True)
class Attention(Operation):
    """softmax(Q K^T / sqrt(width)) V of each head, without a mask."""

    heads: int
    length: int
    width: int

    given: ClassVar[int] = 3
    tolerance: ClassVar[float] = 1e-5

    @property
    def shapes(self) -> Shapes:
        """Q, K, V."""
        return ((self.heads, self.length, self.width),) * 3

    @property
    def operations(self) -> float:
        """Two products and a softmax."""
        return 1.0 * self.heads * self.length**2 * (4 * self.width + 6)

    def expected(self, *arrays: Values) -> Values:
        """In float32, but the softmax."""
        q, k, v = arrays
        scores = (q @ k.transpose(0, 2, 1)).astype(np.float64) / math.sqrt(self.width)
        return np.asarray(softmax(scores).astype(np.float32) @ v)


def softmax(x: Values) -> Values:
    """Along the last dimension."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))
