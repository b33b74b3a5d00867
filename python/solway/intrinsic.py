"""Intrinsics: computations that a person has code for, which `Stage.tensorize` puts into loops."""

from __future__ import annotations

from collections.abc import Mapping

from solway import _core
from solway._location import caller
from solway._shown import shown
from solway.errors import DslError
from solway.expr import Tensor, here

__all__ = ["Intrinsic", "MicroKernel", "intrinsic", "micro_kernel"]


class Intrinsic:
    """A computation with code for it. Made by `intrinsic`.

    Attributes:
        name: what it is called in ``print(s)`` and in generated code.
        tensor: what it computes, of placeholders.
        code: C text by target.
    """

    def __init__(
        self, name: str, tensor: Tensor, code: Mapping[str, str], where: _core.SourceLoc
    ) -> None:
        self.name, self.tensor, self.code = name, tensor, dict(code)
        self._node = _core.make_intrinsic(name, tensor._node, self.code, where)

    def __repr__(self) -> str:
        return f"<intrinsic {self.name}>"


def intrinsic(tensor: Tensor, code: Mapping[str, str], *, name: str | None = None) -> Intrinsic:
    """A computation and the code that a person wrote for it, for `Stage.tensorize`.

    In the code the names of tensors are pointers to their first elements, and ``<name>_stride0``,
    ``<name>_stride1``, ... how many elements apart the neighbours along each dimension are. A
    reduction adds to what its output holds. The arrays do not overlap.

    Args:
        tensor: one reduction, or one expression without any, of placeholders; its sizes are those
            of the loops that it stands for.
        code: C text by the name of the target: "c", "sw26010".
        name: what it is called; by default the tensor's name.

    Returns:
        The intrinsic. What the code computes is not checked: it is taken to be what `tensor` says.

    Raises:
        DslError: `tensor` is not computed, there is no code, or the name is no word.

    Example:
        >>> X = sw.placeholder((4,), name="X")
        >>> Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
        >>> twice = sw.intrinsic(
        ...     Y, {"c": "for (int i = 0; i < 4; ++i) Y[i * Y_stride0] = X[i * X_stride0] * 2;"}
        ... )
        >>> twice
        <intrinsic Y>
    """
    if not isinstance(tensor, Tensor):
        raise DslError(
            "an intrinsic is a computed tensor",
            f"got {shown(tensor)}",
            "pass what sw.compute returned, with at least one axis",
            caller(),
        )
    own = tensor.name if name is None else name
    texts = all(isinstance(key, str) and isinstance(text, str) for key, text in code.items())
    if not isinstance(own, str) or not texts:
        raise DslError(
            f"intrinsic {own!r} has no code that is text",
            f"got code={code!r}",
            'pass C text by target: code={"c": "..."}',
            caller(),
        )
    return Intrinsic(own, tensor, code, here())


class MicroKernel:
    """Code that solway makes for a product of matrices. Made by `micro_kernel`."""

    def __repr__(self) -> str:
        return "<micro-kernel>"


def micro_kernel() -> MicroKernel:
    """Assembly that solway makes for a product of matrices, for `Stage.tensorize`.

    The loops that it stands for compute ``C[i, j] += A[i, k] * B[k, j]`` of ``float32`` or
    ``float64``, with constant extents and all three in buffers. Tiles of it are kept in registers;
    instructions are ordered by the latencies of the target file. Target ``"sw26010"``.

    Returns:
        What ``tensorize`` takes.

    Example:
        >>> A = sw.placeholder((8, 16), name="A")
        >>> B = sw.placeholder((16, 8), name="B")
        >>> k = sw.reduce_axis(16, name="k")
        >>> C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
        >>> s = sw.create_schedule(C)
        >>> io, ii = s[C].split("i", 8)
        >>> ko, ki = s[C].split(k, 16)
        >>> s[C].reorder(io, ko, ii, "j", ki)
        >>> for make, tensor in ((s.buffer_write, C), (s.buffer_read, A), (s.buffer_read, B)):
        ...     _ = make(tensor, at=ko if tensor is not C else io)
        >>> s[C].tensorize(ii, sw.micro_kernel())
        >>> kernel = sw.build(s, [A, B, C], target="sw26010", name="matmul")
        >>> sorted(kernel.source)
        ['Makefile', 'kernel.toml', 'matmul.c', 'matmul.h', 'matmul_cpe.c', 'matmul_kernels.s']
    """
    return MicroKernel()
