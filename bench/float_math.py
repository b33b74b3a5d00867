"""Errors of the math functions of machine code: of float32 over every number, of others sampled.

    python bench/float_math.py                     # all functions of one float32, 2^32 inputs each
    python bench/float_math.py exp tanh --step 977 # every 977th
    python bench/float_math.py log --range 0.125 8 # every one of 1/8 <= |x| < 8
    python bench/float_math.py --target riscv64-v --step 977
    python bench/float_math.py power --samples 100000000    # random pairs of float32
    python bench/float_math.py exp --double --samples 100000000

Prints the largest error in ulp (the distance of neighbouring numbers of the type at the exact
result, which is computed in float64, that of float64 in long double) and where it is, how many
results are not the nearest number, how many of those that are zero, infinite or NaN differ from the
rounded exact result, and how many results of vector code differ from those of scalar code.
docs/math_functions.md has the figures.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable, Iterator

import numpy as np
import solway as sw

CHUNK = 1 << 18


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Without an exponential that is infinite."""
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def erf(x: np.ndarray) -> np.ndarray:
    """By the series of Abramowitz and Stegun 7.1.6, whose terms have one sign, in long double."""
    x = np.clip(x.astype(np.longdouble), -7, 7)
    term = x.copy()
    total = x.copy()
    for n in range(1, 300):
        term = term * (2 * x * x / (2 * n + 1))
        total += term
        if not (np.abs(term) > np.abs(total) * 1e-21).any():
            break
    return total * np.exp(-x * x) * 2 / np.sqrt(np.arctan2(np.longdouble(0), np.longdouble(-1)))


@functools.cache
def erf_kernel() -> sw.Kernel:
    """float64's, of the C library."""
    X = sw.placeholder((CHUNK,), "float64", name="X")
    E = sw.compute((CHUNK,), lambda i: sw.erf(X[i]), name="E")
    return sw.build(sw.create_schedule(E), [X, E], target="c")


def librarys_erf(x: np.ndarray) -> np.ndarray:
    """Of at most CHUNK float64."""
    return erf_kernel().run(np.resize(x, CHUNK))[: len(x)]


EXACT = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "erf": librarys_erf,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    **{
        name: getattr(np, name)
        for name in (
            "sin cos tan arcsin arccos arctan sinh cosh arcsinh arccosh arctanh cbrt"
        ).split()
    },
}
EXACT_OF_TWO = {"power": np.power, "arctan2": np.arctan2, "hypot": np.hypot}
EXACT_OF_DOUBLE = {
    "exp": np.exp,
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "erf": erf,
    "log": np.log,
}


def kernel_of(name: str, lanes: bool, target: str, dtype: str = "float32") -> sw.Kernel:
    """Y[i] = function(X[i]), or of X[i] and Z[i], for CHUNK elements, in vectors or not."""
    inputs = [sw.placeholder((CHUNK,), dtype, name=x) for x in "XZ"[: 1 + (name in EXACT_OF_TWO)]]
    Y = sw.compute((CHUNK,), lambda i: getattr(sw, name)(*(x[i] for x in inputs)), name="Y")
    s = sw.create_schedule(Y)
    if lanes:
        s[Y].vectorize(Y.axis[0])
    return sw.build(s, [*inputs, Y], target=target)


