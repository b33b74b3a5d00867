"""The C program beside a saved library, or C, which calls it and checks what it computed.

What is right comes from portable C of the same tensors as they were written: another code generator
makes it, from loops in the order of the definition, without anything of the kernel's schedule.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from solway import _core
from solway._arguments import Argument, Array
from solway._index_checks import IndexChecks, has_promises
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.expr import Tensor, here
from solway.schedule import create_schedule
from solway.sizes import concrete

if TYPE_CHECKING:
    from solway.kernel import Kernel

__all__ = ["example_files"]

_GUESSES = (13, 16, 12, 8, 32, 64, 5, 4, 3, 2, 1, 0)
_MOST_INDEX = 64
_C_TYPES = {"float64": "double", "float32": "float", "bool": "bool"}
_TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}

_PROGRAM = """\
/* Calls '{name}' on values that it makes up and checks the results against plain loops,
 * {name}_reference.c: integers exactly, others within a tolerance. Exits with 0 when all agree. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "{name}.h"

int32_t {name}_reference({reference_types});

/* The value of a float16 (10 bits of fraction) or a bfloat16 (7) from its bits. */
static double of_bits(uint16_t bits, int fraction_bits) {{
  const int exponent_bits = 15 - fraction_bits;
  const int most = (1 << exponent_bits) - 1;
  const int exponent = (bits >> fraction_bits) & most;
  const double fraction = ldexp((double)(bits & ((1 << fraction_bits) - 1)), -fraction_bits);
  double value = ldexp(1 + fraction, exponent - most / 2);
  if (exponent == 0) value = ldexp(fraction, 1 - most / 2);
  if (exponent == most) value = fraction > 0 ? NAN : INFINITY;
  return (bits >> 15) != 0 ? -value : value;
}}

/* Beyond rounding: `usual` is how large the array's values are on average. */
static int differs(double got, double right, double usual, double tolerance) {{
  if (isnan(right) || isnan(got)) return !(isnan(right) && isnan(got));
  if (isinf(right) || isinf(got)) return got != right;
  return !(fabs(got - right) <= tolerance * (usual + fabs(right)));
}}

static void* room(size_t bytes) {{
  void* const memory = calloc(bytes == 0 ? 1 : bytes, 1);
  if (memory == NULL) {{
    fprintf(stderr, "no memory for %lu bytes\\n", (unsigned long)bytes);
    exit(1);
  }}
  return memory;
}}

/* The next of a sequence of numbers that look random. */
static uint32_t next(void) {{
  static uint32_t state = 20190416;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}}

int main(void) {{
{statements}
  int32_t status = {name}({arguments});
  if (status == 0) status = {name}_reference({reference_arguments});
  if (status != 0) {{
    fprintf(stderr, "{name} returned %d\\n", (int)status);
    return 1;
  }}
  unsigned long checked = 0;
{checks}
  printf("{name}: %lu values agree\\n", checked);
  return 0;
}}
"""

_USUAL = """\
  double usual{n} = 0;
  for (size_t i = 0; i < {count}; ++i) {{
    if (isfinite({right})) usual{n} += fabs({right}) / {count};
  }}
"""

_CHECK = """\
  for (size_t i = 0; i < {count}; ++i, ++checked) {{
    if ({condition}) {{
      fprintf(stderr, "{array}[%lu] is %.17g, plain loops give %.17g\\n", (unsigned long)i,
              {got}, {right});
      return 1;
    }}
  }}"""

_MAKEFILE = """\
# Builds the example with the object, with the static and with the shared library, and runs it.
# Needs a C compiler{needs}.
CC = {compiler}
RUN ={run}
CFLAGS = -std=c99 -O1 -ffp-contract=off{threads}
SOURCES = {name}_example.c {name}_reference.c

check: {programs}
{runs}
{name}_with_object: $(SOURCES) {name}.h {name}.o
\t$(CC) $(CFLAGS) -o $@ $(SOURCES) {name}.o -lm

{name}_with_archive: $(SOURCES) {name}.h lib{name}.a
\t$(CC) $(CFLAGS) -o $@ $(SOURCES) lib{name}.a -lm
{shared}
clean:
\trm -f {programs}

.PHONY: check clean
"""

_SOURCE_HEAD = """\
# Builds the example with the kernel's C, and runs it. Needs a C compiler.
CC = cc
CFLAGS = -std=c99 -O1 -ffp-contract=off

