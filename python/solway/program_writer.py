"""Programs as text: the script that defines equal tensors."""

from __future__ import annotations

import keyword
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from solway import _core, bitwise, functions, math_functions, reductions
from solway._location import caller
from solway.errors import DslError, UnsupportedError
from solway.expr import Tensor

__all__ = ["to_python"]

VERSION = 1
HEADER = "# solway program, version "

_COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)  # how tightly a text binds
_INFIX = {
    "<": ("<", _COMPARISON),
    "<=": ("<=", _COMPARISON),
    ">": (">", _COMPARISON),
    ">=": (">=", _COMPARISON),
    "==": ("==", _COMPARISON),
    "!=": ("!=", _COMPARISON),
    "+": ("+", _SUM),
    "-": ("-", _SUM),
    "*": ("*", _PRODUCT),
    "/": ("/", _PRODUCT),
    "//": ("//", _PRODUCT),
    "%": ("%", _PRODUCT),
    "pow": ("**", _POWER),
}
_FOLDED = {"and": "all_of", "or": "any_of"}
_PREFIX = {"-": "-", "not": "~"}
_FUNCTIONS = frozenset((*functions.__all__, *math_functions.__all__, *bitwise.__all__))
_NAMED = {
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<<": "left_shift",
    ">>": "right_shift",
    "min": "minimum",
    "max": "maximum",
}
_POSITIONS = ("argmin", "argmax")
_LITERALS = ("int", "float")
_PYTHON_TYPES = ("int64", "float64", "bool")  # of Python's own numbers
_HEIGHT = 24  # expressions get a name of their own at every so many levels


class _Text(NamedTuple):
    text: str
    level: int


class _Function(NamedTuple):
    lines: list[str]  # that stand before its use
    text: str


def to_python(outputs: Tensor | Iterable[Tensor]) -> str:
    """The script that defines equal tensors.

    With what `Schedule.to_python` gives behind it, it makes an equal schedule.

    Args:
        outputs: a computed tensor, or several.

    Returns:
        Python text that imports solway as ``sw`` and ends with ``outputs = [...]``.

    Raises:
        DslError: an output is no tensor.
        UnsupportedError: an expression of a kind that has no text yet.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> B = sw.compute((4,), lambda i: sw.sum(A[i, k] * 2, axis=k), name="B")
        >>> print(sw.to_python(B), end="")
        # solway program, version 1
        import solway as sw
        A = sw.placeholder((4, 8), "float32", name="A")
        k = sw.reduce_axis((0, 8), name="k")
        B = sw.compute((4,), lambda i: sw.sum(A[i, k] * 2.0, axis=[k]), name="B")
        outputs = [B]
    """
    tensors = list(outputs) if isinstance(outputs, Iterable) else [outputs]
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise DslError(
                "to_python takes tensors", f"got {tensor!r}", "pass what sw.compute returned",
                caller(),
            )  # fmt: skip
    return _Program([tensor._node for tensor in tensors]).text()


