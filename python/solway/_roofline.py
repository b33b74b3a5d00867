"""The roofline of an emulated machine as a picture, with the kernels that ran on it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

from solway._limits import Limits

__all__ = ["Point", "roofline"]

_WIDTH, _HEIGHT = 720, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 46
_LINE = 15  # of text


class Point(NamedTuple):
    """A kernel under a roofline.

    Args:
        name: of the kernel.
        intensity: floating-point operations per byte that it moved.
        gflops: that it reached.
    """

    name: str
    intensity: float
    gflops: float


def roofline(limits: Limits, points: Sequence[Point]) -> str:
    """Draws what a machine allows, and what kernels reach, on logarithmic axes.

    Args:
        limits: of the machine.
        points: at least one.

    Returns:
        An <svg> element.

    Example:
        >>> svg = roofline(Limits(1450, 742.4, 36.0), [Point("mine", 4.0, 100.0)])
        >>> svg.startswith("<svg"), "mine: 100 GFLOP/s" in svg
        (True, True)
    """
    ridge = limits.gflops / limits.gb_per_s
    left = min(ridge, *(p.intensity for p in points)) / 3
    right = max(ridge, *(p.intensity for p in points)) * 3
    bottom = min(left * limits.gb_per_s, *(p.gflops for p in points)) / 2
    top = limits.gflops * 2

    def x(intensity: float) -> float:
        share = log10(intensity / left) / log10(right / left)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(gflops: float) -> float:
        share = log10(gflops / bottom) / log10(top / bottom)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" '
        'aria-label="Roofline" style="max-width: 100%">'
    ]
    for value in _ticks(left, right):
        parts.append(_line(x(value), _TOP, x(value), _HEIGHT - _BOTTOM))
        parts.append(_text(x(value), _HEIGHT - _BOTTOM + 18, f"{value:g}", "middle"))
    for value in _ticks(bottom, top):
        parts.append(_line(_LEFT, y(value), _WIDTH - _RIGHT, y(value)))
        parts.append(_text(_LEFT - 8, y(value) + 4, f"{value:g}", "end"))
    parts.append(_text(_WIDTH / 2, _HEIGHT - 8, "FLOP per byte moved", "middle"))
    parts.append(_text(4, 14, "GFLOP/s", "start"))
    roof = [(left, left * limits.gb_per_s), (ridge, limits.gflops), (right, limits.gflops)]
    places = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in roof)
    parts.append(f'<polyline points="{places}" fill="none" stroke="var(--ink)" stroke-width="2"/>')
    peak = f"{limits.gflops:,.1f} GFLOP/s"
    parts.append(_text(x(right) - 6, y(limits.gflops) - 7, peak, "end"))
    parts.append(_text(x(ridge) - 12, y(limits.gflops) - 7, f"{limits.gb_per_s:g} GB/s", "end"))
    free = 0.0  # the place of a text must be below it, or it would cover another
    for point in sorted(points, key=lambda p: -p.gflops):
        at_x, at_y = x(point.intensity), y(point.gflops)
        free = max(at_y + 4, free)
        allowed = min(limits.gflops, limits.gb_per_s * point.intensity)
        text = f"{point.name}: {point.gflops:.3g} GFLOP/s, {100 * point.gflops / allowed:.0f} %"
        parts.append(
            f'<line x1="{at_x:.1f}" y1="{at_y:.1f}" x2="{at_x:.1f}" y2="{y(allowed):.1f}" '
            'stroke="var(--soft)" stroke-dasharray="3 4"/>'
        )
        parts.append(f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="5" fill="var(--computing)"/>')
        is_right = at_x > _WIDTH * 0.6
        shift, anchor = (-10, "end") if is_right else (10, "start")
        parts.append(_text(at_x + shift, free, text, anchor))
        free += _LINE
    return "".join(parts) + "</svg>"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between two: powers of ten, with 2 and 5 of each where these are few."""
    powers = range(floor(log10(low)), floor(log10(high)) + 1)
    factors = (1, 2, 5) if len(powers) <= 3 else (1,)
    found = [factor * 10.0**power for power in powers for factor in factors]
    return [value for value in found if low <= value <= high]


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="var(--line)"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
