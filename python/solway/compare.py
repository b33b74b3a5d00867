"""Sets kernels beside hand-written code, libraries and NumPy: results first, then times."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import numpy as np
import numpy.typing as npt

from solway._limits import Limits, limits_of
from solway._location import caller
from solway._reference import Reference, num_operations, output_of, reference
from solway._shown import shown
from solway.comparison import Comparison, Measurement
from solway.emulation import in_mode, present_options
from solway.errors import ArgumentMismatchError, Error, UnsupportedError, Where
from solway.expr import Tensor
from solway.hand_kernel import HandKernel
from solway.kernel import CallableKernel, Kernel, LastRun

__all__ = ["ComparisonError", "compare"]

Array = npt.NDArray[np.generic]
_Place = tuple[str, int, str]

_WARM_UPS = 2
_MIN_REPEATS, _MAX_REPEATS = 10, 200
_SECONDS = 2.0  # that the repeats of all candidates take by default
_ROUNDINGS = 512  # allowed where no expression says how many there are


class ComparisonError(Error):
    """A candidate gives a wrong result.

    Attributes:
        candidate: its name.
        element: the index of the worst element.
        got, expected: both values there.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        fix: str = "",
        where: Where | _Place = ("", 0, ""),
        *,
        candidate: str = "",
        element: tuple[int, ...] = (),
        got: float = 0.0,
        expected: float = 0.0,
    ) -> None:
        super().__init__(what, why, fix, where)
        self.candidate = candidate
        self.element = element
        self.got = got
        self.expected = expected


def compare(
    candidates: Mapping[str, Callable[..., object]],
    *,
    inputs: Sequence[npt.ArrayLike],
    repeats: int | None = None,
) -> Comparison:
    """Runs candidates on the same inputs: their results are compared first, then they are timed.

    The reference is the tensor expression of the first kernel that has one, evaluated in float64
    without a schedule; without one, the first candidate, given float64 where it takes that.
    Kernels are timed inside, callables around the call; one round calls each candidate once.
    Emulated kernels run once, in timed mode (in another one within ``with sw.emulator(mode)``):
    their cycles count, and this machine's seconds say nothing about theirs.

    Args:
        candidates: kernels, or callables that take the inputs and return the result, by name.
        inputs: one array per input of the kernels, in their order.
        repeats: timed calls of each candidate; by default about 2 seconds of them, at least 10.

    Returns:
        What was found; print it.

    Raises:
        ComparisonError: a result is wrong; nothing is timed then.
        ArgumentMismatchError: there is no candidate, or one does not take the inputs or changes
            them.

    Example:
        >>> A = sw.placeholder((64,), name="A")
        >>> B = sw.compute((64,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B])
        >>> a = np.arange(64, dtype="float32")
        >>> cmp = sw.compare({"solway": k, "numpy": lambda a: a * 2}, inputs=[a], repeats=10)
        >>> sorted(cmp.measurements), cmp.operations, cmp.repeats
        (['numpy', 'solway'], 64, 10)
        >>> cmp.ratio("solway", "solway")
        1.0
    """
    where = caller()
    if not candidates:
        raise ArgumentMismatchError(
            "compare takes candidates",
            "got none",
            "pass kernels or functions by name: {'solway': kernel, 'numpy': np.matmul}",
            where,
        )
    if repeats is not None and repeats < 1:
        raise ArgumentMismatchError(
            "compare takes at least one repeat", f"got {repeats}", "leave out repeats=", where
        )
    arrays = [np.asarray(x) for x in inputs]
    runs = {name: _Candidate(name, called, arrays, where) for name, called in candidates.items()}
    expected = _reference_of(runs, arrays)
    for run in runs.values():
        run.error = _checked(run, expected, where)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    timed = [run for run in runs.values() if not run.is_emulated]
    done = _time(timed, repeats)
    written = next((run for run in runs.values() if run.tensors), None)
    result = next(iter(runs.values())).result
    return Comparison(
        [run.measurement() for run in runs.values()],
        operations=num_operations(output_of(written.tensors), written.sizes) if written else None,
        argument_bytes=sum(x.nbytes for x in arrays) + result.nbytes,
        agreement=expected.text,
        repeats=done,
        load=load,
    )


