"""Code with the directives of NEC's compiler, run in the ways that the directives allow."""

from __future__ import annotations

import re
from typing import NamedTuple

_INDEPENDENT = re.compile(
    r"(?P<head>[ ]*\#pragma\ _NEC\ ivdep\n(?:[ ]*\#pragma\ _NEC\ \w+(?:\(\d+\))?\n)*[ ]*)"
    r"for\ \(int64_t\ (?P<var>\w+)\ =\ (?P<begin>.*);\ (?P=var)\ <\ (?P<end>.*);\ \+\+(?P=var)\)",
    re.X,
)


class Rewritten(NamedTuple):
    """A kernel for `support.c_pack`.

    Args:
        name: of its function.
        source: its files.
    """

    name: str
    source: dict[str, str]


def directives(kernel):
    """The directives of a kernel in order, each with the variable of its loop."""
    text = kernel.source[f"{kernel.name}.c"]
    out, waiting = [], []
    for line in text.splitlines():
        if found := re.match(r"\s*#pragma _NEC (.*)", line):
            waiting.append(found[1])
        elif waiting:
            variable = re.match(r"\s*for \(int64_t (\w+) = ", line)[1]
            out += [(variable, words) for words in waiting]
            waiting = []
    return out


def backwards(kernel):
    """The same code with every loop that has no dependences run from its end.

    A claim that is wrong changes results.
    """

    def turned(loop):
        var, begin, end = loop["var"], loop["begin"], loop["end"]
        return f"{loop['head']}for (int64_t {var} = ({end}) - 1; {var} >= ({begin}); --{var})"

    file = f"{kernel.name}.c"
    text, number = _INDEPENDENT.subn(turned, kernel.source[file])
    assert number == text.count("#pragma _NEC ivdep")
    return Rewritten(kernel.name, {file: text})