def ulp_of(exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The distance of numbers of a type at the exact results, at least that of the smallest."""
    about = np.finfo(dtype)
    _, exponent = np.frexp(exact)
    one = np.ones((), exact.dtype)
    return np.ldexp(one, np.maximum(exponent, about.minexp + 1) - about.nmant - 1)


def bits_of(values: np.ndarray) -> np.ndarray:
    """The words of floats."""
    return values.view({4: np.uint32, 8: np.uint64}[values.itemsize])


def compare(
    x: np.ndarray, got: np.ndarray, exact: np.ndarray
) -> tuple[float, float | np.ndarray, int, int]:
    """What results are worth.

    Args:
        x: what functions were given; of two operands, in rows.
        got: results, float32 or float64.
        exact: the same in a wider type.

    Returns:
        The largest error in ulp, where it is, how many results are not the nearest number, and
        how many that are zero, infinite or NaN, or should be, differ. Those that are the nearest
        count half an ulp.
    """
    with np.errstate(all="ignore"):
        nearest = exact.astype(got.dtype)
    differs = bits_of(got) != bits_of(nearest)
    differs &= ~(np.isnan(got) & np.isnan(nearest))
    x, got, exact, nearest = (values[differs] for values in (x, got, exact, nearest))
    is_plain = np.isfinite(got) & np.isfinite(nearest) & (got != nearest)
    for k in np.flatnonzero(~is_plain)[:3]:
        print(f"  of {x[k]!r}: {got[k]!r}, exact {exact[k]!r}")
    special = int((~is_plain).sum())
    x, got, exact = (values[is_plain] for values in (x, got, exact))
    if not len(x):
        return 0.5, 0.0, 0, special
    error = np.abs(got.astype(exact.dtype) - exact) / ulp_of(exact, got.dtype)
    worst = int(error.argmax())
    return float(error[worst]), x[worst], len(x), special


def words_of(step: int, low: float, high: float) -> Iterator[np.ndarray]:
    """Every `step`-th bit pattern of low <= |x| < high, CHUNK at a time, positive ones first."""
    first, last = (int(np.float32(bound).view(np.uint32)) for bound in (low, high))
    if np.isinf(high):
        last = 1 << 31  # NaNs too
    for sign in (0, 1 << 31):
        for begin in range(sign + first, sign + last, CHUNK * step):
            words = np.arange(begin, begin + CHUNK * step, step, dtype=np.uint64)
            yield np.minimum(words, sign + last - 1).astype(np.uint32)


def usual_pairs(name: str, rng: np.random.Generator) -> np.ndarray:
    """Pairs of float32 of which most results are finite numbers, in rows."""
    words = rng.integers(0, 1 << 32, (CHUNK, 2), dtype=np.uint64).astype(np.uint32)
    pairs = words.view(np.float32)
    with np.errstate(all="ignore"):
        x = pairs[:, 0].astype(np.float64)
        if name == "power":
            x[: CHUNK // 4] = rng.normal(1, 0.3, CHUNK // 4)
            pairs[:, 0] = x
            y = rng.uniform(-104, 90, CHUNK) / np.log(np.abs(pairs[:, 0].astype(np.float64)))
            y[::3] = np.rint(y[::3])  # of negative numbers too
        else:
            y = x * rng.normal(0, 1, CHUNK) * 2.0 ** rng.integers(-20, 20, CHUNK)
        pairs[CHUNK // 16 :, 1] = y[CHUNK // 16 :]
    return pairs


def usual_doubles(name: str, rng: np.random.Generator) -> np.ndarray:
    """Numbers of all magnitudes, and of those where results change."""
    words = rng.integers(0, 1 << 64, CHUNK, dtype=np.uint64).view(np.float64)
    magnitudes = 2.0 ** rng.uniform(-60, 7, CHUNK) * rng.choice([-1, 1], CHUNK)
    usual = np.abs(rng.normal(1, 0.3, CHUNK)) if name == "log" else rng.uniform(-746, 711, CHUNK)
    return np.where(
        rng.random(CHUNK) < 0.1, words, np.where(rng.random(CHUNK) < 0.5, magnitudes, usual)
    )


class Figures:
    """What one function is worth, of all chunks so far."""

    def __init__(self, vector: sw.Kernel, scalar: sw.Kernel, exact_of: Callable) -> None:
        self.vector, self.scalar, self.exact_of = vector, scalar, exact_of
        self.ulp, self.at = 0.5, 0.0
        self.inexact = self.special = self.lanes = self.n = 0

    def add(self, x: np.ndarray, wide: type) -> None:
        """Runs both kernels on a chunk; pairs lie in rows."""
        operands = [np.ascontiguousarray(a) for a in (x.T if x.ndim == 2 else (x,))]
        got, same = self.vector.run(*operands), self.scalar.run(*operands)
        with np.errstate(all="ignore"):
            exact = self.exact_of(*(a.astype(wide) for a in operands))
        ulp, at, inexact, special = compare(x, got, exact)
        if ulp > self.ulp:
            self.ulp, self.at = ulp, at
        self.inexact += inexact
        self.special += special
        self.lanes += int(((bits_of(got) != bits_of(same)) & ~np.isnan(got)).sum())
        self.n += len(x)


def measure(name: str, args: argparse.Namespace) -> Figures:
    """The figures of a function for the inputs that the command line asks for."""
    dtype = "float64" if args.double else "float32"
    exact_of = {**EXACT, **EXACT_OF_TWO}[name]
    kernels = (kernel_of(name, lanes, args.target, dtype) for lanes in (True, False))
    out = Figures(*kernels, EXACT_OF_DOUBLE[name] if args.double else exact_of)
    rng = np.random.default_rng(args.seed)
    if args.double or name in EXACT_OF_TWO:
        samples = usual_doubles if args.double else usual_pairs
        while out.n < args.samples:
            out.add(samples(name, rng), np.longdouble if args.double else np.float64)
        return out
    for words in words_of(args.step, *args.range):
        out.add(words.view(np.float32), np.float64)
    return out


def main() -> None:
    """Measures the functions that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", default=list(EXACT))
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--target", default="host")
    parser.add_argument("--double", action="store_true", help="float64")
    parser.add_argument("--samples", type=int, default=10_000_000, help="of pairs and of float64")
    parser.add_argument("--seed", type=int, default=0, help="of samples")
    parser.add_argument(
        "--range", nargs=2, type=float, default=(0, np.inf), metavar="BOUND", help="of |x|"
    )
    args = parser.parse_args()
    for name in args.names:
        begin = time.perf_counter()
        m = measure(name, args)
        print(
            f"{name:8} {m.ulp:.4f} ulp at {m.at}, "
            f"{100 * m.inexact / m.n:.2f} % not nearest, {m.special} special, "
            f"{m.lanes} lanes differ; {m.n:,} inputs, {time.perf_counter() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
