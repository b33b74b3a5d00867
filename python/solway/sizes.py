"""Sizes that are known when a kernel runs: one compiled kernel serves all their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from solway import _core
from solway._arguments import Argument, Array
from solway._location import assigned_name, caller
from solway.errors import ArgumentMismatchError, DslError
from solway.expr import Expr

__all__ = ["Size", "size"]

_Place = tuple[str, int, str]


class Size(Expr):
    """A number that is known when the kernel runs, with stated bounds.

    It may stand in shapes, in the ranges of reduction axes and in expressions; sums of sizes and
    their multiples by constants are sizes too.

    Example:
        >>> n = sw.size("n", min=1, max=4096)
        >>> A = sw.placeholder((n, 8), name="A")
        >>> sw.compute((n + 1, 8), lambda i, j: A[sw.minimum(i, n - 1), j], name="B")
        B: float32[n + 1, 8] = [i, j] A[minimum(i, n - 1), j]
    """

    __slots__ = ("_size",)

    def __init__(self, size: _core.Size) -> None:
        self._size = size

    def _node_at(self, where: _core.SourceLoc) -> _core.Expr:
        return _core.make_size_ref(self._size, where)

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return str(self._size.name)

    @property
    def min(self) -> int:
        """The least that it can be."""
        return int(self._size.min)

    @property
    def max(self) -> int:
        """The most that it can be: what buffers and temporaries are sized by."""
        return int(self._size.max)

    def __repr__(self) -> str:
        return self.name


def size(name: str | None = None, *, min: int = 1, max: int) -> Size:
    """A size that is known when the kernel runs.

    Calls take its value from the shapes of the arrays. What needs memory of its own, temporaries
    and buffers, is sized by `max`. `Schedule.assume` states more of it than bounds.

    Args:
        name: an identifier; default the variable that the line assigns.
        min: the least that it can be, 0 or more.
        max: the most that it can be.

    Returns:
        Size, an int64 expression.

    Raises:
        DslError: a name that is no identifier, bounds that are no integers or hold no value.

    Example:
        >>> n = sw.size("n", max=1024)
        >>> A = sw.placeholder((n,), name="A")
        >>> B = sw.compute((n,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B])
        >>> k.run(np.ones(3, "float32")), k.run(np.ones(2, "float32"))
        (array([2., 2., 2.], dtype=float32), array([2., 2.], dtype=float32))
    """
    where = caller()
    name = assigned_name(where[2], "n") if name is None else name
    for role, bound in (("min", min), ("max", max)):
        if isinstance(bound, bool) or not isinstance(bound, int) or not -(2**63) <= bound < 2**63:
            raise DslError(
                f"{role} of size '{name}' is no integer",
                f"got {bound!r}",
                "give a constant integer of 64 bits",
                where,
            )
    return Size(_core.make_size(name, min, max, _core.SourceLoc(*where)))


def _require_ranks(
    arguments: Sequence[Argument], arrays: Sequence[Array | None], where: _Place
) -> None:
    for argument, array in zip(arguments, arrays, strict=True):
        rank = len(argument.shape)
        if array is None or array.ndim == rank:
            continue
        raise ArgumentMismatchError(
            f"argument '{argument.name}' has another number of dimensions",
            f"expected ({', '.join(map(str, argument.shape))}{',' * (rank == 1)}), "
            f"got {array.shape}",
            f"pass an array of rank {rank}",
            where,
        )


def bind(
    kernel: str,
    sizes: Sequence[_core.Size],
    arguments: Sequence[Argument],
    arrays: Sequence[Array | None],
    given: Mapping[str, int],
    where: _Place,
) -> dict[str, int]:
    """The value of every size in a call.

    Args:
        kernel: its name.
        sizes: what it takes.
        arguments: its arguments.
        arrays: one per argument; None for one that is to be allocated.
        given: values by name that the caller states.
        where: the caller's line.

    Returns:
        Values by name.

    Raises:
        ArgumentMismatchError: a size outside of its bounds, or one that no shape tells.
    """
    values = _stated(kernel, sizes, given, where)
    _require_ranks(arguments, arrays, where)
    extents = [
        (argument, d, node, array.shape[d])
        for argument, array in zip(arguments, arrays, strict=True)
        if array is not None
        for d, extent in enumerate(argument.shape)
        if isinstance(extent, Expr)
        for node in (extent._node,)
    ]
    for size in sizes:
        for argument, d, node, length in extents:
            names = names_in(node)
            if size.name in values or size.name not in names or names - {*values, size.name}:
                continue
            found = _solve(node, size, values, length)
            if found is None and node.kind == "size":
                raise ArgumentMismatchError(
                    f"argument '{argument.name}' has too {'few' if length < size.min else 'many'} "
                    f"elements along dimension {d}",
                    f"its extent '{size.name}' runs from {size.min} to {size.max}; got {length}",
                    f"pass an array within these bounds, or state others in sw.size({size.name!r})",
                    where,
                )
            if found is None:
                raise ArgumentMismatchError(
                    f"argument '{argument.name}' has an extent that no '{size.name}' gives",
                    f"extent {d} is {node}, with {size.min} <= {size.name} <= {size.max}; "
                    f"got {length}",
                    f"pass an array whose extent is {node}",
                    where,
                )
            values[size.name] = found
    missing = [size.name for size in sizes if size.name not in values]
    if missing:
        raise ArgumentMismatchError(
            f"{kernel} needs the value of '{missing[0]}'",
            "the shapes of the arrays do not tell it",
            f"pass sizes={{'{missing[0]}': ...}}",
            where,
        )
    return values


def concrete(argument: Argument, values: Mapping[str, int]) -> Argument:
    """The argument with numbers for the sizes in its shape."""
    shape = tuple(
        evaluate(extent._node, values) if isinstance(extent, Expr) else extent
        for extent in argument.shape
    )
    return argument._replace(shape=shape)


def _stated(
    kernel: str, sizes: Sequence[_core.Size], given: Mapping[str, int], where: _Place
) -> dict[str, int]:
    known = {size.name: size for size in sizes}
    if not isinstance(given, Mapping):
        raise ArgumentMismatchError(
            f"sizes of {kernel} are no mapping",
            f"got {type(given).__name__}",
            "pass sizes={'n': 4}",
            where,
        )
    for name, value in given.items():
        if name not in known:
            raise ArgumentMismatchError(
                f"{kernel} has no size '{name}'",
                f"its sizes are {', '.join(map(repr, known)) or 'none'}",
                "name one of them",
                where,
            )
        if not hasattr(value, "__index__") or isinstance(value, bool):
            raise ArgumentMismatchError(
                f"size '{name}' is no integer", f"got {value!r}", "pass an int", where
            )
        if not known[name].min <= value <= known[name].max:
            raise ArgumentMismatchError(
                f"size '{name}' is out of its bounds",
                f"got {value}, it runs from {known[name].min} to {known[name].max}",
                "pass a value within them",
                where,
            )
    return {name: int(value) for name, value in given.items()}


def _solve(
    node: _core.Expr, size: _core.Size, values: Mapping[str, int], length: int
) -> int | None:
    """The value of `size` for which `node` is `length`; the least of several, None without one.

    An affine expression of one size rises, falls or stays, so that halving finds it.
    """

    def at(value: int) -> int:
        return evaluate(node, {**values, size.name: value})

    low, high = size.min, size.max
    rises = at(high) >= at(low)
    while low < high:
        middle = (low + high) // 2
        reached = at(middle) >= length if rises else at(middle) <= length
        low, high = (low, middle) if reached else (middle + 1, high)
    return low if at(low) == length else None


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": lambda a, b: a if a < b else b,
    "max": lambda a, b: a if a > b else b,
}


def evaluate(node: _core.Expr, values: Mapping[str, int]) -> int:
    """The value of an extent."""
    if node.kind == "size" and node.size is not None:
        return values[node.size.name]
    if node.kind == "int":
        return int(node.int_value)
    operands = [evaluate(operand, values) for operand in node.operands]
    if node.kind == "unary" and node.op == "-":
        return -operands[0]
    return _BINARY[node.op](operands[0], operands[1])


def coefficients(extent: int | Expr, names: Sequence[str]) -> list[int] | None:
    """The constant of an extent, and the multiple of each size in it; None: it has quotients."""
    if not isinstance(extent, Expr):
        return [extent, *(0 for _ in names)]
    return _coefficients(extent._node, names)


def _coefficients(node: _core.Expr, names: Sequence[str]) -> list[int] | None:
    if node.kind == "size" and node.size is not None:
        return [0, *(int(name == node.size.name) for name in names)]
    if node.kind == "int":
        return [int(node.int_value), *(0 for _ in names)]
    operands = [_coefficients(operand, names) for operand in node.operands]
    known = [operand for operand in operands if operand is not None]
    if len(known) != len(operands):
        return None
    if node.kind == "unary" and node.op == "-":
        return [-value for value in known[0]]
    if node.kind != "binary" or node.op not in ("+", "-", "*"):
        return None
    left, right = known
    if node.op == "+":
        return [a + b for a, b in zip(left, right, strict=True)]
    if node.op == "-":
        return [a - b for a, b in zip(left, right, strict=True)]
    factor, values = (left, right) if not any(left[1:]) else (right, left)
    return None if any(factor[1:]) else [factor[0] * value for value in values]


def names_in(node: _core.Expr) -> set[str]:
    """The names of the sizes in an extent."""
    if node.kind == "size" and node.size is not None:
        return {node.size.name}
    return {name for operand in node.operands for name in names_in(operand)}
