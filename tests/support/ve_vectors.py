"""Vector instructions of SX-Aurora, on registers of 256 elements of 64 bits (see ve_machine.py).

float32 lies in the upper half of an element, int32 in the lower one. What an instruction says
nothing about is filled with POISON: the other half, and the bits of masks behind the length.
"""

from __future__ import annotations

import operator

import numpy as np
from support.fused_products import fused

LANES = 256
POISON = np.uint64(0xDEAD_BEEF)
LOW = np.uint64(0xFFFF_FFFF)
HALF = np.uint64(32)

FLOATS = {
    "vfadd": operator.add,
    "vfsub": operator.sub,
    "vfmul": operator.mul,
    "vfdiv": operator.truediv,
}
INTEGERS = {
    "vadds": operator.add,
    "vsubs": operator.sub,
    "vmuls": operator.mul,
    "vmaxs": np.maximum,
    "vmins": np.minimum,
}
BITS = {"vand": operator.and_, "vor": operator.or_, "vxor": operator.xor}
EXTREMES = {"vfrmax": max, "vfrmin": min, "vrmaxs": max, "vrmins": min}
CONDITIONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def elements(bits: np.ndarray, kind: str) -> np.ndarray:
    """What registers hold, by the letter of an instruction."""
    if kind == "s":
        return (bits >> HALF).astype(np.uint32).view(np.float32)
    if kind == "w":
        return (bits & LOW).astype(np.uint32).view(np.int32)
    return bits.view({"d": np.float64, "l": np.int64}[kind])


def bits_of(values: np.ndarray, kind: str) -> np.ndarray:
    if kind == "s":
        return (values.astype(np.float32).view(np.uint32).astype(np.uint64) << HALF) | POISON
    if kind == "w":  # sign-extended
        return values.astype(np.int32).astype(np.int64).view(np.uint64)
    return np.ascontiguousarray(values, {"d": np.float64, "l": np.int64}[kind]).view(np.uint64)


