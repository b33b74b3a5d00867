"""The text of a schedule tree with a line for each node."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["indented"]

_TOKEN = re.compile(r'"[^"]*"|[{}\[\],]|[^\s{}\[\],"]+')


def indented(tree: str) -> str:
    """A tree that isl wrote on one line, as lines that isl reads as the same tree.

    Args:
        tree: in the flow style of YAML: ``{ domain: "{ A[i] }", child: { ... } }``.

    Returns:
        Its block style: children further in, the members of a sequence after dashes.
    """
    tokens = iter(_TOKEN.findall(tree))
    next(tokens)  # the outermost brace
    return "".join(line + "\n" for line in _mapping(tokens))


def _mapping(tokens: Iterator[str]) -> list[str]:
    """The lines of ``key: value, ... }``."""
    lines: list[str] = []
    for token in tokens:
        if token == "}":
            return lines
        if token == ",":
            continue
        value = next(tokens)
        if value == "{":
            lines += [token, *("  " + line for line in _mapping(tokens))]
        elif value == "[":
            lines += [token, *("  " + line for line in _sequence(tokens))]
        else:
            lines.append(f"{token} {value}")
    return lines


def _sequence(tokens: Iterator[str]) -> list[str]:
    """The lines of ``{ ... }, ... ]`` and of numbers."""
    lines: list[str] = []
    for token in tokens:
        if token == "]":
            return lines
        if token == ",":
            continue
        member = _mapping(tokens) if token == "{" else [token]
        lines += [f"- {member[0]}", *("  " + line for line in member[1:])]
    return lines
