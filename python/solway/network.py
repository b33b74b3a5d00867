"""Networks: several kernels as one program with one entry."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from solway import _core
from solway._arguments import Argument
from solway._index_checks import has_promises
from solway._location import caller
from solway._shown import shown
from solway._threads import threads_of_build
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.expr import Tensor, here
from solway.kernel import CallableKernel, Remark, argument_of, require_name
from solway.options import Options, limited
from solway.schedule import Schedule
from solway.target import Target, loaded, machine_of

__all__ = ["Network", "NetworkArray", "NetworkMemory", "build_network"]


class NetworkArray(NamedTuple):
    """An array in the area that all layers share.

    Args:
        name: of a tensor that layers pass on, or "layer.tensor" of one inside a layer.
        size_bytes: of its elements.
        offset_bytes: from the start of the area.
        layers: names of the first and the last layer that use it.
    """

    name: str
    size_bytes: int
    offset_bytes: int
    layers: tuple[str, str]


class NetworkMemory(NamedTuple):
    """Main memory that a network needs beside its arguments; ``print`` shows a table.

    Args:
        area_bytes: of the area that all layers share.
        least_bytes: the most that is in use at one time: no area is smaller.
        apart_bytes: of all arrays if none shared bytes.
        arrays: what lies in it.
    """

    area_bytes: int
    least_bytes: int
    apart_bytes: int
    arrays: tuple[NetworkArray, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.area_bytes:,} bytes of main memory for arrays between and within layers",
            f"  at least {self.least_bytes:,}; {self.apart_bytes:,} without sharing",
        ]
        width = max((len(a.name) for a in self.arrays), default=0)
        for a in self.arrays:
            first, last = a.layers
            span = first if first == last else f"{first} to {last}"
            lines.append(
                f"  {a.name:<{width}}  {a.size_bytes:>12,} at {a.offset_bytes:>12,}  {span}"
            )
        return "\n".join(lines)


class Network(CallableKernel):
    """Several kernels compiled into one program; call it with one array per argument.

    Arguments are what no layer computes, in the order in which layers name it, then the outputs.
    No two may overlap. Made by `build_network`.
    """

    _code: _core.CompiledNetwork  # type: ignore[assignment]

    def __init__(self, compiled: _core.CompiledNetwork) -> None:
        self._code = compiled

    @property
    def target(self) -> str:
        """The name of its target."""
        return str(self._code.target)

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers' functions, in the order in which they run."""
        return tuple(self._code.layers)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Name, shape, dtype and role of each argument, in order."""
        return tuple(
            argument_of(Tensor(node), role, is_brought)
            for node, role, is_brought in self._code.params
        )

    @property
    def memory(self) -> NetworkMemory:
        """Main memory for what layers pass on to each other and for their temporaries."""
        names = self.layers
        arrays = (
            NetworkArray(name, size, offset, (names[first], names[last]))
            for name, size, offset, first, last in self._code.arrays
        )
        return NetworkMemory(*self._code.area_bytes, tuple(arrays))

    def report(self) -> tuple[Remark, ...]:
        """What was asked for and done otherwise, each with the reason; layer by layer."""
        return tuple(Remark(*row) for row in self._code.remarks)


def build_network(
    layers: Iterable[tuple[Schedule, Iterable[Tensor]]],
    *,
    target: str | Target | os.PathLike[str] = "host",
    name: str = "network",
    outputs: Iterable[Tensor] | None = None,
    options: Options | None = None,
) -> Network:
    """Compiles several kernels into one program.

    Layers run in the order of the list and are joined by the tensors that their arguments have in
    common: what one computes, later ones read. A schedule whose layer reads a tensor that an
    earlier one computes is made with ``create_schedule(C, inputs=[B])``. What passes between
    layers, and the temporaries of each, lie in one area of main memory, in which arrays that are
    not in use at the same time share bytes (`Network.memory`). On machines with scratchpads all
    layers use one block of near memory in turn.

    ``network.save(folder)`` writes each layer in files of its own, the entry, a program
    ``<name>_main.c`` that loads each input from ``<input>.bin`` in a folder and stores each output
    there, and a Makefile; on "host" the layers alone.

    Args:
        layers: (schedule, arguments) of each, as `build` takes them.
        target: as for `build`.
        name: an identifier, the name of the entry; layers are called ``<name>_<output>``.
        outputs: the tensors that the caller gets; by default what no later layer reads.
        options: as for `build`.

    Returns:
        The network, to be called with what no layer computes, and the outputs.

    Raises:
        ArgumentMismatchError: a tensor that two layers compute, or that one reads before another
            computes it; an output that none computes; what `build` raises.
        CapacityError: the buffers of a layer do not fit, or those of the largest with the
            parameters of all layers.
        UnsupportedError: sizes that are known when it runs; what `build` raises.

    Example:
        >>> x = sw.placeholder((4,), name="x")
        >>> h = sw.compute((4,), lambda i: x[i] * 2, name="h")
        >>> y = sw.compute((4,), lambda i: h[i] + 1, name="y")
        >>> first, second = sw.create_schedule(h), sw.create_schedule(y, inputs=[h])
        >>> net = sw.build_network([(first, [x, h]), (second, [h, y])], name="net")
        >>> net.run(np.arange(4, dtype="float32"))
        array([1., 3., 5., 7.], dtype=float32)
        >>> print(net.memory)
        16 bytes of main memory for arrays between and within layers
          at least 16; 128 without sharing
          h            16 at            0  net_h to net_y

    Source: swTVM, Section 4: ahead-of-time code of a network, and its memory.
    """
    parts = []
    is_fast = True  # where every layer allows it
    for layer in layers:
        schedule, args = _parts_of(layer)
        parts.append((schedule._state, [tensor._node for tensor in args]))
        is_fast = is_fast and schedule._algorithms is not None
        if (options or Options())._is_debug() and has_promises(schedule._state.stages()):
            raise UnsupportedError(
                "debug=True of a network whose layers read at indices that depend on data",
                "what layers pass on to each other is not there to be checked before a call",
                "build these layers with sw.build, which checks them, or leave debug out",
                caller(),
            )
    kept = [] if outputs is None else [_tensor(tensor, "outputs=") for tensor in outputs]
    require_name(name)
    with limited(options):
        compiled = _core.build_network(
            parts,
            [tensor._node for tensor in kept],
            machine_of(target),
            name,
            here(),
            (options or Options())._row(),
            fast_math=is_fast,
        )
    network = Network(compiled)
    network._machine = loaded(target)
    network._threads = threads_of_build(None, options, network._has_threads(), caller())
    return network


def _parts_of(layer: object) -> tuple[Schedule, list[Tensor]]:
    """A layer, checked."""
    pair = tuple(layer) if isinstance(layer, tuple | list) else ()
    if len(pair) != 2 or not isinstance(pair[0], Schedule):
        raise ArgumentMismatchError(
            "a layer of build_network is a schedule and its arguments",
            f"got {shown(layer)}",
            "pass (sw.create_schedule(C), [A, C]) for each",
            caller(),
        )
    return pair[0], [_tensor(tensor, "a layer") for tensor in pair[1]]


def _tensor(given: object, of: str) -> Tensor:
    if isinstance(given, Tensor):
        return given
    raise ArgumentMismatchError(
        f"the arguments of {of} are tensors",
        f"got {shown(given)}",
        "pass tensors of the schedules",
        caller(),
    )
