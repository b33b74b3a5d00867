#!/usr/bin/env python3
"""Fits the polynomials of math functions.

    python tools/fit_float_math.py          # writes the headers, prints the largest errors
    python tools/fit_float_math.py --check  # fails when a header is another

codegen/llvm/detail/vector_math/coefficients.h is for machines with both types, and
codegen/athread/detail/function_coefficients.h for cores whose registers hold a float32 as a
float64, in which they compute them.

A fit is minimax (Lawson's weights on a least-squares fit) of the error that counts for the
function. Coefficients of float32 are rounded one by one, lowest power first, and those that
remain are fitted again to what rounding left over. Polynomials in float64 go through the function
at Chebyshev's places, which is nearly as good. Values of the functions have 60 digits.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, getcontext
from pathlib import Path

import numpy as np

CODEGEN = Path(__file__).parents[1] / "codegen"
HEADER = CODEGEN / "llvm/detail/vector_math/coefficients.h"
CORE_HEADER = CODEGEN / "athread/detail/function_coefficients.h"
SAMPLES = 400
getcontext().prec = 60
D = Decimal
LN2 = D(2).ln()
PI = D("3.14159265358979323846264338327950288419716939937510582097494459")


def erf(x: Decimal) -> Decimal:
    """By the series of Abramowitz and Stegun 7.1.6, whose terms have one sign."""
    term = total = x
    n = 0
    while abs(term) > D("1e-58"):
        n += 1
        term = term * 2 * x * x / (2 * n + 1)
        total += term
    return total * 2 / PI.sqrt() * (-x * x).exp()


def tanh(x: Decimal) -> Decimal:
    """By exp(2 x)."""
    return 1 - 2 / ((2 * x).exp() + 1)


def sine(x: Decimal) -> Decimal:
    """By its series."""
    term = total = x
    n = 1
    while abs(term) > D("1e-58"):
        term = -term * x * x / ((n + 1) * (n + 2))
        total += term
        n += 2
    return total


def cosine(x: Decimal) -> Decimal:
    """1 - 2 sin(x / 2)^2."""
    return 1 - 2 * sine(x / 2) ** 2


def arc_tangent(x: Decimal) -> Decimal:
    """By its series, of an eighth of the angle."""
    for _ in range(3):
        x = x / (1 + (1 + x * x).sqrt())
    term = total = x
    n = 1
    while abs(term) > D("1e-58"):
        term = -term * x * x
        n += 2
        total += term / n
    return 8 * total


def sinh(x: Decimal) -> Decimal:
    """By exp(x)."""
    return (x.exp() - (-x).exp()) / 2


@dataclass
class Fit:
    """A polynomial for `value` on [low, high] whose error counts `weight` times."""

    name: str
    says: str
    degree: int
    low: float
    high: float
    value: Callable[[Decimal], Decimal]
    weight: Callable[[Decimal], Decimal]
    samples: int = SAMPLES


def logarithm(x: Decimal) -> Decimal:
    """Of 1 + x."""
    return (1 + x).ln()


def least_of_sixteenths() -> float:
    """A float32 near 1 of which all products with 2^(j / 16) are nearly float32."""
    least = 1 + np.arange(1 << 15) * 2.0**-23
    worst = np.zeros(len(least))
    for j in range(16):
        power = least * 2 ** (j / 16)
        worst = np.maximum(worst, np.abs(power.astype(np.float32) - power))
    return float(least[np.argmin(worst)])


LEAST = D(least_of_sixteenths())
R = 0.34670  # ln(2) / 2, and what rounding of n adds
F = (-0.29290, 0.41422)  # sqrt(1/2) - 1, sqrt(2) - 1
T = 1.0
FITS = [
    Fit("kExp", "(exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2", 4, -R, R,
        lambda r: (r.exp() - 1 - r) / (r * r), lambda r: r * r / (r.exp() - 1)),
    Fit("kExpNear", "(exp(r) - 1) / r for |r| <= ln(2) / 16", 3, -R / 8, R / 8,
        lambda r: (r.exp() - 1) / r, lambda r: r / r.exp()),
    Fit("kExpNearer", "exp(r) / kExpSixteenths[0] - 1 for |r| <= ln(2) / 32", 3, -R / 16, R / 16,
        lambda r: r.exp() / LEAST - 1, lambda r: D(1)),
    Fit("kExp2", "(2^r - 1) / r for |r| <= 1/2", 5, -0.5001, 0.5001,
        lambda r: ((r * LN2).exp() - 1) / r, lambda r: r),
    Fit("kLog", "(log(1 + f) - f) / f^2 for 1 + f in [sqrt(1/2), sqrt(2)]", 8, *F,
        lambda f: (logarithm(f) - f) / (f * f), lambda f: f * f / logarithm(f)),
    Fit("kLog2", "(log2(1 + f) / f - 1) for 1 + f in [sqrt(1/2), sqrt(2)]", 9, *F,
        lambda f: logarithm(f) / LN2 / f - 1, lambda f: f / logarithm(f)),
    Fit("kLog10", "(log10(1 + f) / f - 0.434...) / f for 1 + f in [sqrt(1/2), sqrt(2)]", 8, *F,
        lambda f: (logarithm(f) - f) / D(10).ln() / (f * f), lambda f: f * f / logarithm(f)),
    Fit("kErfSmall", "erf(x) / x - 1 by x^2 for |x| <= 1", 6, 1e-4, T,
        lambda t: erf(t.sqrt()) / t.sqrt() - 1, lambda t: t.sqrt() / erf(t.sqrt())),
    Fit("kErfLarge", "log(1 - erf(x)) for x in [1, 4]", 6, T, 4.0,
        lambda x: (1 - erf(x)).ln(), lambda x: 1 - erf(x)),
    Fit("kTanh", "(tanh(x) - x) / x^3 by x^2 for |x| <= 5/8", 4, 1e-4, 0.625**2,
        lambda t: (tanh(t.sqrt()) / t.sqrt() - 1) / t, lambda t: t * t.sqrt() / tanh(t.sqrt())),
]  # fmt: skip
NEAR, FAR = D("1.625"), D("4.125")
# In float64: of functions of float32 that are computed in it, and of float64's own.
DOUBLE_FITS = [
    Fit("kSine", "(sin(r) / r - 1) / r^2 by r^2 for |r| <= 0.79", 3, 0, 0.79**2,
        lambda t: (sine(t.sqrt()) / t.sqrt() - 1) / t, lambda t: t * t.sqrt() / sine(t.sqrt())),
    Fit("kCosine", "(cos(r) - 1) / r^2 by r^2 for |r| <= 0.79", 4, 0, 0.79**2,
        lambda t: (cosine(t.sqrt()) - 1) / t, lambda t: t),
    Fit("kArcTangent", "(atan(x) / x - 1) / x^2 by x^2 for |x| <= 1", 14, 0, 1,
        lambda t: (arc_tangent(t.sqrt()) / t.sqrt() - 1) / t,
        lambda t: t * t.sqrt() / arc_tangent(t.sqrt())),
    Fit("kSinh", "(sinh(x) / x - 1) / x^2 by x^2 for |x| <= 1", 5, 0, 1,
        lambda t: (sinh(t.sqrt()) / t.sqrt() - 1) / t, lambda t: t * t.sqrt() / sinh(t.sqrt())),
    Fit("kDoubleExp", "(exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2", 10, -R, R + 1e-4,
        lambda r: (r.exp() - 1 - r) / (r * r), lambda r: r * r / (r.exp() - 1)),
    Fit("kDoubleLog", "(2 atanh(s) / s - 2) / s^2 by s^2 for |s| <= 3 - sqrt(8)", 6, 0, 0.17158**2,
        lambda t: (((1 + t.sqrt()) / (1 - t.sqrt())).ln() / t.sqrt() - 2) / t,
        lambda t: t * t.sqrt() / ((1 + t.sqrt()) / (1 - t.sqrt())).ln()),
    Fit("kDoubleTanh", "(tanh(x) - x) / x^3 by x^2 for |x| <= 5/8", 11, 0, 0.625**2,
        lambda t: (tanh(t.sqrt()) / t.sqrt() - 1) / t, lambda t: t * t.sqrt() / tanh(t.sqrt())),
    Fit("kDoubleErfSmall", "erf(x) / x - 1 by x^2 for |x| <= 1", 12, 0, 1,
        lambda t: erf(t.sqrt()) / t.sqrt() - 1, lambda t: t.sqrt() / erf(t.sqrt())),
    Fit("kDoubleErfNear", "log(1 - erf(x)) by x - 1.625 for x in [1, 2.25]", 18, -0.625, 0.625,
        lambda v: (1 - erf(v + NEAR)).ln(), lambda v: 1 - erf(v + NEAR)),
    Fit("kDoubleErfFar", "log(1 - erf(x)) by x - 4.125 for x in [2.25, 6]", 18, -1.875, 1.875,
        lambda v: (1 - erf(v + FAR)).ln(), lambda v: 1 - erf(v + FAR)),
]  # fmt: skip
P = 104.5  # beyond which exp(x) is infinite or 0 in float32
CORE_FITS = [
    Fit("kExpPart", "exp(x / 256) by x for |x| <= 104.5", 8, -P, P,
        lambda x: (x / 256).exp(), lambda x: 1 / (x / 256).exp()),
    Fit("kErfSmall", "erf(x) / x - 1 by x^2 for |x| <= 1", 6, 1e-4, T,
        lambda t: erf(t.sqrt()) / t.sqrt() - 1, lambda t: t.sqrt() / erf(t.sqrt())),
    Fit("kErfLarge", "log(1 - erf(x)) for x in [1, 4]", 6, T, 4.0,
        lambda x: (1 - erf(x)).ln(), lambda x: 1 - erf(x)),
    Fit("kTanhSmall", "(tanh(x) - x) / x^3 by x^2 for |x| <= 9/16", 4, 1e-4, 0.5625**2,
        lambda t: (tanh(t.sqrt()) / t.sqrt() - 1) / t, lambda t: t * t.sqrt() / tanh(t.sqrt())),
    Fit("kExpm1Small", "(exp(x) - 1 - x) / x^2 for |x| <= 1/2", 6, -0.5, 0.5,
        lambda r: (r.exp() - 1 - r) / (r * r), lambda r: r * r / (r.exp() - 1)),
    Fit("kLogPart", "log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]", 10, *F,
        lambda f: logarithm(f) / f, lambda f: f / logarithm(f)),
]  # fmt: skip


def minimax(x: np.ndarray, y: np.ndarray, w: np.ndarray, powers: range) -> np.ndarray:
    """Coefficients of x^p, least in the largest |w (y - polynomial)|."""
    scale = np.abs(x).max()
    basis = np.stack([(x / scale) ** p for p in powers], axis=1)
    lawson = np.full(len(x), 1 / len(x))
    best, least = np.zeros(len(powers)), np.inf
    for _ in range(300):
        root = np.sqrt(lawson) * w
        c = np.linalg.lstsq(basis * root[:, None], y * root, rcond=None)[0]
        error = np.abs(w * (y - basis @ c))
        if error.max() < least:
            best, least = c, error.max()
        lawson = lawson * (error + 1e-300)
        lawson /= lawson.sum()
    return best / np.array([scale**p for p in powers])


def samples(f: Fit) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places on the range, the values there, and what their errors count."""
    nodes = np.cos(np.pi * (np.arange(f.samples) + 0.5) / f.samples)
    x = (f.low + f.high) / 2 + (f.high - f.low) / 2 * nodes
    exact = [D(float(v)) for v in x]
    y = np.array([float(f.value(v)) for v in exact])
    return x, y, np.array([abs(float(f.weight(v))) for v in exact])


