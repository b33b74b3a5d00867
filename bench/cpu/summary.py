"""What all layers have together: geometric means of groups and times of searches, beside goals."""

from __future__ import annotations

import math
from typing import Any

from layers import Goal, Group

__all__ = ["FAST", "group_means", "search_times", "show_summary"]

FAST = "fast_math"  # another algorithm
RATIOS = {"ratio": "", f"{FAST}_ratio": f", with {FAST}"}
LAYERS, SECONDS, LONGEST_SECONDS = 40, 60.0, 2.0  # of searches: all of so many layers, and each


def group_means(group: Group, rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The geometric mean of each ratio that layers have.

    Args:
        group: whose goals they are held against.
        rows: its layers; those without a peer do not count.
    """
    goals: dict[str, Goal | None] = dict(zip(RATIOS, (group.goal, group.fast_goal), strict=True))
    out: dict[str, dict[str, Any]] = {}
    for ratio, goal in goals.items():
        logs = [math.log(row[ratio]) for row in rows if ratio in row]
        if logs:
            mean = math.exp(sum(logs) / len(logs))
            out[ratio] = {"layers": len(logs), "mean": mean}
            if goal:
                out[ratio] |= {"goal": goal.mean, "meets_goal": mean >= goal.mean}
    return out


def search_times(groups: list[dict[str, Any]]) -> dict[str, Any]:
    """The sum and the longest of the times of searches; the limit of the sum goes by layers."""
    seconds = {
        row["layer"]: row["candidates"]["search"]["planned_seconds"]
        for group in groups
        for row in group["layers"]
    }
    longest = max(seconds, key=lambda layer: seconds[layer])
    return {
        "layers": len(seconds),
        "seconds": sum(seconds.values()),
        "limit_seconds": SECONDS * len(seconds) / LAYERS,
        "longest": longest,
        "longest_seconds": seconds[longest],
        "limit_longest_seconds": LONGEST_SECONDS,
    }


def show_summary(groups: list[dict[str, Any]], search: dict[str, Any]) -> None:
    """As text."""
    print(f"{'geometric means':60} layers  ratio  goal")
    for group in groups:
        for ratio, found in group["means"].items():
            row = f"{group['what'] + RATIOS[ratio]:60} {found['layers']:6} {found['mean']:6.2f}"
            if "goal" in found:
                row += f"  {found['goal']:4}: {'yes' if found['meets_goal'] else 'no'}"
            print(row)
    print(
        f"searches: {search['seconds']:.1f} s for {search['layers']} layers, "
        f"limit {search['limit_seconds']:.1f} ({SECONDS:.0f} s for {LAYERS} layers); the longest "
        f"{search['longest_seconds']:.2f} s, limit {LONGEST_SECONDS:.0f}, of {search['longest']}"
    )
