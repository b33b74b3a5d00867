"""A core of SX-Aurora's vector engine that runs kernels from their assembly: its scalar part.

Nothing here runs such a machine. This has the instructions that solway's kernels are made of, as
the architecture guide describes them, one by one; ve_vectors.py has those of vectors. What an
instruction leaves undefined is filled with values that a right kernel never uses.
"""

from __future__ import annotations

import operator
import struct

import numpy as np
from support.ve_assembly import CODE, WORD, Address, parse
from support.ve_vectors import CONDITIONS, Vectors

MEMORY_BYTES = 1 << 24
STACK = MEMORY_BYTES - 4096
STACK_BYTES = 1 << 20
POISON = 0xDEAD_BEEF_DEAD_BEEF


def signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def to_float(bits: int, kind: str) -> np.floating:
    """Of "d" all bits, of "s" those of the upper half."""
    if kind == "d":
        return np.float64(struct.unpack("<d", struct.pack("<Q", bits & WORD))[0])
    return np.float32(struct.unpack("<f", struct.pack("<I", (bits & WORD) >> 32))[0])


def from_float(value, kind: str) -> int:
    if kind == "d":
        return struct.unpack("<Q", struct.pack("<d", np.float64(value)))[0]
    return struct.unpack("<I", struct.pack("<f", np.float32(value)))[0] << 32


def number(bits: int, kind: str):
    """What a register holds, by the letter of an instruction."""
    if kind in "ds":
        return to_float(bits, kind)
    return signed(bits, 64 if kind == "l" else 32)


def sign_of_difference(x, y):
    return float("nan") if x != x or y != y else int(x > y) - int(x < y)


def holds(condition: str, value) -> bool:
    """Of a number and 0; "ltnan" also of NaN."""
    if value != value:
        return condition.endswith("nan")
    if condition in ("nan", "num"):
        return condition == "num"
    return bool(CONDITIONS[condition.removesuffix("nan")](value, 0))


INTEGERS = {
    "adds": operator.add,
    "subs": operator.sub,
    "muls": operator.mul,
    "maxs": max,
    "mins": min,
    "divs": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
}
UNSIGNED = {
    "addu": operator.add,
    "subu": operator.sub,
    "mulu": operator.mul,
    "divu": operator.floordiv,
}
FLOATS = {
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
    "fdiv": operator.truediv,
    "fmax": lambda x, y: x if x > y else y,
    "fmin": lambda x, y: x if x < y else y,
}
LIBRARY = {
    "sqrt": np.sqrt,
    "fmod": np.fmod,
    "pow": np.power,
    "hypot": np.hypot,
    "atan2": np.arctan2,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
} | {
    name: getattr(np, {"a": "arc"}.get(name[0], name[0]) + name[1:])
    for name in (
        "exp2 expm1 log2 log10 log1p cbrt sin cos tan asin acos atan sinh cosh asinh acosh atanh"
    ).split()
}
BITS = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "nnd": lambda x, y: ~x & y,
}


