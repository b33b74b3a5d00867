"""The 30 kernels of PolyBench/C 4.2, each from its mathematical definition.

A kernel is a module of this folder, named as PolyBench names it, with

* ``SIZES``: the published data sets,
* ``program(*size)``: its arguments in order, and its outputs,
* ``data(rng, *size)``: values for the placeholders among the arguments,
* ``reference(size, *data)``: what the outputs hold, by NumPy.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import solway as sw

FOLDER = Path(__file__).parent
NO_KERNELS = ("count_operations", "run", "suite")
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NO_KERNELS))
# Both sides round in float64, in different orders: differences relative to the largest element of
# the result stay below this (the worst up to MEDIUM is adi's, 6e-14).
TOLERANCE = 1e-11


@dataclass(frozen=True)
class Result:
    """One run of a kernel.

    Args:
        seconds: of the fastest call.
        numpy_seconds: of the reference, once.
        error: the largest difference, relative to the largest element of that output.
        build_seconds: from the definition to the kernel.
    """

    seconds: float
    numpy_seconds: float
    error: float
    build_seconds: float

    @property
    def is_right(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.error <= TOLERANCE


def load(name: str) -> ModuleType:
    """The module of a kernel."""
    spec = importlib.util.spec_from_file_location(f"polybench_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name: str, dataset: str = "MINI", target: str = "host", repeats: int = 1) -> Result:
    """Builds a kernel without any primitive, runs it and compares it with NumPy."""
    module = load(name)
    size = module.SIZES[dataset]
    start = time.perf_counter()
    arguments, outputs = module.program(*size)
    kernel = sw.build(sw.create_schedule(outputs), arguments, target=target)
    build_seconds = time.perf_counter() - start
    data = module.data(np.random.default_rng(42), *size)
    seconds = float("inf")
    for _ in range(repeats):
        arrays = arrays_of(arguments, data)
        kernel(*arrays.values())
        assert kernel.last_run is not None
        seconds = min(seconds, kernel.last_run.seconds)
    start = time.perf_counter()
    expected = module.reference(size, *data)
    numpy_seconds = time.perf_counter() - start
    error = error_of(outputs, arrays, expected)
    return Result(seconds, numpy_seconds, error, build_seconds)


def arrays_of(
    arguments: Sequence[sw.Tensor], data: Sequence[np.ndarray]
) -> dict[sw.Tensor, np.ndarray]:
    """An array for each argument, in order: copies of `data` for the placeholders, else zeros."""
    given = iter(data)
    return {
        tensor: np.zeros(tensor.shape, tensor.dtype) if is_computed(tensor) else next(given).copy()
        for tensor in arguments
    }


def error_of(
    outputs: Sequence[sw.Tensor],
    arrays: Mapping[sw.Tensor, np.ndarray],
    expected: Sequence[np.ndarray],
) -> float:
    """The largest relative error of what a call left in the arguments' arrays."""
    held = {root_of(tensor): array for tensor, array in arrays.items()}
    return max(
        relative_error(held[root_of(tensor)], values)
        for tensor, values in zip(outputs, expected, strict=True)
    )


def root_of(tensor: sw.Tensor) -> sw.Tensor:
    """The tensor whose memory an update changes."""
    node = tensor._node
    while node.base is not None:
        node = node.base
    return sw.Tensor(node)


def is_computed(tensor: sw.Tensor) -> bool:
    """Whether a stage computes it, rather than the caller giving it."""
    return root_of(tensor)._node.body is not None


def relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference over the largest magnitude; infinite for what is not a number."""
    if got.shape != expected.shape or not np.isfinite(got).all():
        return float("inf")
    scale = max(float(np.max(np.abs(expected), initial=0.0)), 1e-300)
    difference = got.astype(np.float64) - expected.astype(np.float64)
    return float(np.max(np.abs(difference), initial=0.0)) / scale
