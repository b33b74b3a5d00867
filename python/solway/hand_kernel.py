"""Kernels that somebody wrote by hand, run as `build`'s kernels are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from solway import _core
from solway._arguments import Argument
from solway._location import caller
from solway.errors import ArgumentMismatchError
from solway.expr import Tensor, here, numpy_dtype
from solway.kernel import CallableKernel, Remark
from solway.target import Target, machine_of

__all__ = ["HandKernel", "hand_kernel"]


class HandKernel(CallableKernel):
    """A folder of C with a ``kernel.toml``; call it with one array per argument.

    Arrays must have exactly the shape and type that ``kernel.toml`` states; scalars may be Python
    numbers.
    """

    _code: _core.EmulatedKernel
    _tensors: tuple[Tensor, ...] = ()  # what its arguments stand for, when that says its result

    def __init__(self, code: _core.EmulatedKernel, target: str) -> None:
        self._code = code
        self._target = target
        self._parameters = tuple(
            Argument(
                name,
                tuple(shape),
                numpy_dtype(dtype),
                role,
                is_number=not shape,
                is_bfloat16=dtype == "bfloat16",
            )
            for name, dtype, shape, role in code.parameters
        )

    @property
    def target(self) -> str:
        """The name of its target."""
        return self._target

    @property
    def sizes(self) -> dict[str, int]:
        """The values of the sizes in its ``kernel.toml`` that it is compiled for."""
        return dict(self._code.sizes)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Name, shape, dtype and role of each argument, in order."""
        return self._parameters

    def report(self) -> tuple[Remark, ...]:
        """Nothing: what was written is what runs."""
        return ()


def hand_kernel(
    folder: str | os.PathLike[str],
    *,
    target: str | Target | os.PathLike[str] | None = None,
    args: Iterable[Tensor] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> HandKernel:
    """Reads a hand-written kernel: a folder of MPE and CPE sources with a ``kernel.toml``.

    Args:
        folder: its path.
        target: the emulated machine that runs it; by default the one that ``kernel.toml`` names.
        args: the tensors that its arguments stand for, in order, scalars as tensors of shape ();
            without them, ``kernel.toml`` alone counts. Those of outputs say what it computes:
            `compare` checks it and knows its operations by them.
        sizes: values for names in ``[sizes]`` of ``kernel.toml``. Those not given here are read
            off the shapes of `args`, or are what ``kernel.toml`` says.

    Returns:
        A kernel to call; it is compiled at the first call.

    Raises:
        ArgumentMismatchError: a name, shape or dtype of `args` that differs from ``kernel.toml``;
            a size that it does not have.
        DslError: a ``kernel.toml`` that does not fit, with key and line; C that does not compile,
            at the first call.
        UnsupportedError: a target that is not emulated, or not the kind of machine that
            ``kernel.toml`` names.

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B], target="sw26010", name="twice")
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as root:
        ...     _ = k.save(pathlib.Path(root) / "twice")
        ...     hand = sw.hand_kernel(pathlib.Path(root) / "twice")
        ...     hand.run(np.arange(4, dtype="float32"))
        array([0., 2., 4., 6.], dtype=float32)
    """
    machine = None if target is None else machine_of(target)
    tensors = None if args is None else list(args)
    code = _core.hand_kernel(
        os.fspath(folder), machine, dict(sizes or {}), _shapes(tensors or []), here()
    )
    kernel = HandKernel(code, machine if isinstance(machine, str) else code.target.name)
    kernel._machine = code.target
    if tensors is not None:
        _require_same(kernel, tensors)
        computed = [t._node.body is not None for t in tensors]
        if computed == [not a.is_read for a in kernel.arguments]:
            kernel._tensors = tuple(tensors)
    return kernel


def _shapes(tensors: list[Tensor]) -> list[list[int]]:
    """The shapes of tensors; none for those with an extent that is not a number."""
    return [
        list(t.shape) if all(isinstance(extent, int) for extent in t.shape) else [] for t in tensors
    ]


def _require_same(kernel: HandKernel, tensors: list[Tensor]) -> None:
    arguments = kernel.arguments
    if len(tensors) != len(arguments):
        raise ArgumentMismatchError(
            f"args= of hand kernel '{kernel.name}' names {len(tensors)} tensors",
            f"its kernel.toml has {len(arguments)} arguments",
            f"pass {', '.join(a.name for a in arguments)}",
            caller(),
        )
    sizes = "".join(f", {name} = {value}" for name, value in kernel.sizes.items())
    for tensor, argument in zip(tensors, arguments, strict=True):
        for what, given, stated in (
            ("name", tensor.name, argument.name),
            ("shape", tensor.shape, argument.shape),
            ("dtype", str(tensor.dtype), str(argument.dtype)),
        ):
            if given != stated:
                raise ArgumentMismatchError(
                    f"argument '{argument.name}' of hand kernel '{kernel.name}' has another {what}",
                    f"the tensor has {given}, kernel.toml says {stated}"
                    + (" with" + sizes[1:] if sizes and what == "shape" else ""),
                    "correct kernel.toml or the tensor",
                    caller(),
                )
