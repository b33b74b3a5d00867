"""What `buffer_read` and `buffer_write` return."""

from __future__ import annotations

from solway.expr import Tensor

__all__ = ["Buffer"]


class Buffer:
    """A region of a tensor in near memory.

    Args:
        name: what it is called in ``print(s)`` and in generated code.
        tensor: the tensor that it holds a region of.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
        >>> sw.create_schedule(B).buffer_read(A, ["i"])
        <buffer AA of A>
    """

    def __init__(self, name: str, tensor: Tensor) -> None:
        self.name, self.tensor = name, tensor

    def __repr__(self) -> str:
        return f"<buffer {self.name} of {self.tensor.name}>"
