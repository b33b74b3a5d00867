"""Schedules as text: the script that makes one, out of its log.

The text is Python of one shape: ``name = s.tensors["T"]`` for each tensor that a primitive names
and ``name = s.sizes["n"]`` for each size, then one line per primitive. `load_schedule` reads the
same shape back without running it.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable

from solway import _core
from solway._primitives import SCHEDULE_PRIMITIVES
from solway._schedule_history import states_of
from solway.expr import Tensor
from solway.schedule import Schedule
from solway.step import StepRow

__all__ = ["FUNCTIONS", "HEADER", "ScheduleWriter", "script_of"]

VERSION = 1
HEADER = "# solway schedule, version "

#: Primitives that return a tuple, even of one loop.
_TUPLES = frozenset({"affine", "fission"})
#: Functions of solway that expressions of axes and sizes have.
FUNCTIONS = frozenset(
    {"abs", "all_of", "any_of", "cast", "logical_not", "maximum", "minimum", "select"}
)
_REFERENCE = re.compile(r"\{(sizes\.)?(\w+)\}")


class ScheduleWriter:
    """Writes the lines of one schedule, step by step, giving each loop and tensor a variable.

    Args:
        schedule: whose log is written.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.fetched: dict[str, str] = {}  # lines that fetch tensors and sizes, by variable
        self.first: set[str] = set()  # those variables that are there before the first primitive
        self._schedule = schedule
        self._given = _tensors_of(schedule._state.outputs())  # names
        self._names: dict[str, str] = {}  # tensors and buffers
        self._sizes: dict[str, list[str]] = {}
        self._loops: dict[int, str] = {}
        self._taken = {"s", "sw", "outputs", *keyword.kwlist}

    def line(self, row: StepRow, before: _core.ScheduleState) -> str:
        """The line of one step.

        Args:
            row: the step, as `ScheduleState.log` gives it.
            before: the schedule that it was applied to.

        Returns:
            The line, without what fetches the tensors and sizes that it names.
        """
        primitive, stage, arguments, results, _, made = row
        on_stage = primitive not in SCHEDULE_PRIMITIVES
        receiver = f"s[{self._tensor(stage)}]" if on_stage else "s"
        words = [self._argument(*argument, stage, before) for argument in arguments]
        call = f"{receiver}.{primitive}({', '.join(words)})"
        targets = [self._new_loop(id) for id in results]
        if made:
            tensor = self._schedule.tensors.get(made)
            names = [made] if tensor is None else [m.name for m in tensor._node.members]
            targets = [self._names.setdefault(name, self._variable(name)) for name in names]
        comma = "," if primitive in _TUPLES and len(targets) == 1 else ""
        return f"{', '.join(targets)}{comma} = {call}" if targets else call

    def _argument(
        self, name: str, kind: str, value: int | str, stage: str, before: _core.ScheduleState
    ) -> str:
        if kind == "loop":
            text = self._loop(int(value), stage, before)
        elif kind == "text":
            raw = str(value)
            parameters = set(re.split(r"\W+", raw.partition(":")[0])) if "lambda" in raw else set()

            def resolved(match: re.Match[str]) -> str:
                word = match.group(2)
                if match.group(1):
                    return self._size(word, parameters)
                return self._loop(int(word), stage, before) if word.isdigit() else self._name(word)

            text = _with_functions(_REFERENCE.sub(resolved, raw))
        else:
            text = _literal(value)
        return f"{name}={text}" if name else text

    def _name(self, word: str) -> str:
        """A buffer or a tensor; whatever was made by an earlier line has a variable already."""
        return self._names[word] if word in self._names else self._tensor(word)

    def _tensor(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._variable(name)
            self._fetch(self._names[name], f"tensors[{_literal(name)}]")
            if name in self._given:
                self.first.add(self._names[name])
        return self._names[name]

    def _size(self, name: str, parameters: set[str]) -> str:
        """The variable of a size, another one where a lambda has a parameter of its name."""
        variables = self._sizes.setdefault(name, [])
        for variable in variables:
            if variable not in parameters:
                return variable
        variables.append(self._variable(name, parameters))
        self._fetch(variables[-1], f"sizes[{_literal(name)}]")
        self.first.add(variables[-1])
        return variables[-1]

    def _fetch(self, variable: str, what: str) -> None:
        self.fetched[variable] = f"{variable} = s.{what}"

    def _loop(self, id: int, stage: str, before: _core.ScheduleState) -> str:
        if id in self._loops:
            return self._loops[id]
        stages = [Tensor(node) for node in before.stages()]
        for tensor in stages:
            name = tensor.name
            for kind, axes in (("axis", tensor.axis), ("reduce_axis", tensor.reduce_axis)):
                for place, axis in enumerate(axes):
                    # Versions of a stage share their axes, which then name no loop by themselves.
                    meant = {before.loop_of_axis(other.name, axis._axis) for other in stages}
                    if meant - {-1} == {id}:
                        return f"{self._tensor(name)}.{kind}[{place}]"
        for name in (stage, *(Tensor(node).name for node in before.stages())):
            rows = before.loops(name)
            for kind, is_reduce in (("axis", False), ("reduce_axis", True)):
                ids = [row[0] for row in rows if row[2] == is_reduce]
                if id in ids:
                    return f"s[{self._tensor(name)}].{kind}[{ids.index(id)}]"
        return _literal(before.loop_name(id))

    def _new_loop(self, id: int) -> str:
        self._loops[id] = self._variable(self._schedule._state.loop_name(id))
        return self._loops[id]

    def _variable(self, name: str, others: set[str] | None = None) -> str:
        """An identifier like `name` that stands for nothing else, and is none of `others`."""
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        word, count = plain, 2
        while word in self._taken or (others and word in others):
            word, count = f"{plain}_{count}", count + 1
        self._taken.add(word)
        return word


def _tensors_of(outputs: Iterable[_core.Tensor]) -> set[str]:
    """The names of all tensors that the outputs stand on, and their own."""
    names: set[str] = set()
    waiting = [member for output in outputs for member in output.members]
    while waiting:
        tensor = waiting.pop()
        if tensor.name in names:
            continue
        names.add(tensor.name)
        waiting += [member for read in tensor.inputs for member in read.members]
    return names


def script_of(schedule: Schedule) -> str:
    """The script that makes `schedule`, given ``sw`` and ``outputs``.

    Args:
        schedule: what to write.

    Returns:
        Python text; the first line gives the version of its form.
    """
    writer = ScheduleWriter(schedule)
    states = states_of(schedule)
    rows = schedule._state.log()
    lines, fetched = [], {}
    for row, before in zip(rows, states, strict=False):
        line = writer.line(row, before)
        # What a primitive made, as the copy of a tensor in another layout, is there afterwards.
        late = [text for name, text in writer.fetched.items() if name not in writer.first]
        fetched.update({n: text for n, text in writer.fetched.items() if n in writer.first})
        writer.fetched.clear()
        lines += [*late, line]
    named = schedule._target
    target = "" if named is None else f", target={_literal(named)}"
    given = ", ".join(_literal(tensor.name) for tensor in schedule._state.given())
    inputs = f", inputs=[{given}]" if given else ""
    fast = ", fast_math=True" if schedule._algorithms is not None else ""
    head = [f"{HEADER}{VERSION}", f"s = sw.create_schedule(outputs{inputs}{target}{fast})"]
    return "\n".join([*head, *fetched.values(), *lines]) + "\n"


class _Functions(ast.NodeTransformer):
    """Words of expressions that Python has not, or means otherwise, as functions of solway."""

    def __init__(self) -> None:
        self.is_changed = False

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("all_of" if isinstance(node.op, ast.And) else "any_of", node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return self._call("logical_not", [node.operand])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            return node
        arguments = node.args
        if node.func.id == "cast":
            arguments = [arguments[0], ast.Constant(ast.unparse(arguments[1]))]
        return self._call(node.func.id, arguments)

    def _call(self, name: str, arguments: list[ast.expr]) -> ast.Call:
        self.is_changed = True
        return ast.Call(ast.Attribute(ast.Name("sw"), name), arguments, [])


def _with_functions(text: str) -> str:
    changes = _Functions()
    tree = changes.visit(ast.parse(text, mode="eval"))
    return ast.unparse(tree) if changes.is_changed else text


def _literal(value: int | str) -> str:
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
