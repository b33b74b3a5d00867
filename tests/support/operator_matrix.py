"""Runs the operators of the matrix on a target with the corners of their types and extents."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.foreign import FOREIGN, require_emulator
from support.guarded import SIDES, guard_of_emulated, guarded, untouched
from support.operator_families import FAMILIES
from support.operator_values import numeric, storage, wrong
from support.random_programs import stages_of
from support.register_lengths import LENGTHS, file_without_length, lengths_of, registers
from support.ve_machine import emulated

TARGETS = (
    "host",
    "c",
    "x86-64-v3",
    "x86-64-v4",
    "aarch64-neon",
    "aarch64-sve",
    "riscv64-v",
    "ve-ncc",
    "ve",
    "sw26010",
    "sw26010pro",
    "example-cluster",
)
CHECKED = ("sw26010", "sw26010pro", "example-cluster", "ve")
HALVES = ("float16", "bfloat16")
# QEMU 7.2 ends with an assertion of its own at some conversions of vectors.
NOT_IN_VECTORS = {
    ("riscv64-v", "float32", "trunc"),
    ("riscv64-v", "float64", "trunc"),
    ("riscv64-v", "float16", "trunc"),
}


class Verdict(NamedTuple):
    """What became of an operator of a type on a target.

    Args:
        word: "right", "refused", "no such" or "wrong".
        why: of a refusal and of a wrong result.
    """

    word: str
    why: str = ""


RIGHT, NO_SUCH = Verdict("right"), Verdict("no such")


class Program:
    """Operators of a family on inputs of a type, as one schedule.

    Args:
        family: of the matrix.
        dtype: of the inputs.
        names: of the operators.
        sized: whether extents are known only when the kernel runs.
        scalar: names of those whose loops are left alone.
    """

    def __init__(self, family, dtype, names, *, sized, scalar=()):
        self.family, self.dtype, self.sized = family, dtype, sized
        limits = family.sizes
        self._extents = (
            {k: sw.size(k, min=least, max=most) for k, (least, most) in limits.items()}
            | family.fixed
            if sized
            else family.extents
        )
        tensors = {
            name: sw.placeholder(shape, "int32" if name in family.index else dtype, name=name)
            for name, shape in family.shapes(self._extents).items()
        }
        self.outputs = {
            name: family.operators[name].make(tensors, self._extents, f"o{n}")
            for n, name in enumerate(names)
        }
        self.schedule = sw.create_schedule(list(self.outputs.values()))
        stages, used = stages_of(self.outputs.values())
        self.inputs = {name: t for name, t in tensors.items() if t in used}
        self.arguments = [*self.inputs.values(), *self.outputs.values()]
        alone = {name for name in names if family.operators[name].in_order}
        alone = [self.outputs[name] for name in alone.union(scalar)]
        by_terms = [self.outputs[name] for name in names if family.operators[name].by_terms]
        for stage in stages:
            loops = self.schedule[stage]
            if stage not in alone:
                is_row = len(loops.axis) > 1 and stage not in by_terms
                loops.vectorize((loops.axis if is_row else loops.reduce_axis or loops.axis)[-1])

    def build(self, target):
        """The kernel of a target."""
        kernel = sw.build(self.schedule, self.arguments, target=target, name="operators")
        return emulated(kernel, "operators", behind=1) if target == "ve" else kernel

    def runs(self):
        """Extents of each call."""
        fixed = self.family.fixed
        return [run | fixed for run in self.family.runs] if self.sized else [self.family.extents]

    def judge(self, kernel, extents, side):
        """Runs the kernel once; gives what is wrong by operator."""
        shapes = self.family.shapes(extents)
        values = self.family.values(self.dtype, shapes)
        given = [guarded(values[name], side) for name in self.inputs]
        kept = [array.copy() for array in given]
        numbers = {
            name: array if name in self.family.index else numeric(array, self.dtype)
            for name, array in values.items()
        }
        found, results, right = {}, [], []
        for name in self.outputs:
            operator = self.family.operators[name]
            right.append(expected_of(operator, numbers, extents))
            dtype = storage(operator.result(self.dtype))
            results.append(untouched(right[-1].shape, dtype, side))
        kernel(*given, *results)
        for name, got, expected in zip(self.outputs, results, right, strict=True):
            operator = self.family.operators[name]
            dtype = operator.result(self.dtype)
            ulps = -(-operator.ulps // 8) if dtype in HALVES else operator.ulps
            text = wrong(got, expected, dtype, ulps, zeros=operator.zeros)
            if text:
                found[name] = f"{extents}: {text}"
        for name, before, after in zip(self.inputs, kept, given, strict=True):
            if before.tobytes() != after.tobytes():
                found.update({output: f"input {name} was changed" for output in self.outputs})
        return found

    def require_views_refused(self, kernel):
        """Views with other strides are refused before anything runs, each by its name."""
        shapes = self.family.shapes(self.family.extents)
        values = self.family.values(self.dtype, shapes)
        for place, name in enumerate(self.inputs):
            given = [values[x] for x in self.inputs]
            wide = np.repeat(given[place], 2, axis=-1)
            views = (wide[..., ::2], given[place][..., ::-1], given[place].T)
            for view in views:
                if view.flags.c_contiguous or view.shape != values[name].shape:
                    continue  # arrays without elements, and vectors
                given[place] = view
                with pytest.raises(sw.ArgumentMismatchError, match=f"'{name}' has another layout"):
                    kernel.run(*given)


def require_machine(target):
    """Skips a test where this machine cannot run the target's kernels."""
    if target in FOREIGN:
        require_emulator(target)
    if target == "x86-64-v4" and not runs(target):
        pytest.skip("needs AVX-512")


