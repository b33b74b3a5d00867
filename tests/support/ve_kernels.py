"""Kernels for SX-Aurora's vector engine, run by the model of it, and what their code must be."""

from __future__ import annotations

import re

import numpy as np
import solway as sw
from support.foreign import loops_of
from support.ve_machine import emulated

FLOATS = ("float32", "float64")
ELEMENTS = ("int32", "int64", *FLOATS)
LETTER = {"float32": "s", "float64": "d"}
SIZES = (1, 2, 255, 256, 257, 600)  # beside those of whole vectors


def random(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if dtype.startswith("int"):
        return rng.integers(-1000, 1000, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def built(schedule, arguments, behind=0):
    """The kernel, whose calls are emulated, and its assembly."""
    kernel = sw.build(schedule, arguments, target="ve", name="k")
    return emulated(kernel, "k", behind), kernel.source["k.s"]


def vectorized(*stages):
    """The schedule of the last one; each with its last axis, or that of its reduction."""
    s = sw.create_schedule(stages[-1])
    for stage in stages:
        s[stage].vectorize((s[stage].reduce_axis or stage.axis)[-1])
    return s


def require_vectors_only(kernel, assembly):
    """All inner loops have vectors, whose length is set, and no statement was left to scalars."""
    steps = [remark for remark in kernel.report() if remark.step.startswith("vectorize")]
    assert not steps, steps
    loops = loops_of(assembly)
    for loop in loops:
        assert any(re.match(r"p?v[a-z]", line) for line in loop), "\n".join(loop)
    if loops:
        assert any(line.startswith("lvl") for line in assembly.replace("\t", "").splitlines())
