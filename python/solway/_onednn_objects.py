"""The objects of oneDNN's C interface, version 2: engine, memories and primitives."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from math import prod

from solway._convolution import Convolution
from solway._location import caller
from solway.errors import InternalError, UnsupportedError

__all__ = ["IMAGE", "RESULT", "WEIGHTS", "Objects", "load", "require", "version"]

IMAGE, WEIGHTS, RESULT = 1, 33, 17  # the arguments of a convolution

# Values of dnnl_types.h; sizes with room to spare, as the library fills what it is given.
_MAX_DIMS, _MEMORY_DESC_BYTES, _CONVOLUTION_DESC_BYTES = 12, 1024, 8192
_F32, _CPU, _IN_ORDER, _INFERENCE, _DIRECT = 3, 1, 1, 96, 1
_ANY_FORMAT = 1
_FROM, _TO = 1, 17
_DESCS = {IMAGE: 129, WEIGHTS: 131, RESULT: 133}
_IMPLEMENTATION = 8
_ALLOCATE = ctypes.c_void_p(-1)

_Handle = ctypes.c_void_p
_Desc = ctypes.c_void_p | ctypes.Array[ctypes.c_char]


class _Version(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_int),
        ("minor", ctypes.c_int),
        ("patch", ctypes.c_int),
        ("hash", ctypes.c_char_p),
        ("cpu_runtime", ctypes.c_uint),
        ("gpu_runtime", ctypes.c_uint),
    )


class _Argument(ctypes.Structure):
    _fields_ = (("index", ctypes.c_int), ("memory", ctypes.c_void_p))


@cache
def load() -> ctypes.CDLL:
    """The library, loaded once.

    Raises:
        UnsupportedError: it is not installed.
    """
    try:
        return ctypes.CDLL("libdnnl.so.2")
    except OSError as error:
        raise UnsupportedError(
            "oneDNN is not installed", str(error), "apt install libdnnl2", caller()
        ) from None


def version() -> str:
    """Name and version of the library."""
    load().dnnl_version.restype = ctypes.POINTER(_Version)
    found = load().dnnl_version().contents
    return f"oneDNN {found.major}.{found.minor}.{found.patch}"


def require(status: int, function: str) -> None:
    """Raises when a function of the library has failed."""
    if status:
        raise InternalError(f"{function} of oneDNN returned {status}", version(), "", caller())


class Objects:
    """Makes objects of the library, which live as long as this one."""

    def __init__(self) -> None:
        self._library = load()
        self._library.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self._made: list[tuple[str, _Handle]] = []
        weakref.finalize(self, _destroy, self._made)
        self._engine = self._make("dnnl_engine", "dnnl_engine_create", _CPU, ctypes.c_size_t(0))
        self._stream = self._make("dnnl_stream", "dnnl_stream_create", self._engine, _IN_ORDER)

    def convolution(self, geometry: Convolution) -> _Handle:
        """The description of a convolution, in the layouts that are best for it."""
        shapes = _used(geometry), geometry.weights, geometry.result
        image, weights, result = (self._best(shape) for shape in shapes)
        between = tuple(d - 1 for d in geometry.dilation)
        behind = tuple(max(n, 0) for n in geometry.after)
        operation = ctypes.create_string_buffer(_CONVOLUTION_DESC_BYTES)
        status = self._library.dnnl_dilated_convolution_forward_desc_init(
            *(operation, _INFERENCE, _DIRECT, image, weights, None, result),
            *(_dims(geometry.stride), _dims(between), _dims(geometry.before), _dims(behind)),
        )
        require(status, "dnnl_dilated_convolution_forward_desc_init")
        given = operation, None, self._engine, None
        return self._make("dnnl_primitive_desc", "dnnl_primitive_desc_create", *given)

    def arrays(self, geometry: Convolution) -> list[tuple[_Desc, _Handle]]:
        """The image, as far as windows reach, the weights and the result; `point` places them."""
        shapes = geometry.image, geometry.weights, geometry.result
        used = _used(geometry), geometry.weights, geometry.result
        descs = [self._row_major(part, whole) for part, whole in zip(used, shapes, strict=True)]
        create = "dnnl_memory_create"
        return [(d, self._make("dnnl_memory", create, d, self._engine, None)) for d in descs]

    def implementation(self, primitive_desc: _Handle) -> str:
        """The name of what runs."""
        text = ctypes.c_char_p()
        query = self._library.dnnl_primitive_desc_query
        status = query(primitive_desc, _IMPLEMENTATION, 0, ctypes.byref(text))
        require(status, "dnnl_primitive_desc_query")
        return (text.value or b"").decode()

    def point(self, memory: _Handle, address: int) -> None:
        """Says where an array lies."""
        set_place = self._library.dnnl_memory_set_data_handle
        require(set_place(memory, ctypes.c_void_p(address)), "dnnl_memory_set_data_handle")

    def in_layout_of(
        self, primitive_desc: _Handle, which: int, array: tuple[_Desc, _Handle]
    ) -> tuple[_Handle, Callable[[], None] | None]:
        """Memory as a primitive wants it, and what copies the array to it, or from it.

        It is the array itself, and there is no copy, where the layouts are the same.
        """
        desc, memory = array
        wanted = ctypes.c_void_p(
            self._library.dnnl_primitive_desc_query_md(primitive_desc, _DESCS[which], 0)
        )
        if self._library.dnnl_memory_desc_equal(desc, wanted):
            return memory, None
        other = self._make("dnnl_memory", "dnnl_memory_create", wanted, self._engine, _ALLOCATE)
        ends = [(desc, memory), (wanted, other)]
        if which == RESULT:
            ends.reverse()
        (source_desc, source), (target_desc, target) = ends
        reorder = self._make(
            "dnnl_primitive_desc",
            "dnnl_reorder_primitive_desc_create",
            *(source_desc, self._engine, target_desc, self._engine, None),
        )
        return other, self.primitive(reorder, {_FROM: source, _TO: target})

    def primitive(self, desc: _Handle, arguments: dict[int, _Handle]) -> Callable[[], None]:
        """A function that runs a primitive on memories, and waits for its end."""
        primitive = self._make("dnnl_primitive", "dnnl_primitive_create", desc)
        items = [_Argument(index, memory.value) for index, memory in arguments.items()]
        given = (_Argument * len(items))(*items)

        def run() -> None:
            execute = self._library.dnnl_primitive_execute
            status = execute(primitive, self._stream, len(items), given)
            require(status, "dnnl_primitive_execute")
            require(self._library.dnnl_stream_wait(self._stream), "dnnl_stream_wait")

        return run

    def _best(self, shape: Sequence[int]) -> ctypes.Array[ctypes.c_char]:
        found = ctypes.create_string_buffer(_MEMORY_DESC_BYTES)
        given = found, len(shape), _dims(shape), _F32, _ANY_FORMAT
        require(self._library.dnnl_memory_desc_init_by_tag(*given), "dnnl_memory_desc_init_by_tag")
        return found

    def _row_major(self, shape: Sequence[int], whole: Sequence[int]) -> ctypes.Array[ctypes.c_char]:
        """The first elements of each dimension of an array of the shape `whole`."""
        found = ctypes.create_string_buffer(_MEMORY_DESC_BYTES)
        strides = [prod(whole[k + 1 :]) for k in range(len(whole))]
        given = found, len(shape), _dims(shape), _F32, _dims(strides)
        function = "dnnl_memory_desc_init_by_strides"
        require(self._library.dnnl_memory_desc_init_by_strides(*given), function)
        return found

    def _make(self, kind: str, function: str, *given: object) -> _Handle:
        found = ctypes.c_void_p()
        require(getattr(self._library, function)(ctypes.byref(found), *given), function)
        self._made.append((f"{kind}_destroy", found))
        return found


def _destroy(made: Sequence[tuple[str, _Handle]]) -> None:
    for function, handle in reversed(made):
        getattr(load(), function)(handle)


def _used(geometry: Convolution) -> tuple[int, ...]:
    """The shape of the part of the image that windows reach."""
    rows, columns = geometry.image[-2:]
    below, right = (min(n, 0) for n in geometry.after)
    return (*geometry.image[:-2], rows + below, columns + right)


def _dims(numbers: Sequence[int]) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * _MAX_DIMS)(*numbers)