def difference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Its sign; NaN where there is none."""
    sign = (x > y).astype(np.float64) - (x < y).astype(np.float64)
    return np.where((x != x) | (y != y), np.nan, sign)


class Vectors:
    """Registers, masks and the length."""

    MASKS = ("andm", "orm", "xorm", "negm")

    def __init__(self, machine):
        self.machine = machine
        self.forget()

    def forget(self) -> None:
        """What is left after a call of another function."""
        self.registers = np.full((64, LANES), POISON | (POISON << HALF), np.uint64)
        self.masks = np.ones((16, LANES), bool)
        self.length = 0

    # Operands.

    def bits(self, operand) -> np.ndarray:
        """The elements that the length counts, of a register or of one number."""
        if isinstance(operand, str) and operand.startswith("%v"):
            return self.registers[int(operand[2:])][: self.length].copy()
        value = self.machine.value(operand)
        return np.full(self.length, value, np.uint64)

    def values(self, operand, kind: str) -> np.ndarray:
        if isinstance(operand, int) and kind in "ds":
            raise NotImplementedError("a number in an instruction of floats")
        return elements(self.bits(operand), kind)

    def set(self, register: str, bits: np.ndarray, mask: np.ndarray | None = None) -> None:
        target = self.registers[int(register[2:])][: self.length]
        target[:] = bits if mask is None else np.where(mask, bits, target)

    def mask(self, operand: str) -> np.ndarray:
        return self.masks[int(operand[3:])]

    # Instructions.

    def special(self, name: str, operands: list) -> None:
        machine = self.machine
        if name == "lvl":
            self.length = machine.value(operands[0])
            assert self.length <= LANES
        elif name == "pcvm":
            machine.set(operands[0], int(self.mask(operands[1])[: self.length].sum()))
        elif name == "lvm":
            word, bits = (machine.value(operand) for operand in operands[1:])
            lanes = [bool(bits >> (63 - k) & 1) for k in range(64)]
            self.mask(operands[0])[64 * word : 64 * word + 64] = lanes
        elif name == "svm":
            word = 64 * machine.value(operands[2])
            lanes = self.mask(operands[1])[word : word + 64]
            machine.set(operands[0], sum(1 << (63 - k) for k in range(64) if lanes[k]))
        elif name in ("lvs", "lsv"):
            register, lane = operands[name == "lvs"].parts
            at = int(register[2:]), machine.value(lane) % LANES
            if name == "lvs":
                machine.set(operands[0], int(self.registers[at]))
            else:
                self.registers[at] = machine.value(operands[1])
        elif name == "negm":
            self.mask(operands[0])[:] = ~self.mask(operands[1])
        else:
            x, y = self.mask(operands[1]).copy(), self.mask(operands[2])
            self.mask(operands[0])[:] = BITS["v" + name[:-1]](x, y)

    def run(self, name: str, operands: list) -> None:
        by_mask = None
        if isinstance(operands[-1], str) and operands[-1].startswith("%vm"):
            by_mask = self.mask(operands[-1])[: self.length]
            operands = operands[:-1] if len(operands) > 1 else operands
        self.dispatch(name.split("."), operands, by_mask)

    def dispatch(self, parts: list[str], operands: list, by_mask: np.ndarray | None) -> None:
        name, kind = parts[0], parts[1] if len(parts) > 1 else ""
        if name in ("vld", "vldu", "vldl", "vgt", "vgtu", "vgtl"):
            return self.load(name, kind, operands, by_mask)
        if name in ("vst", "vstu", "vstl", "vsc", "vscu", "vscl"):
            return self.store(name, operands, by_mask)
        if name == "vfmk":
            return self.compare(kind, parts[2], operands, by_mask)
        if name == "vmrg":
            x, y = self.bits(operands[1]), self.bits(operands[2])
            return self.set(operands[0], np.where(by_mask, y, x))
        if name.startswith("pv"):
            return self.set(operands[0], self.packed("v" + name[2:], operands[1:]))
        if name in ("vfsum", "vsum") or name in EXTREMES:
            return self.reduce(name, kind, operands)
        return self.set(operands[0], self.computed(name, parts, operands[1:]), by_mask)

    def computed(self, name: str, parts: list[str], operands: list) -> np.ndarray:
        kind = parts[1] if len(parts) > 1 else "l"
        if name in ("vbrd", "vbrdu", "vbrdl"):
            return self.bits(operands[0])
        if name == "vmv":  # lanes that come from behind the length are undefined
            moved = self.bits(operands[1])[self.machine.value(operands[0]) :]
            return np.append(moved, np.full(self.length - moved.size, POISON))
        if name == "vshf":
            assert self.machine.value(operands[2]) == 2, "other halves than both upper ones"
            return self.bits(operands[0]) & ~LOW | self.bits(operands[1]) >> HALF
        if name == "vseq":
            return np.arange(self.length, dtype=np.uint64)
        if name in BITS:
            return BITS[name](self.bits(operands[0]), self.bits(operands[1]))
        if name in ("vsll", "vsrl", "vsra", "vsla"):
            return self.shifted(name, kind, operands)
        if name == "vcvt":
            return self.converted(parts, operands[0])
        if name in ("vcmpu", "vdivu"):
            # The upper halves of int32 are any.
            width = LOW if kind == "w" else ~np.uint64(0)
            x, y = (self.bits(operand) & width for operand in operands)
            if name == "vdivu":
                return x // y | (0 if kind == "l" else POISON << HALF)
            return bits_of((x > y).astype(np.int64) - (x < y).astype(np.int64), kind)
        values = [self.values(operand, kind) for operand in operands]
        if name == "vfmad":
            addend, x, y = (value.astype(np.float64) for value in values)
            return bits_of(fused(x, y, addend) if kind == "d" else x * y + addend, kind)
        if name == "vfsqrt":
            return bits_of(np.sqrt(values[0]), kind)
        if name in ("vfcmp", "vcmps"):
            return bits_of(difference(*values), kind)
        if name == "vdivs":
            x, y = values
            quotient = np.abs(x.astype(object)) // np.abs(y.astype(object))
            signs = np.sign(x).astype(object) * np.sign(y).astype(object)
            return bits_of((quotient * signs).astype(x.dtype), kind)
        return bits_of({**FLOATS, **INTEGERS}[name](*values), kind)

    def packed(self, name: str, operands: list) -> np.ndarray:
        """Of float32 in both halves; a number is 64 bits of a scalar register."""
        whole = [self.bits(operand) for operand in operands]
        if name == "vbrd":
            return whole[0]
        halves = []
        for values in (whole, [bits << HALF for bits in whole]):
            x, y, *others = (elements(bits, "s").astype(np.float64) for bits in values)
            result = others[0] * y + x if name == "vfmad" else FLOATS[name](x, y)
            halves.append(bits_of(result, "s"))
        return halves[0] & ~LOW | halves[1] >> HALF

    def shifted(self, name: str, kind: str, operands: list) -> np.ndarray:
        count = self.bits(operands[1]) & np.uint64(31 if kind == "w" else 63)
        if name == "vsll":
            return self.bits(operands[0]) << count
        if name == "vsrl":
            return self.bits(operands[0]) >> count
        values = self.values(operands[0], kind)
        moved = count.astype(values.dtype)
        return bits_of(values << moved if name == "vsla" else values >> moved, kind)

    def converted(self, parts: list[str], operand) -> np.ndarray:
        to, source = parts[1:3]
        values = self.values(operand, source)
        if to in "ds":
            return bits_of(values.astype({"s": "f4", "d": "f8"}[to]), to)
        assert parts[-1] == "rz"
        assert np.isfinite(values).all(), "a conversion that traps"
        return bits_of(np.trunc(values).astype({"w": "i4", "l": "i8"}[to]), to)

    def reduce(self, name: str, kind: str, operands: list) -> None:
        values = self.values(operands[1], kind)
        if name in EXTREMES:
            assert values.size > 0
            out = EXTREMES[name](value for value in values)
        else:
            out = values.sum(dtype=values.dtype)
        first = bits_of(np.array([out]), kind)[0]
        self.registers[int(operands[0][2:])][0] = first

    def compare(self, kind: str, condition: str, operands: list, by_mask) -> None:
        mask = self.mask(operands[0])
        if condition in ("at", "af"):
            result = np.full(self.length, condition == "at")
        else:
            values = self.values(operands[1], kind)
            nan = values != values
            plain = condition.removesuffix("nan")
            if condition in ("nan", "num"):
                result = nan if condition == "nan" else ~nan
            else:
                result = CONDITIONS[plain](values, 0) & ~nan
                result |= nan if condition.endswith("nan") else False
        if by_mask is not None and len(operands) > 1 and condition not in ("at", "af"):
            result &= by_mask
        mask[: self.length] = result
        mask[self.length :] = True

    # Memory.

    def lanes(self, name: str, operands: list) -> np.ndarray:
        """The address of each element."""
        machine = self.machine
        if name.startswith(("vgt", "vsc")):
            out = self.bits(operands[0]).view(np.int64) + machine.value(operands[2])
        else:
            stride = np.int64(np.uint64(machine.value(operands[0])).astype(np.int64))
            first = machine.value(operands[1])
            out = first + np.arange(self.length, dtype=np.int64) * stride
        size = 4 if name.endswith(("u", "l")) else 8
        assert (out % size == 0).all(), f"{name} of elements at no multiples of {size} bytes"
        return out

    def load(self, name: str, kind: str, operands: list, by_mask: np.ndarray | None) -> None:
        size = 4 if name.endswith(("u", "l")) else 8
        out = np.full(self.length, POISON, np.uint64)
        for lane, at in enumerate(self.lanes(name, operands[1:])):
            if by_mask is not None and not by_mask[lane]:
                continue
            of_word = self.machine.read_around if name == "vgt" else self.machine.read
            value = of_word(int(at), size)
            if name.endswith("u"):
                value = value << 32 | int(POISON)
            elif size == 4 and kind != "zx":
                value = value | (0xFFFF_FFFF_0000_0000 if value >> 31 else 0)
            out[lane] = np.uint64(value)
        self.set(operands[0], out, by_mask)

    def store(self, name: str, operands: list, by_mask: np.ndarray | None) -> None:
        size = 4 if name.endswith(("u", "l")) else 8
        values = self.bits(operands[0]) >> np.uint64(32 if name.endswith("u") else 0)
        for lane, at in enumerate(self.lanes(name, operands[1:])):
            if by_mask is None or by_mask[lane]:
                self.machine.write(int(at), size, int(values[lane]))