def fit(f: Fit) -> tuple[list[np.float32], float]:
    """The coefficients, lowest power first, and the largest weighted error."""
    x, rest, w = samples(f)
    out = []
    for power in range(f.degree + 1):
        c = minimax(x, rest, w, range(power, f.degree + 1))
        out.append(np.float32(c[0]))
        rest -= float(out[-1]) * x**power
    return out, float(np.abs(w * rest).max())


def fit_double(f: Fit) -> tuple[list[float], float]:
    """The same in float64, whose rounding does not count."""
    x, y, w = samples(f)
    c = minimax(x, y, w, range(f.degree + 1))
    error = np.abs(w * (y - np.polynomial.polynomial.polyval(x, c))).max()
    return [float(v) for v in c], float(error)


def chebyshev(low: float, high: float, count: int) -> list[Decimal]:
    """Places on a range, densest at its ends."""
    middle, radius = (D(low) + D(high)) / 2, (D(high) - D(low)) / 2
    return [middle + radius * cosine(PI * (2 * k + 1) / (2 * count)) for k in range(count)]


def value_of(coefficients: list[Decimal], x: Decimal) -> Decimal:
    """By Horner's rule."""
    total = D(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def fit_through(f: Fit) -> tuple[list[float], float]:
    """The polynomial in float64 through Chebyshev's places; its largest weighted error."""
    nodes = chebyshev(f.low, f.high, f.degree + 1)
    slopes = [f.value(x) for x in nodes]
    for order in range(1, len(nodes)):  # divided differences
        for k in range(len(nodes) - 1, order - 1, -1):
            slopes[k] = (slopes[k] - slopes[k - 1]) / (nodes[k] - nodes[k - order])
    powers = [D(0)]
    for slope, node in zip(reversed(slopes), reversed(nodes), strict=True):
        powers = [
            (powers[k - 1] if k else D(0)) - (node * powers[k] if k < len(powers) else D(0))
            for k in range(len(powers) + 1)
        ]
        powers[0] += slope
    rounded = [float(c) for c in powers[: f.degree + 1]]
    exact = [D(c) for c in rounded]
    places = chebyshev(f.low, f.high, 96)
    return rounded, max(float(abs(f.weight(x) * (value_of(exact, x) - f.value(x)))) for x in places)


TURN_EXPONENTS = range(20, 128)


def turns() -> list[str]:
    """Numbers that reduce large angles."""
    rows = []
    getcontext().prec = 120
    two_over_pi = 2 / pi()
    for exponent in TURN_EXPONENTS:
        rest = two_over_pi * D(2) ** (exponent - 23) % 4
        row = []
        for bits in (27, 56):
            row.append(D(int(rest * 2**bits)) / 2**bits)
            rest -= row[-1]
        row.append(rest)
        rows.append("    {" + ", ".join(float(part).hex() for part in row) + "},")
    getcontext().prec = 60
    return [
        "/// 2 / pi times 2^(e - 23), less a multiple of 4, for e from 20 to 127: in parts of 27",
        "/// bits behind the point, 29 more, and 53 more.",
        f"inline constexpr double kTurns[{len(TURN_EXPONENTS)}][3] = {{",
        *rows,
        "};",
        "",
    ]


def pi() -> Decimal:
    """To the present precision, by Machin's formula."""
    least = D(10) ** -getcontext().prec

    def of_inverse(n: int) -> Decimal:
        term = total = 1 / D(n)
        k = 1
        while abs(term) > least:
            term = -term / (n * n)
            k += 2
            total += term / k
        return total

    return 4 * (4 * of_inverse(5) - of_inverse(239))


@dataclass(frozen=True)
class ErfTables:
    """Tables of erf by intervals, of which one permutation of a register picks an element."""

    name: str
    width: float
    intervals: int
    degree: int

    def place(self, interval: int) -> tuple[float, float]:
        """A float32 near the interval's middle whose erf is nearly one as well, and that one."""
        if interval == 0:
            return 0.0, 0.0
        middle = interval * self.width
        steps_in_one = 96_000 / self.width

        def off(place: float) -> float:
            value = math.erf(place)
            return abs(value - float(np.float32(value)))

        def best_within(steps: int) -> float:
            places = (
                float(np.float32(middle + j / steps_in_one)) for j in range(-steps, steps + 1)
            )
            return min(places, key=lambda p: (off(p), abs(p - middle)))

        place = best_within(1500)
        if off(place) > 1e-10:  # erf passes few float32 there
            place = best_within(47_900)
        return place, float(np.float32(math.erf(place)))

    def slope(self, interval: int) -> Fit:
        """Of (erf(c + t) - erf(c)) / t around its place c; of the first one less 1."""
        place, _ = self.place(interval)
        c, at_place = D(place), erf(D(place)) if interval else D(0)
        low, high = ((interval + half) * self.width - place for half in (-0.5, 0.5))
        return Fit("", "", self.degree, low if interval else 1e-4, high,
                   lambda t: (erf(c + t) - at_place) / t - (0 if interval else 1),
                   lambda t: t / erf(c + t), 80)  # fmt: skip

    def text(self) -> list[str]:
        """The tables, as C++ writes them."""
        fits = [fit(self.slope(k)) for k in range(self.intervals)]
        error = max(error for _, error in fits)
        print(f"{self.name}Slopes, float: {error:.2g}")
        places, values = zip(*map(self.place, range(self.intervals)), strict=True)

        def rows(numbers: Iterable[float], indent: str) -> list[str]:
            words = [hexadecimal(v) for v in numbers]
            return [indent + ", ".join(words[k : k + 4]) + "," for k in range(0, len(words), 4)]

        slopes: list[str] = []
        for power in range(self.degree + 1):
            numbers = [float(slope[power]) for slope, _ in fits]
            slopes += ["    {", *rows(numbers, "        "), "    },"]
        size = f"[{self.intervals}]"
        return [
            f"/// For erf(x) in intervals of {self.width:g}: a place c of each, where erf(c) is",
            "/// nearly a float32 (of the first one 0), and erf(c).",
            f"inline constexpr float {self.name}Places{size} = {{",
            *rows(places, "    "),
            "};",
            f"inline constexpr float {self.name}Values{size} = {{",
            *rows(values, "    "),
            "};",
            "/// (erf(c + t) - erf(c)) / t by t, of each power the coefficients of all",
            f"/// intervals; of the first interval less 1; error {error:.1e}.",
            f"inline constexpr float {self.name}Slopes[{self.degree + 1}]{size} = {{",
            *slopes,
            "};",
            "",
        ]


def exp_powers() -> list[str]:
    """Powers of 2 by sixteenths, and by eighths, to whose bits those of an exponent are added."""
    sixteenths = [hexadecimal(np.float32(float(D(2) ** (D(j) / 16) * LEAST))) for j in range(16)]
    numbers = []
    for j in range(8):
        power = np.float32(float(D(2) ** (D(j) / 8)))
        bits = power.view(np.uint32) - np.uint32((j << 20) + (64 << 23))
        numbers.append(hexadecimal(bits.view(np.float32)))
    return [
        "/// Multiples of 2^(j / 16) that are nearly float32, all by the same number.",
        "inline constexpr float kExpSixteenths[16] = {",
        *("    " + ", ".join(sixteenths[k : k + 4]) + "," for k in range(0, 16, 4)),
        "};",
        "",
        "/// 2^(j / 8 - 64) with j 2^20 taken from its bits: with n 2^20 added, where j is n",
        "/// modulo 8, they are those of 2^(n / 8 - 64).",
        "inline constexpr float kExpPowers[8] = {",
        *("    " + ", ".join(numbers[k : k + 4]) + "," for k in (0, 4)),
        "};",
        "",
    ]


#: Of 32 elements for two registers of 16 lanes, of 8 for one of 8.
ERF_TABLES = (ErfTables("kErf", 1 / 8, 32, 4), ErfTables("kErfWide", 17 / 32, 8, 5))


def hexadecimal(value: float) -> str:
    """A float32 as C++ writes it."""
    return float(value).hex().replace("0000000p", "p") + "F"


def header(namespace: str, says: list[str], tables: list[str]) -> str:
    """A header of coefficients."""
    lines = [
        "#pragma once",
        "",
        "// Written by tools/fit_float_math.py. Lowest power first. The error is the largest on",
        *says,
        "",
        f"namespace {namespace} {{",
        "",
        "// clang-format off",
        "",
        *tables,
    ]
    return "\n".join([*lines, f"}}  // namespace {namespace}", ""])


def table(f: Fit, kind: str, numbers: list[str], error: float) -> list[str]:
    """The lines of one polynomial, as C++ writes its numbers."""
    print(f"{f.name}, {kind}: {error:.2g}")
    return [
        f"/// {f.says}; error {error:.1e}.",
        f"inline constexpr {kind} {f.name}[] = {{",
        *(f"    {number}," for number in numbers),
        "};",
        "",
    ]


def text() -> str:
    """The header."""
    tables = []
    for f in FITS:
        values, error = fit(f)
        numbers = [hexadecimal(v) for v in values]
        tables += table(f, "float", numbers, error)
    says = [
        "// the range before operations are rounded: of exp2, the cosine, and of erf beyond 1,",
        "// absolute; of the others relative to the function (of exp: to exp(r) - 1).",
    ]
    for f in DOUBLE_FITS:
        wide, error = fit_through(f)
        tables += table(f, "double", [value.hex() for value in wide], error)
    tables += exp_powers()
    for erf_tables in ERF_TABLES:
        tables += erf_tables.text()
    tables += turns()
    return header("solway::codegen::detail", says, tables)


def core_text() -> str:
    """The header of computing cores."""
    tables = []
    for f in CORE_FITS:
        values, error = fit_double(f)
        tables += table(f, "double", [repr(value) for value in values], error)
    says = [
        "// the range before operations are rounded: of erf beyond 1 absolute, of the others",
        "// relative to the function.",
    ]
    return header("solway::codegen", says, tables)


def main() -> int:
    """Writes the headers, or compares with them; the exit status says whether one was another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    is_other = False
    for path, new in ((HEADER, text()), (CORE_HEADER, core_text())):
        if not is_check:
            path.write_text(new)
        elif path.read_text() != new:
            is_other = True
    return int(is_other)


if __name__ == "__main__":
    sys.exit(main())