class _Program:
    """The lines of one program; variables stand for tensors and for axes of reductions."""

    def __init__(self, outputs: list[_core.Tensor]) -> None:
        self._outputs = outputs
        self._order = _in_order(outputs)
        parameters = {axis.name for tensor in self._order for axis in tensor.axis}
        # Parameters of a function have the names of its axes, and must hide nothing that it uses.
        self._taken = {*parameters, *keyword.kwlist, "float", "outputs", "s"}
        self._module = "sw"
        while self._module in parameters:
            self._module += "_"
        self._taken |= {"sw", "np", self._module}
        self._names: dict[_core.Tensor, str] = {}
        self._axes: dict[_core.Axis, str] = {}
        self._reducers: dict[_core.Expr, str] = {}
        self._sizes: dict[_core.Size, str] = {}

    def text(self) -> str:
        lines = [f"{HEADER}{VERSION}"]
        if any(tensor.is_constant for tensor in self._order):
            lines.append("import numpy as np")
        lines.append("import solway as sw")
        if self._module != "sw":
            lines.append(f"{self._module} = sw")
        for tensor in self._order:
            if tensor not in self._names:
                sizes = [size for member in tensor.members for size in member.sizes]
                lines += [line for size in sizes for line in self._size(size)]
                lines += self._definition(tensor)
        names = ", ".join(self._names[tensor] for tensor in self._outputs)
        return "\n".join([*lines, f"outputs = [{names}]"]) + "\n"

    def variable(self, name: str) -> str:
        """An identifier like `name` that stands for nothing else."""
        word, count = name, 2
        while word in self._taken:
            word, count = f"{name}_{count}", count + 1
        self._taken.add(word)
        return word

    def _definition(self, tensor: _core.Tensor) -> list[str]:
        if len(tensor.members) > 1:
            return self._tuple(tensor.members)
        name = self.variable(tensor.name)
        shape = _tuple_of([self._extent(extent) for extent in tensor.shape])
        if tensor.is_constant:
            self._names[tensor] = name
            words = [_values_of(tensor, shape), f'"{tensor.dtype}"']
            return [self._call(name, "constant", words, tensor)]
        if tensor.body is None:
            self._names[tensor] = name
            words = [shape, f'"{tensor.dtype}"']
            return [self._call(name, "placeholder", words, tensor)]
        lines = self._parts(tensor)
        if tensor.base is not None:
            box = _tuple_of([self._extent(axis.bounds[1]) for axis in tensor.axis])
            index, value = self._index(tensor), self._value(tensor)
            words = [self._names[tensor.base], box, index.text, value.text]
            lines += index.lines + value.lines
            call = "update"
        elif tensor.self is not None:
            own = self.variable("self")
            self._names[tensor.self] = own
            value = self._value(tensor, own)
            words = [shape, value.text, f'"{tensor.dtype}"']
            lines += value.lines
            call = "recurrence"
        else:
            value = self._value(tensor)
            words = [shape, value.text]
            lines += value.lines
            call = "compute"
        self._add_domain(tensor, lines, words)
        self._names[tensor] = name
        return [*lines, self._call(name, call, words, tensor)]

    def _tuple(self, members: list[_core.Tensor]) -> list[str]:
        """Tensors that one compute makes: their names are its own and a number."""
        first = members[0]
        shape = _tuple_of([self._extent(extent) for extent in first.shape])
        lines = self._parts(first)
        bodies = [member.body for member in members if member.body is not None]
        value = self._function(first, bodies, "value")
        words = [shape, value.text]
        lines += value.lines
        self._add_domain(first, lines, words)
        names = [self.variable(member.name) for member in members]
        self._names.update(zip(members, names, strict=True))
        words.append(f'name="{first.name.removesuffix("_0")}"')
        call = f"{self._module}.compute({', '.join(words)})"
        return [*lines, f"{', '.join(names)} = {call}"]

    def _parts(self, tensor: _core.Tensor) -> list[str]:
        """The axes and the reducers that the bodies of a stage use."""
        lines = [line for axis in tensor.reduce_axis for line in self._reduce_axis(axis)]
        for member in tensor.members:
            assert member.body is not None
            for node in _postorder([member.body]):
                if node.kind == "reducer" and node.op not in _POSITIONS:
                    lines += self._reducer(node)
        return lines

    def _add_domain(self, tensor: _core.Tensor, lines: list[str], words: list[str]) -> None:
        if tensor.domain is None:
            return
        domain = self._function(tensor, [tensor.domain], "domain")
        lines += domain.lines
        words.append(f"where={domain.text}")

    def _reducer(self, node: _core.Expr) -> list[str]:
        if node in self._reducers:
            return []
        count = len(node.identity)
        a, b = self.variable("a"), self.variable("b")
        params = [f"{word}[{n}]" if count > 1 else word for word in (a, b) for n in range(count)]
        writer = _Expression(self, {}, params)
        values = writer.values(node.results)
        identity = [_plain(value).text for value in node.identity]
        result, start = (
            (values[0], identity[0]) if count == 1 else map(_tuple_of, (values, identity))
        )
        lines, function = [], f"lambda {a}, {b}: {result}"
        if writer.lines:
            function = self.variable(f"combine_of_{node.op}")
            body = [*writer.lines, f"return {result}"]
            lines = [f"def {function}({a}, {b}):", *(f"    {line}" for line in body)]
        name = self._reducers[node] = self.variable(node.op)
        words = [function, start, f"commutative={node.is_commutative}", f'name="{node.op}"']
        return [*lines, f"{name} = {self._module}.reducer({', '.join(words)})"]

    def _call(self, name: str, function: str, words: list[str], tensor: _core.Tensor) -> str:
        words = [*words, f'name="{tensor.name}"']
        return f"{name} = {self._module}.{function}({', '.join(words)})"

    def _reduce_axis(self, axis: _core.Axis) -> list[str]:
        if axis in self._axes:
            return []
        word = self._axes[axis] = self.variable(axis.name)
        begin, end = map(self._extent, axis.bounds)
        return [f'{word} = {self._module}.reduce_axis(({begin}, {end}), name="{axis.name}")']

    def _size(self, size: _core.Size) -> list[str]:
        if size in self._sizes:
            return []
        word = self._sizes[size] = self.variable(size.name)
        bounds = f"min={size.min}, max={size.max}"
        return [f'{word} = {self._module}.size("{size.name}", {bounds})']

    def _extent(self, extent: int | _core.Expr) -> str:
        """A number, or a sum of sizes."""
        if isinstance(extent, int):
            return str(extent)
        writer = _Expression(self, {}, named=False)
        return writer.values([extent])[0]

    def _value(self, tensor: _core.Tensor, own: str = "") -> _Function:
        assert tensor.body is not None
        return self._function(tensor, [tensor.body], "value", own)

    def _index(self, tensor: _core.Tensor) -> _Function:
        return self._function(tensor, tensor.index, "index")

    def _function(
        self, tensor: _core.Tensor, results: list[_core.Expr], role: str, own: str = ""
    ) -> _Function:
        """A function from axes to a value, or to a tuple; of a recurrence, from itself too."""
        writer = _Expression(self, {**self._axes, **{axis: axis.name for axis in tensor.axis}})
        values = writer.values(results)
        value = values[0] if len(values) == 1 else _tuple_of(values)
        names = ([own] if own else []) + [axis.name for axis in tensor.axis]
        parameters = ", ".join(names)
        if not writer.lines:
            return _Function([], f"lambda {parameters}: {value}" if names else f"lambda: {value}")
        name = self.variable(f"{role}_of_{tensor.name}")
        body = [*writer.lines, f"return {value}"]
        return _Function([f"def {name}({parameters}):", *(f"    {line}" for line in body)], name)

    def module(self) -> str:
        """What the text calls solway."""
        return self._module

    def name(self, tensor: _core.Tensor) -> str:
        """The variable of a tensor."""
        return self._names[tensor]

    def reducer(self, node: _core.Expr) -> str:
        """The variable of the reducer of a node."""
        return self._reducers[node]

    def size(self, size: _core.Size) -> str:
        """The variable of a size."""
        return self._sizes[size]