class Machine:
    """Memory, registers and a program."""

    def __init__(self, assembly: str):
        self.program = parse(assembly)
        self.memory = np.zeros(MEMORY_BYTES, np.uint8)
        data = self.program.data
        self.memory[: len(data)] = np.frombuffer(bytes(data), np.uint8)
        self.is_there = np.zeros(MEMORY_BYTES, bool)  # bytes of arrays, of data and of the stack
        self.is_there[64 : len(data)] = self.is_there[STACK - STACK_BYTES : STACK + 4096] = True
        self.written = np.zeros(MEMORY_BYTES, np.uint8)  # how often each byte was
        self.places: list[int] = []  # of the arrays of a call
        self.free = len(data) + 4096
        self.scalars = [0] * 64
        self.vectors = Vectors(self)
        self.executed: dict[str, int] = {}  # how often each instruction ran

    # Memory.

    def allocate(self, size_bytes: int, alignment: int = 128) -> int:
        at = -(-self.free // alignment) * alignment
        self.free = at + size_bytes + 64
        assert self.free < STACK - STACK_BYTES, "out of memory"
        self.is_there[at : at + size_bytes] = True
        return at

    def place(self, array: np.ndarray, behind: int = 0) -> int:
        """So many elements behind a multiple of 128 bytes."""
        at = self.allocate(array.nbytes + behind * array.itemsize) + behind * array.itemsize
        self.is_there[at - behind * array.itemsize : at] = False
        self.memory[at : at + array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
        return at

    def has(self, at: int, size: int) -> bool:
        is_within = 0 <= at <= MEMORY_BYTES - size
        return is_within and bool(self.is_there[at] and self.is_there[at + size - 1])

    def read(self, at: int, size: int) -> int:
        assert self.has(at, size), f"a load from {at:#x}, outside of all arrays"
        return int.from_bytes(self.memory[at : at + size].tobytes(), "little")

    def read_around(self, at: int, size: int) -> int:
        """A word of which some byte is there: the others are undefined."""
        is_there = self.is_there[at : at + size]
        assert is_there.any(), f"a load from {at:#x}, outside of all arrays"
        own = np.where(is_there, self.memory[at : at + size], np.uint8(POISON & 0xFF))
        return int.from_bytes(own.tobytes(), "little")

    def write(self, at: int, size: int, value: int) -> None:
        assert self.has(at, size), f"a store to {at:#x}, outside of all arrays"
        self.written[at : at + size] += 1
        raw = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        self.memory[at : at + size] = np.frombuffer(raw, np.uint8)

    # Operands.

    def value(self, operand) -> int:
        """64 bits."""
        if isinstance(operand, int):
            return operand & WORD
        if isinstance(operand, Address):
            return sum(self.value(part) for part in operand.parts) & WORD
        if operand.startswith("%s"):
            return self.scalars[int(operand[2:])]
        label, _, part = operand.partition("@")
        if label == "_GLOBAL_OFFSET_TABLE_":  # lies at 0, and so does the counter of `sic`
            return 24 if part == "pc_lo" else 0
        if part in ("gotoff_hi", "plt_hi"):
            return 0
        if part == "plt_lo":
            return self.program.labels.get(label, self.external(label)) + 24
        return self.program.labels[label]

    def external(self, label: str) -> int:
        return self.program.labels.setdefault(label, CODE * 2 + len(self.program.labels))

    def set(self, register: str, value: int) -> None:
        self.scalars[int(register[2:])] = int(value) & WORD

    # Running.

    def run(self, entry: str, *args: int) -> int:
        """The value of a function."""
        self.scalars[11] = STACK
        self.scalars[10] = end = CODE * 3
        self.scalars[: len(args)] = args
        at = self.program.labels[entry]
        with np.errstate(all="ignore"):
            while at != end:
                at = self.called(at) if at >= CODE * 2 else self.step(at)
        return signed(self.scalars[0], 32)

    def called(self, at: int) -> int:
        """A function of the library, by name, which may use all registers but a few."""
        name = next(label for label, place in self.program.labels.items() if place == at)
        first, second, third = self.scalars[:3]
        back = self.scalars[10]
        self.vectors.forget()
        for register in (*range(8), *range(10, 17), *range(34, 64)):
            if register not in (11, 14, 15, 16):  # the stack, the thread, the table of offsets
                self.scalars[register] = POISON
        if name == "aligned_alloc":
            self.scalars[0] = self.allocate(second, first)
        elif name == "memset":
            self.memory[first : first + third] = second & 0xFF
            self.scalars[0] = first
        elif name in ("memcpy", "memmove"):
            self.memory[first : first + third] = self.memory[second : second + third].copy()
            self.scalars[0] = first
        elif function := LIBRARY.get(name.removesuffix("f")):
            kind = "s" if name.endswith("f") else "d"
            # Of single numbers NumPy's power has the sign of zero wrong.
            values = [np.full(8, to_float(x, kind)) for x in (first, second)[: function.nin]]
            self.scalars[0] = from_float(function(*values)[0], kind)
        elif name != "free":
            raise NotImplementedError(name)
        return back

    def step(self, at: int) -> int:
        """One instruction; returns where the next one is."""
        name, operands = self.program.instructions[at - CODE]
        self.executed[name] = self.executed.get(name, 0) + 1
        parts = name.split(".")
        if name in ("lvl", "pcvm", "lvm", "svm", "lvs", "lsv") or parts[0] in self.vectors.MASKS:
            self.vectors.special(name, operands)
        elif name.startswith(("v", "pv")):
            self.vectors.run(name, operands)
        elif parts[0] in ("b", "bsic"):
            if parts[0] == "bsic":
                self.set(operands[0], at + 1)
            return self.value(operands[-1])
        elif parts[0].startswith("br") and name != "brv":
            return self.branch(parts, operands, at)
        else:
            self.scalar(parts, operands)
        return at + 1

    def branch(self, parts: list[str], operands: list, at: int) -> int:
        condition, kind = parts[0][2:], parts[1]
        if condition:
            x, y = (number(self.value(operand), kind) for operand in operands[:2])
            if isinstance(operands[0], int) and kind in "ds":
                x = type(y)(operands[0])
            if not holds(condition, sign_of_difference(x, y)):
                return at + 1
        return self.program.labels[operands[-1]]

    def scalar(self, parts: list[str], operands: list) -> None:
        name, kind = parts[0], parts[1] if len(parts) > 1 else ""
        first = operands[0]
        values = [self.value(operand) for operand in operands[1:]]
        if name in BITS:
            self.set(first, BITS[name](*values))
        elif name == "lea":
            self.set(first, values[0] if kind != "sl" else self.high_address(operands[1]))
        elif name == "sic":
            self.set(first, 0)
        elif name == "brv":
            self.set(first, int(f"{values[0]:064b}"[::-1], 2))
        elif name in ("ld", "ldu", "ldl", "ld1b", "ld2b", "st", "stu", "stl", "st1b", "st2b"):
            self.access(name, kind, first, values[0])
        elif name in INTEGERS:
            x, y = (number(value, kind) for value in values)
            result = INTEGERS[name](x, y)
            wraps = signed(result, 64 if kind == "l" else 32)
            self.set(first, wraps if parts[-1] != "zx" else wraps & 0xFFFF_FFFF)
        elif name in ("sll", "srl", "sra", "sla"):
            self.shift(name, kind, first, *values)
        elif name in ("cmps", "fcmp"):
            x, y = (number(value, kind) for value in values)
            sign = sign_of_difference(x, y)
            self.set(first, from_float(sign, kind) if name == "fcmp" else sign)
        elif name in ("cmpu", "divu", "mulu", "addu", "subu"):
            x, y = (value & (WORD if kind == "l" else 0xFFFF_FFFF) for value in values)
            self.set(first, sign_of_difference(x, y) if name == "cmpu" else UNSIGNED[name](x, y))
        elif name in FLOATS:
            x, y = (number(value, kind) for value in values)
            self.set(first, from_float(FLOATS[name](x, y), kind))
        elif name == "cmov":
            if holds(parts[2], number(values[1], kind)):
                self.set(first, values[0])
        elif name == "cvt":
            self.convert(parts, first, values[0])
        else:
            raise NotImplementedError(".".join(parts))

    def high_address(self, operand) -> int:
        """Of `lea.sl`: the number counts 2^32."""
        if isinstance(operand, int):
            return operand << 32
        high, *others = operand.parts
        return (self.value(high) << 32) + sum(self.value(part) for part in others)

    def access(self, name: str, kind: str, register: str, at: int) -> None:
        sizes = {"": 8, "u": 4, "l": 4, "1b": 1, "2b": 2}
        size = sizes[name[2:]]
        up = 32 if name.endswith("u") else 0
        if name.startswith("st"):
            self.write(at, size, self.value(register) >> up)
            return
        value = self.read(at, size)
        self.set(register, signed(value, 8 * size) if kind == "sx" else value << up)

    def shift(self, name: str, kind: str, register: str, value: int, count: int) -> None:
        bits = 32 if kind == "w" else 64
        count &= bits - 1
        if name in ("sll", "sla"):
            self.set(register, signed(value << count, bits))
        else:
            self.set(register, (value if name == "srl" else signed(value, bits)) >> count)

    def convert(self, parts: list[str], register: str, value: int) -> None:
        to, source = parts[1:3]
        x = number(value, source)
        self.set(register, from_float(x, to) if to in "ds" else int(x))


def emulated(kernel, name: str, behind: int = 0):
    """The kernel, whose calls run its assembly on arrays that begin so many elements late."""
    assembly = kernel.source[f"{name}.s"]

    def run(arrays, threads):
        machine = kernel.machine = Machine(assembly)
        places = machine.places = [machine.place(array, behind) for array in arrays]
        status = machine.run("solway_run_kernel", machine.place(np.array(places, np.int64)))
        assert status == 0
        for at, array in zip(places, arrays, strict=True):
            raw = machine.memory[at : at + array.nbytes].tobytes()
            if array.flags.writeable:
                array[...] = np.frombuffer(raw, array.dtype).reshape(array.shape)
            else:
                assert raw == array.tobytes(), "an input was changed"

    kernel._run = run
    kernel._quick = None
    return kernel
