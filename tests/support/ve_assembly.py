"""Assembly of SX-Aurora's vector engine, as LLVM prints it, read into instructions and data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

WORD = (1 << 64) - 1
CODE = 0x4000_0000  # what a label of code is as a number, beside the count of instructions


@dataclass
class Address:
    """disp(index, base): a sum."""

    parts: list


@dataclass
class Program:
    """Instructions as (name, operands), and what labels stand for."""

    instructions: list = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    data: bytearray = field(default_factory=bytearray)  # from address 0 on


def _data_of(directive: str, rest: str) -> bytes:
    if directive == ".zero":
        return bytes(int(rest.split(",")[0], 0))
    if directive in (".ascii", ".asciz"):
        text = rest.strip()[1:-1].encode().decode("unicode_escape").encode("latin-1")
        return text + (b"\0" if directive == ".asciz" else b"")
    sizes = {".byte": 1, ".2byte": 2, ".4byte": 4, ".8byte": 8}
    size = sizes[directive]
    return b"".join(
        (int(v, 0) & ((1 << 8 * size) - 1)).to_bytes(size, "little") for v in rest.split(",")
    )


def _split(operands: str) -> list[str]:
    """At commas that stand in no brackets."""
    parts = re.split(r",\s*(?![^(]*\))", operands)
    return [part.strip() for part in parts if part.strip()]


def _operand(text: str):
    """A register by name, a number, the name of a label, or an address."""
    if match := re.fullmatch(r"\((\d+)\)([01])", text):
        count = int(match[1])  # leading bits of this value, then those of the other
        ones = WORD >> count
        return ones if match[2] == "0" else WORD ^ ones
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text.startswith("%") and "(" not in text:
        return text
    match = re.fullmatch(r"([^(]*)\(([^)]*)\)", text)
    if match is None:
        return text
    inner = [part.strip() for part in match[2].split(",")]
    parts = [part for part in [match[1], *inner] if part]
    return Address([_operand(part) for part in parts])


def parse(assembly: str) -> Program:
    """All code in order; data one after the other."""
    program = Program()
    in_data = False
    program.data += bytes(64)  # so that no label is 0
    for line in assembly.splitlines():
        text = line.split("#")[0].strip()
        if not text:
            continue
        if text.endswith(":"):
            at = len(program.data) if in_data else CODE + len(program.instructions)
            program.labels[text[:-1]] = at
            continue
        name, rest = [*text.split(None, 1), ""][:2]
        if name in (".text", ".section"):
            in_data = name == ".section" and "text" not in rest.split(",")[0]
        elif name == ".p2align" and in_data:
            alignment = 1 << int(rest.split(",")[0])
            program.data += bytes(-len(program.data) % alignment)
        elif in_data and re.fullmatch(r"\.(zero|ascii|asciz|\d?byte)", name):
            program.data += _data_of(name, rest)
        elif not name.startswith("."):
            program.instructions.append((name, [_operand(part) for part in _split(rest)]))
    return program