class _Expression:
    """Writes the expressions of one function, innermost parts first.

    What is used more than once, and what is deep, gets a line and a name of its own, so that the
    text is as large as the expression.
    """

    def __init__(
        self,
        program: _Program,
        axes: dict[_core.Axis, str],
        params: Sequence[str] = (),
        *,
        named: bool = True,
    ) -> None:
        self.lines: list[str] = []
        self._program = program
        self._axes = axes
        self._params = params
        self._may_name = named
        self._texts: dict[_core.Expr, _Text] = {}
        self._named: set[_core.Expr] = set()

    def values(self, roots: Sequence[_core.Expr]) -> list[str]:
        """The texts of expressions, which stand behind `lines`."""
        order = _postorder(roots)
        uses = Counter(operand for node in order for operand in node.operands)
        uses.update(roots)
        height: dict[_core.Expr, int] = {}
        for node in order:
            below = max((height[operand] for operand in node.operands), default=0)
            height[node] = below + 1
            if node.kind in _LITERALS:
                continue  # as its user needs it
            self._texts[node] = self._form(node)
            shared = uses[node] > 1 and node.kind not in ("axis", "param", "size")
            is_whole = node in roots and uses[node] == 1
            if self._may_name and not is_whole and (shared or height[node] > _HEIGHT):
                name = self._program.variable("t")
                self.lines.append(f"{name} = {self._texts[node].text}")
                self._texts[node] = _Text(name, _ATOM)
                self._named.add(node)
                height[node] = 0
        return [self._operand(root).text for root in roots]

    def _form(self, node: _core.Expr) -> _Text:
        if node.kind == "axis":
            assert node.axis is not None
            return _Text(self._axes[node.axis], _ATOM)
        if node.kind == "size":
            assert node.size is not None
            return _Text(self._program.size(node.size), _ATOM)
        if node.kind == "read":
            assert node.tensor is not None
            index = ", ".join(self._operand(operand).text for operand in node.operands)
            return _Text(f"{self._program.name(node.tensor)}[{index or '()'}]", _ATOM)
        if node.kind == "unary":
            return self._unary(node)
        if node.kind == "binary":
            return self._binary(node)
        if node.kind == "select":
            condition, *chosen = node.operands
            words = [self._operand(condition).text, *(t.text for t in self._pair(*chosen))]
            return self._call("select", *words)
        if node.kind == "cast":
            return self._call("cast", self._operand(node.operands[0]).text, f'"{node.dtype}"')
        if node.kind == "reduce" and node.op in reductions.__all__:
            axes = ", ".join(self._axes[axis] for axis in node.axes)
            return self._call(node.op, self._operand(node.operands[0]).text, f"axis=[{axes}]")
        if node.kind == "reducer":
            return self._reducer(node)
        if node.kind == "item":
            reducer = self._texts[node.operands[0]]
            is_position = node.operands[0].op in _POSITIONS
            return reducer if is_position else _Text(f"{reducer.text}[{node.int_value}]", _ATOM)
        if node.kind == "param":
            return _Text(self._params[node.int_value], _ATOM)
        if node.kind == "bounded":
            terms = (self._operand(operand).text for operand in node.operands)
            return self._call("bounded", *terms)
        raise _no_text(f"'{node.op or node.kind}'")

    def _reducer(self, node: _core.Expr) -> _Text:
        axes = ", ".join(self._axes[axis] for axis in node.axes)
        terms = [self._operand(operand).text for operand in node.operands]
        if node.op in _POSITIONS:
            return self._call(node.op, terms[0], f"axis=[{axes}]")
        value = terms[0] if len(terms) == 1 else _tuple_of(terms)
        return _Text(f"{self._program.reducer(node)}({value}, axis=[{axes}])", _ATOM)

    def _unary(self, node: _core.Expr) -> _Text:
        operand = node.operands[0]
        if node.op in _PREFIX:
            text = self._literal(operand) if operand.kind in _LITERALS else self._texts[operand]
            return _Text(_PREFIX[node.op] + _in(text, _POWER), _SIGN)
        if node.op not in _FUNCTIONS:
            raise _no_text(f"'{node.op}'")
        return self._call(node.op, self._operand(operand).text)

    def _binary(self, node: _core.Expr) -> _Text:
        a, b = node.operands
        if node.op in _INFIX:
            symbol, level = _INFIX[node.op]
            # Comparisons of Python chain, and powers group from the right: both get parentheses.
            left, right = self._pair(a, b, infix=True)
            loosest = level if level in (_SUM, _PRODUCT) else level + 1
            return _Text(f"{_in(left, loosest)} {symbol} {_in(right, level + 1)}", level)
        if node.op in _FOLDED:
            terms: list[_core.Expr] = [b]
            while a.kind == "binary" and a.op == node.op and a not in self._named:
                a, b = a.operands
                terms.append(b)
            words = [self._operand(term).text for term in (a, *reversed(terms))]
            return self._call(_FOLDED[node.op], *words)
        name = _NAMED.get(node.op, node.op)
        if name not in _FUNCTIONS:
            raise _no_text(f"'{node.op}'")
        return self._call(name, *(text.text for text in self._pair(a, b)))

    def _call(self, name: str, *words: str) -> _Text:
        return _Text(f"{self._program.module()}.{name}({', '.join(words)})", _ATOM)

    def _pair(self, a: _core.Expr, b: _core.Expr, *, infix: bool = False) -> tuple[_Text, _Text]:
        """Two operands that meet in one type: a number beside what is none takes the other's."""
        if a.kind in _LITERALS and b.kind in _LITERALS:
            # Python itself would compute with two of its numbers.
            return (self._literal(a) if infix else self._operand(a)), self._operand(b)
        return self._beside(a), self._beside(b)

    def _beside(self, node: _core.Expr) -> _Text:
        """An operand next to one that is no number."""
        return _plain(node) if node.kind in _LITERALS else self._texts[node]

    def _operand(self, node: _core.Expr) -> _Text:
        """An operand by itself: a number of another type than Python's says so."""
        if node.kind not in _LITERALS:
            return self._texts[node]
        return _plain(node) if node.dtype in _PYTHON_TYPES else self._literal(node)

    def _literal(self, node: _core.Expr) -> _Text:
        """A number of its own type."""
        return self._call("cast", _plain(node).text, f'"{node.dtype}"')


