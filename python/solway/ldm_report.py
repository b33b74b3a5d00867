"""The buffers of a schedule in the near memories of a target."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["LdmReport"]

_BUFFER_COLUMNS = ("buffer", "offset", "bytes", "shape", "lifetime", "made by")
_LOOP_COLUMNS = ("loop", "stage", "factor", "largest that fits")


class LdmReport:
    """Each buffer, its lifetime, the total against the capacity, and how far loops may grow.

    It prints in a terminal and renders in a notebook. Made by `Schedule.ldm_report`.

    Example:
        >>> A = sw.placeholder((1024,), name="A")
        >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
        >>> s = sw.create_schedule(B)
        >>> s.ldm_report("sw26010")
        ldm of sw26010: 0 of 63488 bytes (65536, less 2048 for the stack and the runtime)
          no buffers
        >>> s.ldm_report("sw26010").fits
        True
    """

    def __init__(self, text: str, memories: list[dict[str, Any]]) -> None:
        self._text = text
        self._memories = memories

    @property
    def fits(self) -> bool:
        """Whether the buffers fit every scratchpad."""
        return all(bool(memory["fits"]) for memory in self._memories)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data.

        Returns:
            ``target`` and ``memories``, the target's default memory first. Each memory has
            ``scope``, ``capacity_bytes``, ``reserved_bytes``, ``available_bytes``,
            ``alignment_bytes``, ``total_bytes``, ``live_bytes``, ``has_hard_limit``, ``fits``,
            ``buffers`` (``name``, ``tensor``, ``stage``, ``shape``, ``dtype``, ``bytes``,
            ``offset``, ``lifetime``, ``primitive``, ``file``, ``line``) and ``loops`` (``stage``,
            ``loop``, ``factor``, ``largest``, ``range``).
        """
        memories = [
            {key: value for key, value in memory.items() if key != "target"}
            for memory in self._memories
        ]
        return {"target": self._memories[0]["target"], "memories": memories}

    def to_html(self) -> str:
        """The report as an HTML fragment without scripts."""
        return "\n".join(_section(memory) for memory in self._memories)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return str(self)


def _section(memory: dict[str, Any]) -> str:
    over = "" if memory["fits"] else " <strong>(does not fit)</strong>"
    head = (
        f"<h4>{escape(memory['scope'])} of {escape(memory['target'])}: "
        f"{memory['total_bytes']} of {memory['available_bytes']} bytes{over}</h4>"
    )
    buffers = [
        (
            b["name"],
            b["offset"],
            b["bytes"],
            " x ".join(map(str, b["shape"])) + f" {b['dtype']}",
            b["lifetime"],
            f"{b['primitive']} at {b['file']}:{b['line']}" if b["line"] else b["primitive"],
        )
        for b in memory["buffers"]
    ]
    if not buffers:
        return head + "<p>no buffers</p>"
    loops = [
        (loop["loop"], loop["stage"], loop["factor"], loop["largest"]) for loop in memory["loops"]
    ]
    return head + _table(_BUFFER_COLUMNS, buffers) + _table(_LOOP_COLUMNS, loops)


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