"""

_SOURCE = """\
check: {name}_with_source
\t./{name}_with_source

{name}_with_source: {name}_example.c {name}_reference.c {name}.c {name}.h
\t$(CC) $(CFLAGS) -o $@ {name}_example.c {name}_reference.c {name}.c -lm

clean:
\trm -f {name}_with_source

.PHONY: check clean
"""

_ARCHIVE = """
# The example, which checks what the library computes.
check: {name}_with_archive
\t./{name}_with_archive

{name}_with_archive: {name}_example.c {name}_reference.c {name}.h lib{name}.a
\t$(CC) $(CFLAGS) -o $@ {name}_example.c {name}_reference.c lib{name}.a -lm

.PHONY: check
"""

_SHARED = """
{name}_with_shared: $(SOURCES) {name}.h lib{name}.so
\t$(CC) $(CFLAGS) -o $@ $(SOURCES) lib{name}.so -Wl,-rpath,'$$ORIGIN' -lm
"""


def example_files(kernel: Kernel, libraries: Collection[str], threads: bool) -> dict[str, str]:
    """The program, the plain loops that it checks against, and a Makefile, by name.

    Args:
        kernel: of machine code or C.
        libraries: the names of the files that were made of it, beside its sources.
        threads: whether the libraries have threads.

    Returns:
        Text by name of the file.

    Raises:
        UnsupportedError: no sizes or index values are found that the kernel can be called with.
    """
    from solway.kernel import build  # which has a kernel that saves

    assert kernel._schedule is not None
    state = kernel._schedule._state
    outputs, given = [Tensor(node) for node in state.outputs()], [Tensor(n) for n in state.given()]
    plain = create_schedule(outputs, inputs=given)
    reference = f"{kernel.name}_reference"
    code = build(plain, kernel._args, target="c", name=reference).source[f"{reference}.c"]
    sizes = _sizes(kernel)
    arguments = [concrete(argument, sizes) for argument in kernel.arguments]
    index = _index_value(kernel, arguments, sizes)
    program = _program(kernel.name, arguments, list(sizes.values()), index)
    return {
        f"{reference}.c": code,
        f"{kernel.name}_example.c": program,
        "Makefile": _makefile(kernel, libraries, threads),
    }


def _sizes(kernel: Kernel) -> dict[str, int]:
    """A value for each size of the kernel."""
    where = here()
    for guess in (*_GUESSES, None):
        values = {
            s.name: s.max if guess is None else max(s.min, min(s.max, guess)) for s in kernel._sizes
        }
        try:
            kernel._code.require_assumptions(values, where)
        except ArgumentMismatchError:
            continue
        return values
    raise UnsupportedError(
        f"no example program of '{kernel.name}' can be made",
        "what its schedule assumes leaves out all sizes that were tried",
        "write the libraries alone: k.save(folder, example=False)",
        (where.file, where.line, where.text),
    )


def _index_value(
    kernel: Kernel, arguments: Sequence[Argument], sizes: dict[str, int]
) -> int | None:
    """What every integer is when they serve as indices; None: they do not."""
    assert kernel._schedule is not None
    state = kernel._schedule._state
    if not has_promises(state.stages()):
        return None
    where = here()
    checks = IndexChecks(state.stages(), state.given(), where)
    place = (where.file, where.line, where.text)
    for value in range(_MOST_INDEX):
        arrays: list[Array] = [np.full(a.shape, value, a.dtype) for a in arguments]
        try:
            checks.require(dict(zip(kernel._args, arrays, strict=True)), sizes, place)
        except ArgumentMismatchError:
            continue
        return value
    raise UnsupportedError(
        f"no example program of '{kernel.name}' can be made",
        f"no index from 0 to {_MOST_INDEX - 1} is within all bounds that are promised",
        "write the libraries alone: k.save(folder, example=False)",
        place,
    )


def _kind(argument: Argument) -> str:
    return "bfloat16" if argument.is_bfloat16 else str(argument.dtype)


def _c_type(argument: Argument) -> str:
    kind = _kind(argument)
    return "uint16_t" if kind in ("float16", "bfloat16") else _C_TYPES.get(kind, f"{kind}_t")


def _value(argument: Argument, index: int | None) -> str:
    """C that makes up an element: small numbers, which all types hold."""
    kind = _kind(argument)
    if kind in ("float64", "float32"):
        return f"({_c_type(argument)})(1 + next() % 16) / 16"
    if kind in ("float16", "bfloat16"):
        numbers = (np.arange(16) + 1) / 16
        if kind == "float16":
            bits = numbers.astype(np.float16).view(np.uint16)
        else:
            bits = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return f"(const uint16_t[16]){{{', '.join(str(int(b)) for b in bits)}}}[next() % 16]"
    if kind == "bool":
        return "next() % 2 != 0"
    if index is not None:
        return str(index)
    return "(uint8_t)(next() % 7)" if kind == "uint8" else f"({kind}_t)(next() % 7) - 3"


def _program(
    name: str, arguments: Sequence[Argument], sizes: Sequence[int], index: int | None
) -> str:
    lines, given, reference_given, types, checks = [], [], [], [], []
    for n, argument in enumerate(arguments):
        count, c_type = int(np.prod(argument.shape, dtype=np.int64)), _c_type(argument)
        array, other = f"a{n}", f"a{n}"
        lines.append(f"  /* {argument.name}, {_kind(argument)} {list(argument.shape)} */")
        lines.append(f"  {c_type}* const {array} = room({count} * sizeof({c_type}));")
        if argument.is_written:
            other = f"right{n}"
            lines.append(f"  {c_type}* const {other} = room({count} * sizeof({c_type}));")
            checks.append(_check(argument, n, count))
        if argument.is_read:
            value = _value(argument, index)
            lines.append(f"  for (size_t i = 0; i < {count}; ++i) {array}[i] = {value};")
            if argument.is_written:
                lines.append(f"  memcpy({other}, {array}, {count} * sizeof({c_type}));")
        given.append(array)
        reference_given.append(other)
        types.append(f"{'' if argument.is_written else 'const '}{c_type}*")
    if sizes:
        values = ", ".join(map(str, sizes))
        lines.append(f"  const int64_t sizes[{len(sizes)}] = {{{values}}};")
        given.append("sizes")
        reference_given.append("sizes")
        types.append("const int64_t*")
    return _PROGRAM.format(
        name=name,
        reference_types=", ".join(types) or "void",
        statements="\n".join(lines),
        arguments=", ".join(given),
        reference_arguments=", ".join(reference_given),
        checks="\n".join(checks),
    )


def _check(argument: Argument, n: int, count: int) -> str:
    kind, got, right = _kind(argument), f"a{n}[i]", f"right{n}[i]"
    if kind in ("float16", "bfloat16"):
        fraction = 10 if kind == "float16" else 7
        got, right = f"of_bits({got}, {fraction})", f"of_bits({right}, {fraction})"
    usual, condition = "", f"{got} != {right}"
    if kind in _TOLERANCE:
        usual = _USUAL.format(n=n, count=count, right=right)
        condition = f"differs({got}, {right}, usual{n}, {_TOLERANCE[kind]!r})"
    return usual + _CHECK.format(
        count=count,
        condition=condition,
        array=argument.name,
        got=f"(double){got}",
        right=f"(double){right}",
    )


def _makefile(kernel: Kernel, libraries: Collection[str], threads: bool) -> str:
    if f"{kernel.name}.o" not in libraries:
        own = kernel.source.get("Makefile")
        return (own or _SOURCE_HEAD) + (_SOURCE if own is None else _ARCHIVE).format(
            name=kernel.name
        )
    has_shared = f"lib{kernel.name}.so" in libraries
    assert kernel._machine is not None
    foreign: _core.ForeignMachine | None = kernel._machine.foreign
    kinds = ("object", "archive", "shared") if has_shared else ("object", "archive")
    compiler, run, needs = "cc", "", ""
    if foreign is not None:
        compiler = foreign.compiler
        sysroot = f"/usr/{compiler.removesuffix('-gcc')}"  # where Debian has the C library of it
        run = f" {' '.join(foreign.emulator)} -L {sysroot}" if foreign.emulator else ""
        needs = " of the machine, and an emulator of it where this is another one"
    return _MAKEFILE.format(
        name=kernel.name,
        threads=" -pthread" if threads else "",
        compiler=compiler,
        run=run,
        needs=needs,
        programs=" ".join(f"{kernel.name}_with_{kind}" for kind in kinds),
        runs="".join(f"\t$(RUN) ./{kernel.name}_with_{kind}\n" for kind in kinds),
        shared=_SHARED.format(name=kernel.name) if has_shared else "",
    )