def _in(text: _Text, level: int) -> str:
    return text.text if text.level >= level else f"({text.text})"


def _plain(node: _core.Expr) -> _Text:
    """A number as Python writes it."""
    if node.kind == "int":
        text = str(bool(node.int_value)) if node.dtype == "bool" else str(node.int_value)
    elif not math.isfinite(node.float_value):
        text = f'float("{node.float_value}")'
    else:
        narrow = np.float32(node.float_value) if node.dtype == "float32" else None
        text = repr(node.float_value) if narrow is None else _decimal(narrow)
    return _Text(text, _SIGN if text.startswith("-") else _ATOM)


def _decimal(value: np.float32) -> str:
    """The shortest text that is this number again."""
    text = str(value)
    return text if float(np.float32(float(text))) == float(value) else repr(float(value))


def _tuple_of(words: list[str]) -> str:
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"


def _values_of(tensor: _core.Tensor, shape: str) -> str:
    """The elements of a constant as an array of NumPy."""
    dtype = "uint16" if tensor.dtype == "bfloat16" else tensor.dtype  # its bits
    words = []
    for value in np.frombuffer(tensor.values, dtype):
        number = value.item()
        words.append(repr(number) if math.isfinite(number) else f'float("{number}")')
    return f'np.array([{", ".join(words)}], "{dtype}").reshape({shape})'