def expected_of(operator, numbers, extents):
    """What NumPy says, in numbers."""
    with np.errstate(all="ignore"):
        values = {
            name: array.astype("float64") if operator.wide else array
            for name, array in numbers.items()
        }
        return np.asarray(operator.expect(values, extents))


@functools.cache
def program(family, dtype, names, sized, scalar=()):
    """A program, made once for all targets."""
    return Program(FAMILIES[family], dtype, names, sized=sized, scalar=scalar)


def names_of(family, dtype):
    """The operators of a family that take the type."""
    return tuple(
        name for name, operator in FAMILIES[family].operators.items() if dtype in operator.dtypes
    )


def verdicts_of(family, dtype, target):
    """What becomes of each operator of a family."""
    names = names_of(family, dtype)
    out = {name: NO_SUCH for name in FAMILIES[family].operators if name not in names}
    if not names:
        return out
    for sized in (False, True):
        runnable = tuple(name for name in names if name not in out)
        found = _found(family, dtype, runnable, target, sized)
        out.update({name: verdict for name, verdict in found.items() if verdict != RIGHT})
    return {name: out.get(name, RIGHT) for name in FAMILIES[family].operators}


def _found(family, dtype, names, target, sized):
    """Of operators in one kernel; halves of them are tried where it is refused."""
    try:
        return _run(family, dtype, names, target, sized)
    except sw.UnsupportedError as error:
        if len(names) == 1:
            return {names[0]: Verdict("refused", f"{error.what}: {error.why}")}
    half = len(names) // 2
    return _found(family, dtype, names[:half], target, sized) | _found(
        family, dtype, names[half:], target, sized
    )


def calls_of(target, number):
    """Lengths of registers and sides of the guard page of the calls with the same extents.

    The emulator of scratchpads and the model of `ve` check the bounds of arrays themselves. Where
    there are many lengths, each has one side, the other one with the next extents.
    """
    lengths = lengths_of(target)
    if len(lengths) == 1:
        sides = SIDES[:1] if target in CHECKED else SIDES
        return [(*lengths, side) for side in sides]
    return [(bits, SIDES[(number + at) % 2]) for at, bits in enumerate(lengths)]


def _run(family, dtype, names, target, sized):
    if not names:
        return {}
    scalar = tuple(name for name in names if (target, dtype, name) in NOT_IN_VECTORS)
    made = program(family, dtype, names, sized, scalar)
    with tempfile.TemporaryDirectory() as folder:
        file = file_without_length(target, Path(folder)) if target in LENGTHS else target
        kernel = made.build(file)
    found = {}
    for number, extents in enumerate(made.runs()):
        for bits, side in calls_of(target, number):
            with guard_of_emulated(side), registers(target, bits):
                wrongs = made.judge(kernel, extents, side)
            about = "" if bits is None else f"registers of {bits} bits: "
            found |= {name: about + text for name, text in wrongs.items()}
    if not sized:
        made.require_views_refused(kernel)
    return {name: Verdict("wrong", text) for name, text in found.items()}
