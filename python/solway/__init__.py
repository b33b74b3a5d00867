"""solway: a polyhedral schedule language and tensor compiler."""

from __future__ import annotations

from solway import library
from solway.compare import ComparisonError, compare
from solway.comparison import Comparison
from solway.emulation import emulator
from solway.errors import (
    AnalysisBudgetError,
    ArgumentMismatchError,
    CapacityError,
    DslError,
    EmulatorError,
    Error,
    IllegalScheduleError,
    InternalError,
    ScheduleArgumentError,
    UnsupportedError,
    Where,
)
from solway.expr import Axis, Expr, IterVar, Tensor
from solway.functions import (
    abs,
    all_of,
    any_of,
    cast,
    ceil,
    clip,
    cos,
    erf,
    exp,
    floor,
    log,
    maximum,
    minimum,
    pow,
    round,
    rsqrt,
    select,
    sigmoid,
    sin,
    sqrt,
    tanh,
)
from solway.hand_kernel import HandKernel, hand_kernel
from solway.kernel import Kernel, build
from solway.options import Options
from solway.program_writer import to_python
from solway.recurrences import recurrence, update
from solway.reductions import max, min, prod, sum
from solway.schedule import Schedule, create_schedule
from solway.schedule_reader import load_schedule
from solway.target import Target, targets
from solway.tensors import compute, placeholder, reduce_axis
from solway.unsupported import (
    all,
    any,
    argmax,
    argmin,
    bounded,
    constant,
    reducer,
    size,
)

__all__ = [
    "AnalysisBudgetError",
    "ArgumentMismatchError",
    "Axis",
    "CapacityError",
    "Comparison",
    "ComparisonError",
    "DslError",
    "EmulatorError",
    "Error",
    "Expr",
    "HandKernel",
    "IllegalScheduleError",
    "InternalError",
    "IterVar",
    "Kernel",
    "Options",
    "Schedule",
    "ScheduleArgumentError",
    "Target",
    "Tensor",
    "UnsupportedError",
    "Where",
    "abs",
    "all",
    "all_of",
    "any",
    "any_of",
    "argmax",
    "argmin",
    "bounded",
    "build",
    "cast",
    "ceil",
    "clip",
    "compare",
    "compute",
    "constant",
    "cos",
    "create_schedule",
    "emulator",
    "erf",
    "exp",
    "floor",
    "hand_kernel",
    "library",
    "load_schedule",
    "log",
    "max",
    "maximum",
    "min",
    "minimum",
    "placeholder",
    "pow",
    "prod",
    "recurrence",
    "reduce_axis",
    "reducer",
    "round",
    "rsqrt",
    "select",
    "sigmoid",
    "sin",
    "size",
    "sqrt",
    "sum",
    "tanh",
    "targets",
    "to_python",
    "update",
]