class _Candidate:
    """One candidate, its result on the inputs and its times."""

    def __init__(
        self, name: str, called: Callable[..., object], inputs: Sequence[Array], where: _Place
    ) -> None:
        if not callable(called):
            raise ArgumentMismatchError(
                f"candidate '{name}' is neither a kernel nor a callable",
                f"got {shown(called)}",
                "pass what sw.build returns, or a function of the inputs",
                where,
            )
        self.name = name
        self.seconds: list[float] = []
        self.error = 0.0
        self._called = called
        self._inputs = inputs
        self._kernel = called if isinstance(called, CallableKernel) else None
        self.result = self._first_result(where)

    @property
    def is_emulated(self) -> bool:
        """Whether its time on this machine says nothing."""
        return self._last_run is not None and self._last_run.bytes is not None

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors that a kernel's arguments are, if the result is among them."""
        args: tuple[Tensor, ...] = ()
        if isinstance(self._kernel, Kernel):
            args = self._kernel._args
        elif isinstance(self._kernel, HandKernel):
            args = self._kernel._tensors
        return args if any(t._node.body is not None for t in args) else ()

    @property
    def sizes(self) -> dict[str, int]:
        """The values of the kernel's sizes in a call."""
        return self._kernel._size_values(self._arrays, None, caller()) if self._kernel else {}

    def wide_result(self) -> Array | None:
        """The result of a callable on float64; None when it does not take that."""
        if self._kernel is not None:
            return None
        wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in self._inputs]
        try:
            found = np.asarray(self._called(*wide))
        except Exception:
            return None
        return found if found.shape == self.result.shape else None

    def call(self) -> float:
        """Runs it once more; the seconds it took."""
        if self._kernel is None:
            start = perf_counter()
            self._called(*self._inputs)
            return perf_counter() - start
        self._kernel(*self._arrays)
        assert self._last_run is not None
        return self._last_run.seconds

    def measurement(self) -> Measurement:
        """All that is known about it."""
        last = self._last_run
        has_timeline = last is not None and last.timeline is not None
        return Measurement(
            self.name,
            self._kernel.target if self._kernel is not None else "python",
            self.error,
            tuple(self.seconds),
            last.bytes if last is not None else None,
            last.ldm_peak_bytes if last is not None else None,
            last.cycles if last is not None else None,
            self._limits,
            last.timeline if last is not None else None,
            self._kernel.source if self._kernel is not None and has_timeline else None,
        )

    @property
    def _limits(self) -> Limits | None:
        if self._kernel is None:
            return None
        last = self._kernel.last_run
        timeline = last.timeline if last is not None else None
        return limits_of(self._kernel._machine, timeline.groups if timeline is not None else 1)

    @property
    def _last_run(self) -> LastRun | None:
        return self._kernel.last_run if self._kernel is not None else None

    def _first_result(self, where: _Place) -> Array:
        before = [x.copy() for x in self._inputs]
        try:
            run = self._called if self._kernel is None else self._kernel.run
            by_clock = self._limits is not None and present_options().mode == "functional"
            with in_mode("timed" if by_clock else None):
                returned = run(*self._inputs)
        except Error as error:
            error.add_note(f"in candidate '{self.name}'")
            raise
        if isinstance(returned, tuple):
            raise UnsupportedError(
                f"candidate '{self.name}' cannot be compared",
                f"it returns {len(returned)} results, and one is compared with one",
                "compare kernels of one result",
                where,
            )
        for i, (x, y) in enumerate(zip(self._inputs, before, strict=True)):
            if x.tobytes() != y.tobytes():
                raise ArgumentMismatchError(
                    f"candidate '{self.name}' changes input {i}",
                    "the others would run on other values",
                    "let it work on a copy",
                    where,
                )
        result = np.asarray(returned)
        if self._kernel is not None:
            given = iter(self._inputs)
            self._arrays = [result if a.is_written else next(given) for a in self._kernel.arguments]
        return result


def _reference_of(runs: Mapping[str, _Candidate], inputs: Sequence[Array]) -> Reference:
    for run in runs.values():
        if run.tensors:
            return reference(run.tensors, inputs)
    first = next(iter(runs.values()))
    if first.result.dtype.kind != "f":
        return Reference(first.result, np.zeros(()), 0, f"'{first.name}', exactly")
    wide = first.wide_result()
    values = first.result if wide is None else wide
    largest = np.max(np.abs(values[np.isfinite(values)]), initial=0.0)
    precision = "" if wide is None else " in float64"
    text = (
        f"within 2 x {_ROUNDINGS} roundings of {first.result.dtype} of '{first.name}'{precision}, "
        "relative to its largest value"
    )
    return Reference(values, np.asarray(largest), _ROUNDINGS, text)


def _checked(run: _Candidate, expected: Reference, where: _Place) -> float:
    """The largest difference over what is allowed; raises when it is more than 1."""
    got, values = run.result, expected.values
    if got.shape != values.shape:
        raise ComparisonError(
            f"'{run.name}' gives a result of another shape",
            f"expected {values.shape}, got {got.shape}",
            "nothing is timed; correct the candidate",
            where,
            candidate=run.name,
        )
    share = _share_of_bound(got, expected)
    worst = tuple(int(i) for i in np.unravel_index(np.argmax(share), share.shape))
    if share.size and share[worst] > 1:
        count = int(np.count_nonzero(share > 1))
        raise ComparisonError(
            f"'{run.name}' gives a wrong result",
            f"element [{', '.join(map(str, worst))}] is {got[worst]}, expected {values[worst]}; "
            f"{count} of {share.size} elements are not {expected.text}",
            "nothing is timed; correct the candidate",
            where,
            candidate=run.name,
            element=worst,
            got=got[worst].item(),
            expected=values[worst].item(),
        )
    return float(np.max(share, initial=0.0))


def _share_of_bound(got: Array, expected: Reference) -> npt.NDArray[np.float64]:
    """Differences over what is allowed, element by element; infinite where nothing is."""
    same = (got == expected.values) | ((got != got) & (expected.values != expected.values))
    if expected.roundings == 0:
        return np.where(same, 0.0, np.inf)
    kind = got.dtype if got.dtype.kind == "f" else np.dtype(np.float64)
    eps = float(np.finfo(kind).eps)  # type: ignore[type-var]
    with np.errstate(all="ignore"):
        allowed = 2 * expected.roundings * eps * expected.magnitude.astype(np.float64)
        share = np.abs(got.astype(np.float64) - expected.values.astype(np.float64)) / allowed
    share = np.where(np.isnan(share), np.inf, share)
    return np.where(same, 0.0, share)


def _time(runs: Sequence[_Candidate], repeats: int | None) -> int:
    """Rounds of one call each, after warm-ups; how many were taken."""
    if not runs:
        return 0
    for _ in range(_WARM_UPS):
        round_seconds = sum(run.call() for run in runs)
    if repeats is None:
        wanted = _SECONDS / max(round_seconds, 1e-9)
        repeats = max(_MIN_REPEATS, min(_MAX_REPEATS, int(wanted)))
    for _ in range(repeats):
        for run in runs:
            run.seconds.append(run.call())
    return repeats
