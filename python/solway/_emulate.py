"""``solway emulate``: one run of a folder of MPE and CPE C."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import solway as sw
from solway._arguments import Argument, Array
from solway._limits import limits_of
from solway._location import caller
from solway._written import written
from solway.errors import ArgumentMismatchError

__all__ = ["emulate"]


def emulate(
    folder: Path,
    *,
    target: str | None,
    sizes: Mapping[str, int],
    inputs: Path | None,
    outputs: Path | None,
    seed: int,
    mode: str,
    landing: str,
    timeline: Path | None = None,
    operations: int | None = None,
) -> tuple[Mapping[str, object], str]:
    """Runs the kernel of a folder once.

    Args:
        folder: holds kernel.toml and the sources that it names.
        target: the machine that runs it; None for the one that kernel.toml names.
        sizes: values for names in ``[sizes]`` of kernel.toml.
        inputs: an .npz file with one array per "in" and "inout" argument; without it, small
            random integers.
        outputs: an .npz file to write the "out" and "inout" arguments to.
        seed: of the random values, of the order of cores, and of random landings.
        mode: "functional", "hazard" or "timed".
        landing: when the bytes of a transfer move: "at_wait", "at_issue" or "random".
        timeline: in timed mode, a file to write what each core did when to: a page (.html) or a
            trace (.json).
        operations: of floating point, that a run does: in timed mode the rate follows from it, and
            what that is of the machine's roofline for the bytes of the arguments.

    Returns:
        The counters of the run as data, and as text.

    Raises:
        EmulatorError: the program did what the machine forbids.
        ArgumentMismatchError: an array of `inputs` is missing or does not fit; a size that the
            kernel does not have; a timeline or a rate of another mode, a timeline in a file of
            another kind.
    """
    if timeline is not None:
        _require_timed("timeline", mode)
        _require_kind(timeline)
    if operations is not None:
        _require_timed("rate of operations", mode)
    kernel = sw.hand_kernel(folder, target=target, sizes=sizes)
    arrays = _values(kernel.arguments, inputs, seed)
    with sw.emulator(mode, seed=seed, landing=landing):
        kernel(*arrays.values())
    results = {a.name: arrays[a.name] for a in kernel.arguments if a.is_written}
    if outputs is not None:
        written(outputs, lambda path: np.savez(path, **results))  # type: ignore[arg-type]
    found = kernel.last_run.timeline if kernel.last_run is not None else None
    if timeline is not None and found is not None:
        (found.to_chrome if timeline.suffix == ".json" else found.to_html)(timeline)
    return _describe(kernel, results, operations)


def _require_timed(what: str, mode: str) -> None:
    if mode != "timed":
        raise ArgumentMismatchError(
            f"there is no {what} in mode '{mode}'",
            "only timed mode has a clock",
            "pass --mode timed",
            caller(),
        )


def _require_kind(path: Path) -> None:
    if path.suffix not in (".html", ".json"):
        raise ArgumentMismatchError(
            f"'{path}' is no file for a timeline",
            "a timeline is a page (.html) or a trace for Perfetto (.json)",
            "end its name with one of these",
            caller(),
        )


def _values(arguments: Sequence[Argument], inputs: Path | None, seed: int) -> dict[str, Array]:
    given = None if inputs is None else _load(inputs)
    rng = np.random.default_rng(seed)
    out: dict[str, Array] = {}
    for argument in arguments:
        name, shape, dtype, role = argument[:4]
        if role == "out":
            out[name] = np.zeros(shape, dtype)
        elif given is None:
            out[name] = np.asarray(rng.integers(-4, 5, shape)).astype(dtype)
        elif name in given:
            out[name] = given[name]
        else:
            raise ArgumentMismatchError(
                f"'{inputs}' has no array '{name}'",
                f"it has {', '.join(map(repr, given)) or 'none'}",
                "store one array per input under its name: np.savez(file, x=x)",
                caller(),
            )
    return out


def _load(path: Path) -> dict[str, Array]:
    try:
        with np.load(path) as arrays:
            return dict(arrays)
    except (OSError, ValueError, TypeError, zipfile.BadZipFile):
        raise ArgumentMismatchError(
            f"'{path}' holds no arrays",
            "it is no .npz file",
            "write it with np.savez(file, x=x)",
            caller(),
        ) from None


def _rate(kernel: sw.HandKernel, operations: int) -> tuple[dict[str, float], str]:
    """What a run in timed mode reached, as `sw.compare` counts it: as data, and as text."""
    run = kernel.last_run
    assert run is not None
    assert run.cycles is not None
    assert run.timeline is not None
    limits = limits_of(kernel._machine, run.timeline.groups)
    assert limits is not None  # timed mode has a clock
    gflops = operations / run.cycles * limits.clock_mhz / 1e3
    moved = sum(math.prod(a.shape) * np.dtype(a.dtype).itemsize for a in kernel.arguments)
    roofline = gflops / limits.attainable(operations, moved)
    text = f"{gflops:.4g} GFLOP/s, {100 * roofline:.1f} % of the roofline"
    return {"gflops": gflops, "roofline": roofline}, text


def _describe(
    kernel: sw.HandKernel, results: Mapping[str, Array], operations: int | None
) -> tuple[Mapping[str, object], str]:
    run = kernel.last_run
    counters = {} if run is None else {k: v for k, v in run._asdict().items() if v is not None}
    timeline = counters.pop("timeline", None)
    shapes = {name: list(value.shape) for name, value in results.items()}
    lines = [f"{kernel.name}: done"]
    lines += [f"  {name:<16}{value}" for name, value in counters.items()]
    lines += [f"  {name:<16}{results[name].dtype}{shape}" for name, shape in shapes.items()]
    if operations is not None:
        rate, text = _rate(kernel, operations)
        counters |= rate
        lines.append(f"  {'rate':<16}{text}")
    if timeline is not None:
        lines.append(str(timeline))
        counters |= {
            "shares": timeline.shares,
            "overlap": timeline.overlap,
            "imbalance": timeline.imbalance,
        }
    return {"name": kernel.name, **counters, "outputs": shapes}, "\n".join(lines)
