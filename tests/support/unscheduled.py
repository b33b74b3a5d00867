"""Operators that nobody scheduled, their inputs and what the model finds for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import solway as sw
from support.guarded import GuardedKernel

Tensors = list[sw.Tensor]
Reference = Callable[..., np.ndarray]


def built(tensors: Tensors) -> tuple[str, GuardedKernel]:
    """The schedule that the model finds, as text, and its kernel, which runs on guarded arrays."""
    s = sw.create_schedule(tensors[-1])
    s.auto_schedule("host", search=False)
    return s.to_python(), GuardedKernel(sw.build(s, tensors, target="host"))


def inputs_of(tensors: Tensors) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.integers(-8, 9, t.shape).astype(t.dtype) for t in tensors[:-1]]


def assert_values(tensors: Tensors, reference: Reference) -> str:
    """Integers, so that any order of terms gives the same; the schedule's text."""
    text, kernel = built(tensors)
    arrays = inputs_of(tensors)
    np.testing.assert_array_equal(kernel.run(*arrays), reference(*arrays))
    return text


def lanes() -> int:
    vector = sw.Target.load("host").vector
    assert vector is not None
    return vector.lanes["float32"]