def _postorder(roots: Sequence[_core.Expr]) -> list[_core.Expr]:
    """Every node once, each after its operands. Without recursion: expressions may be deep."""
    order: list[_core.Expr] = []
    seen: set[_core.Expr] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(operand, False) for operand in reversed(node.operands)]
    return order


def _in_order(outputs: Iterable[_core.Tensor]) -> list[_core.Tensor]:
    """Every tensor once, each after what it reads, and an update after all that read its base."""
    reached = _visit(outputs, {})
    readers: dict[_core.Tensor, list[_core.Tensor]] = {}
    for tensor in reached:
        for read in tensor.inputs:
            readers.setdefault(read, []).append(tensor)
    before = {
        tensor: [other for other in readers[tensor.base] if other != tensor]
        for tensor in reached
        if tensor.base is not None
    }
    return _visit(outputs, before) if before else reached


def _visit(
    outputs: Iterable[_core.Tensor], before: dict[_core.Tensor, list[_core.Tensor]]
) -> list[_core.Tensor]:
    """Every tensor once, each after its inputs and after those that `before` says."""
    order: list[_core.Tensor] = []
    seen: set[_core.Tensor] = set()
    stack = [(tensor, False) for tensor in reversed(list(outputs))]
    while stack:
        tensor, ready = stack.pop()
        if ready:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            first = [*tensor.inputs, *before.get(tensor, ())]
            stack += [(other, False) for other in reversed(first)]
    return order


def _no_text(what: str) -> UnsupportedError:
    return UnsupportedError(
        f"{what} has no text",
        "to_python writes tensors of every kind, reductions, casts, selects and the functions of "
        "solway",
        "keep the script that defines it",
        caller(),
    )
