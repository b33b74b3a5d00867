"""Errors of the float32 math functions of machine code, over every float32.

    python bench/float_math.py                     # all functions, 2^32 inputs each
    python bench/float_math.py exp tanh --step 977 # every 977th
    python bench/float_math.py log --range 0.125 8 # every one of 1/8 <= |x| < 8
    python bench/float_math.py --target riscv64-v --step 977

Prints the largest error in ulp (the distance of neighbouring float32 at the exact result, which is
computed in float64) and where it is, how many results are not the nearest float32, how many of
those that are zero, infinite or NaN differ from the rounded exact result, and how many results of
vector code differ from those of scalar code. docs/math_functions.md has the figures.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np
import solway as sw

CHUNK = 1 << 18


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Without an exponential that is infinite."""
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def erf_kernel() -> sw.Kernel:
    """float64's, of the C library."""
    X = sw.placeholder((CHUNK,), "float64", name="X")
    E = sw.compute((CHUNK,), lambda i: sw.erf(X[i]), name="E")
    return sw.build(sw.create_schedule(E), [X, E])


EXACT = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "erf": None,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
}


def kernel_of(name: str, lanes: bool, target: str) -> sw.Kernel:
    """Y[i] = function(X[i]) for CHUNK elements, in vectors or not."""
    X = sw.placeholder((CHUNK,), name="X")
    Y = sw.compute((CHUNK,), lambda i: getattr(sw, name)(X[i]), name="Y")
    s = sw.create_schedule(Y)
    if lanes:
        s[Y].vectorize(Y.axis[0])
    return sw.build(s, [X, Y], target=target)


def ulp_of(exact: np.ndarray) -> np.ndarray:
    """The distance of float32 at the exact results, at least that of the smallest."""
    _, exponent = np.frexp(exact)
    return np.ldexp(1.0, np.maximum(exponent, -125) - 24)


def compare(x: np.ndarray, got: np.ndarray, exact: np.ndarray) -> tuple[float, float, int, int]:
    """What results are worth.

    Returns:
        The largest error in ulp, where it is, how many results are not the nearest float32, and
        how many that are zero, infinite or NaN, or should be, differ. Those that are the nearest
        count half an ulp.
    """
    with np.errstate(all="ignore"):
        nearest = exact.astype(np.float32)
    differs = got.view(np.uint32) != nearest.view(np.uint32)
    differs &= ~(np.isnan(got) & np.isnan(nearest))
    x, got, exact, nearest = (values[differs] for values in (x, got, exact, nearest))
    is_plain = np.isfinite(got) & np.isfinite(nearest) & (got != nearest)
    for k in np.flatnonzero(~is_plain)[:3]:
        print(f"  of {x[k]!r}: {got[k]!r}, exact {exact[k]!r}")
    special = int((~is_plain).sum())
    x, got, exact = (values[is_plain] for values in (x, got, exact))
    if not len(x):
        return 0.5, 0.0, 0, special
    error = np.abs(got.astype(np.float64) - exact) / ulp_of(exact)
    worst = int(error.argmax())
    return float(error[worst]), float(x[worst]), len(x), special


def words_of(step: int, low: float, high: float) -> Iterator[np.ndarray]:
    """Every `step`-th bit pattern of low <= |x| < high, CHUNK at a time, positive ones first."""
    first, last = (int(np.float32(bound).view(np.uint32)) for bound in (low, high))
    if np.isinf(high):
        last = 1 << 31  # NaNs too
    for sign in (0, 1 << 31):
        for begin in range(sign + first, sign + last, CHUNK * step):
            words = np.arange(begin, begin + CHUNK * step, step, dtype=np.uint64)
            yield np.minimum(words, sign + last - 1).astype(np.uint32)


def measure(name: str, step: int, target: str, low: float, high: float) -> dict:
    """The figures of a function for every `step`-th bit pattern of low <= |x| < high."""
    vector, scalar = (kernel_of(name, lanes, target) for lanes in (True, False))
    exact_of = EXACT[name] or erf_kernel().run
    out = {"ulp": 0.5, "at": 0.0, "inexact": 0, "special": 0, "lanes": 0, "n": 0}
    for words in words_of(step, low, high):
        x = words.view(np.float32)
        got = vector.run(x)
        with np.errstate(all="ignore"):
            exact = exact_of(x.astype(np.float64))
        ulp, at, inexact, special = compare(x, got, exact)
        if ulp > out["ulp"]:
            out["ulp"], out["at"] = ulp, at
        same = (got.view(np.uint32) == scalar.run(x).view(np.uint32)) | np.isnan(got)
        out["inexact"] += inexact
        out["special"] += special
        out["lanes"] += int((~same).sum())
        out["n"] += len(x)
    return out


def main() -> None:
    """Measures the functions that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", default=list(EXACT))
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--target", default="host")
    parser.add_argument(
        "--range", nargs=2, type=float, default=(0, np.inf), metavar="BOUND", help="of |x|"
    )
    args = parser.parse_args()
    for name in args.names:
        begin = time.perf_counter()
        m = measure(name, args.step, args.target, *args.range)
        print(
            f"{name:8} {m['ulp']:.4f} ulp at {m['at']:.9g}, "
            f"{100 * m['inexact'] / m['n']:.2f} % not nearest, {m['special']} special, "
            f"{m['lanes']} lanes differ; {m['n']:,} inputs, {time.perf_counter() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
