"""Reads the text of a schedule back. Nothing in it is run as Python: only its own forms count."""

from __future__ import annotations

import ast
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from solway import _core, functions
from solway._location import caller, pretending
from solway._primitives import SCHEDULE_PRIMITIVES, STAGE_PRIMITIVES
from solway._schedule_writer import FUNCTIONS, HEADER, VERSION
from solway.errors import Error, ScheduleArgumentError, UnsupportedError
from solway.expr import Tensor, here
from solway.intrinsic import Intrinsic, micro_kernel
from solway.schedule import Schedule, create_schedule
from solway.stage import Stage
from solway.target import Target

__all__ = ["Interpreter", "load_schedule"]

_Value: TypeAlias = Any
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _NotASchedule(Exception):
    """A form that the text of a schedule does not have."""


class Interpreter:
    """Applies lines of a schedule's text to a schedule.

    Args:
        schedule: what the lines call ``s``.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._values: dict[str, _Value] = {"s": schedule}
        self._intrinsics = schedule._intrinsics

    def run(self, line: str) -> None:
        """Applies one line, which the writer made."""
        self.apply(ast.parse(line).body[0])

    def apply(self, statement: ast.stmt) -> None:
        """Applies one statement.

        Raises:
            _NotASchedule: it has another form.
        """
        if isinstance(statement, ast.Expr):
            self._value(statement.value)
            return
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            raise _NotASchedule("a line is a primitive or an assignment")
        value = self._value(statement.value)
        target = statement.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = value if isinstance(target, ast.Tuple) else (value,)
        if not isinstance(values, tuple | list) or len(values) != len(names):
            raise _NotASchedule(f"{len(names)} names for another number of results")
        for name, one in zip(names, values, strict=True):
            if not isinstance(name, ast.Name):
                raise _NotASchedule("only names are assigned")
            self._values[name.id] = one

    def _value(self, node: ast.expr, local: dict[str, _Value] | None = None) -> _Value:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._named(node.id, local or {})
        if isinstance(node, ast.List | ast.Tuple):
            values = [self._value(one, local) for one in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand, local)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            a, b = self._value(node.left, local), self._value(node.right, local)
            return _BINARY[type(node.op)](a, b)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            a, b = self._value(node.left, local), self._value(node.comparators[0], local)
            return _COMPARE[type(node.ops[0])](a, b)
        if isinstance(node, ast.Lambda):
            return self._function(node)
        if isinstance(node, ast.Subscript):
            return self._element(node)
        if isinstance(node, ast.Call):
            return self._call(node, local)
        raise _NotASchedule(f"'{ast.unparse(node)}' has no meaning in a schedule")

    def _named(self, name: str, local: dict[str, _Value]) -> _Value:
        if name in local:
            return local[name]
        if name not in self._values:
            raise _NotASchedule(f"'{name}' is not defined above")
        return self._values[name]

    def _function(self, node: ast.Lambda) -> Callable[..., _Value]:
        names = [argument.arg for argument in node.args.args]

        def function(*values: _Value) -> _Value:
            return self._value(node.body, dict(zip(names, values, strict=True)))

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(name, kind) for name in names]
        function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return function

    def _element(self, node: ast.Subscript) -> _Value:
        """``s[C]``, ``s.tensors["C"]``, ``s.sizes["n"]``, ``C.axis[0]``, ``s[C].axis[0]``."""
        index = self._value(node.slice)
        if isinstance(node.value, ast.Name) and node.value.id == "intrinsics":
            if index not in self._intrinsics:
                raise _NotASchedule(f"no intrinsic {index!r} is given: pass intrinsics=")
            return self._intrinsics[index]
        if isinstance(node.value, ast.Name):
            of = self._named(node.value.id, {})
            if of is not self._schedule:
                raise _NotASchedule(f"'{node.value.id}' is not indexed")
            return of[index]
        if not isinstance(node.value, ast.Attribute):
            raise _NotASchedule(f"'{ast.unparse(node)}' has no meaning in a schedule")
        of, name = self._value(node.value.value), node.value.attr
        if of is self._schedule and name in ("tensors", "sizes"):
            known = getattr(of, name)
            if index not in known:
                names = ", ".join(map(repr, known)) or "none"
                raise _NotASchedule(
                    f"these outputs have no {name[:-1]} {index!r}; they have {names}"
                )
            return known[index]
        if not isinstance(of, Tensor | Stage) or name not in ("axis", "reduce_axis"):
            raise _NotASchedule(f"'{ast.unparse(node)}' has no meaning in a schedule")
        axes = getattr(of, name)
        if not isinstance(index, int) or not 0 <= index < len(axes):
            raise _NotASchedule(f"'{ast.unparse(node.value)}' has {len(axes)} axes")
        return axes[index]

    def _call(self, node: ast.Call, local: dict[str, _Value] | None = None) -> _Value:
        if not isinstance(node.func, ast.Attribute):
            raise _NotASchedule(f"'{ast.unparse(node.func)}' is no primitive")
        if ast.unparse(node.func.value) == "sw" and node.func.attr in FUNCTIONS:
            function = getattr(functions, node.func.attr)
            return function(*(self._value(argument, local) for argument in node.args))
        if ast.unparse(node) == "sw.micro_kernel()":
            return micro_kernel()
        of, name = self._value(node.func.value), node.func.attr
        known = SCHEDULE_PRIMITIVES if of is self._schedule else STAGE_PRIMITIVES
        if not isinstance(of, Schedule | Stage) or name not in known:
            raise _NotASchedule(f"'{name}' is no primitive")
        args = [self._value(argument) for argument in node.args]
        named = {str(word.arg): self._value(word.value) for word in node.keywords}
        return getattr(of, name)(*args, **named)


def load_schedule(
    path: str | os.PathLike[str],
    outputs: Tensor | Iterable[Tensor],
    *,
    target: str | Target | os.PathLike[str] | None = None,
    intrinsics: Mapping[str, Intrinsic] | None = None,
) -> Schedule:
    """A schedule that `Schedule.save` wrote, made for these outputs.

    All primitives are applied and what they make is proved again: as a whole, and one by one where
    that fails, to say which is wrong. The file is read, never run: it can do nothing but schedule.

    Args:
        path: the file.
        outputs: the computed tensors, as `create_schedule` takes them; tensors are found by name.
        target: in place of the one in the file.
        intrinsics: those that ``tensorize`` takes in the file, by name: their code is no part of
            it.

    Returns:
        The schedule. The lines in its log are those of the file.

    Raises:
        ScheduleArgumentError: the file cannot be read or is no schedule, with its line.
        UnsupportedError: the file is of a later version.
        IllegalScheduleError: a primitive is illegal for these outputs.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
        >>> s = sw.create_schedule(B)
        >>> io, ii = s[B].split("i", factor=4)
        >>> s.save("b.schedule")
        >>> print(sw.load_schedule("b.schedule", [B]), end="")
        For i.o in range(2)
          For i.i in range(4)
            B[i.o*4 + i.i] = A[i.o*4 + i.i]*2.0
    """
    name = os.fspath(path)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ScheduleArgumentError(
            f"the schedule '{name}' cannot be read",
            str(why),
            "give the path of a file that s.save wrote",
            caller(),
        ) from None
    _require_header(name, text)
    lines = text.splitlines()

    def place(line: int) -> tuple[str, int, str]:
        return (name, line, lines[line - 1].strip() if 0 < line <= len(lines) else "")

    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise _damaged(name, getattr(error, "msg", str(error)), place(line)) from None
    if not statements:
        raise _damaged(name, "no line makes the schedule", place(1))
    with pretending(place(statements[0].lineno)):
        try:
            schedule = _created(statements[0], outputs, target)
            schedule._intrinsics.update(intrinsics or {})
        except _NotASchedule as error:
            raise _damaged(name, str(error), place(statements[0].lineno)) from None
    proved = _proved_as_a_whole(schedule, [(s, place(s.lineno)) for s in statements[1:]])
    if proved is not None:
        schedule._state = proved
        return schedule
    interpreter = Interpreter(schedule)
    for statement in statements[1:]:
        with pretending(place(statement.lineno)):
            try:
                interpreter.apply(statement)
            except _NotASchedule as error:
                raise _damaged(name, str(error), place(statement.lineno)) from None
            except Error:
                raise
            except (TypeError, ValueError) as error:
                raise _damaged(name, str(error), place(statement.lineno)) from None
    return schedule


def _proved_as_a_whole(
    schedule: Schedule, statements: list[tuple[ast.stmt, tuple[str, int, str]]]
) -> _core.ScheduleState | None:
    """The schedule after all lines, with one proof of what they make.

    Returns:
        None where anything is wrong or the proof is too large: applied one by one, the lines say
        what. None with assumptions, too: what is proved before they are made writes its sets in
        another way.
    """
    if any("s.assume(" in place[2] for _, place in statements):
        return None
    draft = Schedule(schedule._state.draft())
    draft._intrinsics = schedule._intrinsics
    interpreter = Interpreter(draft)
    for statement, place in statements:
        with pretending(place):
            try:
                interpreter.apply(statement)
            except (Error, _NotASchedule, TypeError, ValueError):
                return None
    return draft._state.settled(here())


def _require_header(name: str, text: str) -> None:
    first = text.split("\n", 1)[0].strip()
    version = first.removeprefix(HEADER)
    if version == first or not version.isdigit():
        raise ScheduleArgumentError(
            f"'{name}' is no schedule",
            f"its first line is {first[:60]!r}, not '{HEADER}{VERSION}'",
            "give a file that s.save wrote",
            (name, 1, first),
        )
    if int(version) > VERSION:
        raise UnsupportedError(
            f"'{name}' is of version {version}",
            f"this solway reads schedules up to version {VERSION}",
            "use the solway that wrote it, or a later one",
            (name, 1, first),
        )


def _created(
    statement: ast.stmt,
    outputs: Tensor | Iterable[Tensor],
    target: str | Target | os.PathLike[str] | None,
) -> Schedule:
    """``s = sw.create_schedule(outputs, inputs=["B"], target="sw26010")``."""
    call = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "sw.create_schedule":
        raise _NotASchedule("the first line is not 's = sw.create_schedule(outputs)'")
    options: dict[str, _Value] = {}
    for word in call.keywords:
        try:
            options[str(word.arg)] = ast.literal_eval(word.value)
        except ValueError:
            raise _NotASchedule(f"'{ast.unparse(word)}' is no option of a schedule") from None
    if target is not None:
        options["target"] = target
    return create_schedule(outputs, **options)


def _damaged(name: str, why: str, where: tuple[str, int, str]) -> ScheduleArgumentError:
    return ScheduleArgumentError(
        f"line {where[1]} of '{name}' is not of a schedule",
        why,
        "save the schedule again, or mend the line",
        where,
    )
