"""CPE functions in assembly: what each instruction does, against Python's integers and NumPy."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import solway as sw

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cpe_assembly.md"

MPE = """
#include <athread.h>
extern void SLAVE_FUN(work)(void *);
struct job { void *x, *y; };
void kernel(void *x, void *y) {
  struct job job = {x, y};
  athread_init();
  athread_set_num_threads(THREADS);
  athread_spawn(work, &job);
  athread_join();
}
"""

HEAD = "#include <simd.h>\n#include <slave.h>\nstruct job { void *x, *y; };\n"

ARGUMENT = """
[[argument]]
name = "{name}"
dtype = "{dtype}"
shape = [{count}]
role = "{role}"
"""


def kernel_of(folder, c, assembly, x, y, *, threads=1, suffix="S"):
    """A kernel of one C source and one of assembly, that turns `x` into something like `y`."""
    (folder / "mpe.c").write_text(MPE)
    (folder / "cpe.c").write_text(HEAD + c)
    (folder / f"work.{suffix}").write_text(assembly)
    text = '[kernel]\nname = "kernel"\ntarget = "sw26010"\nentry = "kernel"\n'
    text += f'[sources]\nmpe = ["mpe.c"]\ncpe = ["cpe.c", "work.{suffix}"]\n'
    text += f'defines = {{ THREADS = "{threads}" }}\n'
    for name, array, role in (("x", x, "in"), ("y", y, "out")):
        text += ARGUMENT.format(name=name, dtype=array.dtype, count=array.size, role=role)
    (folder / "kernel.toml").write_text(text)
    return sw.hand_kernel(folder)


def function(name, *lines):
    return "\n".join([f".globl {name}", f"{name}:", *lines, "ret $31,($26),1", ""])


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value):
    return value & (2**64 - 1)


def kept_bytes(value, mask):
    whole = sum(0xFF << (8 * k) for k in range(8) if mask >> k & 1)
    return signed(unsigned(value) & whole)


SCALARS = {
    "addw": lambda a, b: signed(a + b, 32),
    "subw": lambda a, b: signed(a - b, 32),
    "mulw": lambda a, b: signed(a * b, 32),
    "addl": lambda a, b: signed(a + b),
    "subl": lambda a, b: signed(a - b),
    "mull": lambda a, b: signed(a * b),
    "s4addl": lambda a, b: signed(4 * a + b),
    "s8addl": lambda a, b: signed(8 * a + b),
    "s4subl": lambda a, b: signed(4 * a - b),
    "s8subl": lambda a, b: signed(8 * a - b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andnot": lambda a, b: a & ~b,
    "ornot": lambda a, b: a | ~b,
    "sll": lambda a, b: signed(a << (b & 63)),
    "srl": lambda a, b: signed(unsigned(a) >> (b & 63)),
    "sra": lambda a, b: a >> (b & 63),
    "cmpeq": lambda a, b: int(a == b),
    "cmplt": lambda a, b: int(a < b),
    "cmple": lambda a, b: int(a <= b),
    "cmpult": lambda a, b: int(unsigned(a) < unsigned(b)),
    "cmpule": lambda a, b: int(unsigned(a) <= unsigned(b)),
    "zap": lambda a, b: kept_bytes(a, ~b & 0xFF),
    "zapnot": lambda a, b: kept_bytes(a, b & 0xFF),
    "seleq": lambda a, b: b if a == 0 else 7,
    "selne": lambda a, b: b if a != 0 else 7,
    "sellt": lambda a, b: b if a < 0 else 7,
    "selle": lambda a, b: b if a <= 0 else 7,
    "selgt": lambda a, b: b if a > 0 else 7,
    "selge": lambda a, b: b if a >= 0 else 7,
    "sextw": lambda a, _: signed(a, 32),
    "beq": lambda a, _: int(a == 0),
    "bne": lambda a, _: int(a != 0),
    "blt": lambda a, _: int(a < 0),
    "ble": lambda a, _: int(a <= 0),
    "bgt": lambda a, _: int(a > 0),
    "bge": lambda a, _: int(a >= 0),
}

PAIRS = [
    (0, 0), (1, 2), (-1, 1), (5, -3), (2**31, 1), (2**31 - 1, 1), (-(2**31), -1),
    (2**62, 4), (-(2**63), 63), (0x123456789ABCDEF, 0xA5), (-2, 0xFF), (7, 70),
]  # fmt: skip


def scalar_lines(name):
    if name.startswith("sel"):
        return [f"ldi $3,7($31)\n{name} $16,$17,$3,$0"]
    if name.startswith("b"):
        return [f"ldi $0,1\n{name} $16,.taken\nmov 0,$0\n.taken:"]
    return [f"{name} $16,$0" if name == "sextw" else f"{name} $16,$17,$0"]


def test_scalar_instructions(tmp_path):
    c = "".join(f"long op_{name}(long a, long b);\n" for name in SCALARS)
    c += "void work(struct job *job) { long *x = job->x, *y = job->y;\n"
    c += f"for (int k = 0; k < {len(PAIRS)}; ++k) {{ long a = x[2 * k], b = x[2 * k + 1];\n"
    for n, name in enumerate(SCALARS):
        c += f"y[{n * len(PAIRS)} + k] = op_{name}(a, b);\n"
    assembly = "\n".join(function(f"op_{name}", *scalar_lines(name)) for name in SCALARS)
    x = np.array(PAIRS, "int64").ravel()
    y = np.zeros(len(SCALARS) * len(PAIRS), "int64")
    got = kernel_of(tmp_path, c + "} }", assembly, x, y).run(x).reshape(len(SCALARS), -1)
    for row, (name, of) in zip(got, SCALARS.items(), strict=True):
        assert [int(v) for v in row] == [of(a, b) for a, b in PAIRS], name


VECTORS = {
    "vmad $1,$2,$3,$0": lambda a, b, c: a * b + c,
    "vmsd $1,$2,$3,$0": lambda a, b, c: a * b - c,
    "vnmad $1,$2,$3,$0": lambda a, b, c: c - a * b,
    "vnmsd $1,$2,$3,$0": lambda a, b, c: -(a * b) - c,
    "vaddd $1,$2,$0": lambda a, b, c: a + b,
    "vsubd $1,$2,$0": lambda a, b, c: a - b,
    "vmuld $1,$2,$0": lambda a, b, c: a * b,
    "vdivd $1,$2,$0": lambda a, b, c: a / b,
    "vseleq $3,$1,$2,$0": lambda a, b, c: np.where(c == 0, a, b),
    "vsellt $3,$1,$2,$0": lambda a, b, c: np.where(c < 0, a, b),
    "vselle $3,$1,$2,$0": lambda a, b, c: np.where(c <= 0, a, b),
    "vfmov $3,$0": lambda a, b, c: c,
    # Result lanes 0 and 1 come from the second register, 2 and 3 from the first.
    "vshff $1,$2,0xb1,$0": lambda a, b, c: np.array([b[1], b[0], a[3], a[2]]),
    "vshff $1,$1,$31,$0": lambda a, b, c: np.full(4, a[0]),
    "vinsf $2,$1,2,$0": lambda a, b, c: np.array([a[0], a[1], b[0], a[3]]),
    "vextf $1,3,$4\nvinsf $4,$2,0,$0": lambda a, b, c: np.array([a[3], *b[1:]]),
    "vextw $1,7,$4\nvinsw $4,$1,7,$0": lambda a, b, c: a,
    "vbisw $1,$31,$0": lambda a, b, c: a,
    "vxorw $1,$2,$4\nvxorw $4,$2,$0": lambda a, b, c: a,
    "vandw $1,$1,$0": lambda a, b, c: a,
    "vbicw $1,$31,$0": lambda a, b, c: a,
    "veqvw $1,$2,$4\nveqvw $4,$2,$0": lambda a, b, c: a,
    "vaddl $1,$2,$4\nvsubl $4,$2,$0": lambda a, b, c: a,
    "vaddw $1,$2,$4\nvsubw $4,$2,$0": lambda a, b, c: a,
    "ldde $0,8($16)": lambda a, b, c: np.full(4, a[1]),
}


def require_lanes(folder, cases, x, load, store):
    """Holds what each case leaves in $0, of $1 to $3 that hold `x`, against its function."""
    element = {"float64": "double", "float32": "float"}[str(x.dtype)]
    c = "".join(f"void op{n}(const {element} *x, {element} *y);\n" for n in range(len(cases)))
    c += f"__thread_local {element} in[12] __attribute__((aligned(32)));\n"
    c += f"__thread_local {element} out[4] __attribute__((aligned(32)));\n"
    c += f"void work(struct job *job) {{ {element} *x = job->x, *y = job->y;\n"
    c += "for (int k = 0; k < 12; ++k) in[k] = x[k];\n"
    for n in range(len(cases)):
        c += f"op{n}(in, out); for (int k = 0; k < 4; ++k) y[{4 * n} + k] = out[k];\n"
    loads = [f"{load} ${k + 1},{4 * x.itemsize * k}($16)" for k in range(3)]
    assembly = "\n".join(
        function(f"op{n}", *loads, lines, f"{store} $0,0($17)") for n, lines in enumerate(cases)
    )
    got = kernel_of(folder, c + "}", assembly, x, np.zeros(4 * len(cases), x.dtype)).run(x)
    for values, (lines, of) in zip(got.reshape(-1, 4), cases.items(), strict=True):
        np.testing.assert_array_equal(values, of(*x.reshape(3, 4)), err_msg=lines)


def test_vector_instructions(tmp_path):
    x = np.array([1.5, -2, 3.25, 4, 2, 0.5, -8, 1, 0, -1, 5, 0])
    require_lanes(tmp_path, VECTORS, x, "vldd", "vstd")


SINGLES = {
    "vmas $1,$2,$3,$0": lambda a, b, c: np.float32(np.float64(a) * b + c),
    "vmss $1,$2,$3,$0": lambda a, b, c: np.float32(np.float64(a) * b - c),
    "vnmas $1,$2,$3,$0": lambda a, b, c: np.float32(c - np.float64(a) * b),
    "vadds $1,$2,$0": lambda a, b, c: a + b,
    "vsubs $1,$2,$0": lambda a, b, c: a - b,
    "vmuls $1,$2,$0": lambda a, b, c: a * b,
    "vdivs $1,$2,$0": lambda a, b, c: a / b,
    "ldse $0,4($16)": lambda a, b, c: np.full(4, a[1], "float32"),
}


def test_single_precision_is_rounded_once(tmp_path):
    x = np.random.default_rng(0).standard_normal(12).astype("float32")
    require_lanes(tmp_path, SINGLES, x, "vlds", "vsts")


def test_narrow_loads_and_stores(tmp_path):
    c = """
void copy(const char *from, char *to);
__thread_local char in[32] __attribute__((aligned(32)));
__thread_local char out[32] __attribute__((aligned(32)));
void work(struct job *job) {
  char *x = job->x, *y = job->y;
  for (int k = 0; k < 32; ++k) in[k] = x[k];
  copy(in, out);
  for (int k = 0; k < 32; ++k) y[k] = out[k];
}
"""
    lines = ["ldw $1,0($16)", "stl $1,0($17)", "ldhu $1,0($16)", "stl $1,8($17)"]
    lines += ["ldbu $1,0x2+1($16)", "stw $1,16($17)", "sth $1,20($17)", "stb $1,22($17)"]
    lines += ["stb $31,23($17)", "fldd $1,8($16)", "fstd $1,24($17)"]
    x = np.zeros(32, "int8")
    x[:4] = -1
    x[8:16] = np.frombuffer(np.float64(2.5).tobytes(), "int8")
    got = kernel_of(tmp_path, c, function("copy", *lines), x, np.zeros(32, "int8")).run(x)
    assert got[:16].view("int64").tolist() == [-1, 0xFFFF]
    assert got[16:24].view("uint8").tolist() == [0xFF, 0, 0, 0, 0xFF, 0, 0xFF, 0]
    assert got[24:].view("float64")[0] == 2.5


def test_calls_frames_and_arguments_on_the_stack(tmp_path):
    c = """
long sum(long a, long b, long c, long d, long e, long f, long g, int h);
long twice(long a) { return 2 * a; }
long apply(long a);
void use(void) { twice(0); }
void work(struct job *job) {
  long *x = job->x, *y = job->y;
  y[0] = sum(x[0], x[1], x[2], x[3], x[4], x[5], x[6], (int)x[7]);
  y[1] = apply(x[0]);
}
"""
    adds = [f"addl $16,${k},$16" for k in range(17, 22)]
    assembly = function(
        "sum",
        *["ldi $sp,-32($sp)", "stl $26,0($sp)", *adds, "ldl $1,32($sp)", "ldl $2,40($sp)"],
        *["addl $16,$1,$16", "addl $16,$2,$0", "ldl $26,0($sp)", "ldi $sp,32($sp)"],
    )
    assembly += function("apply", "bsr $26,twice", "mov $0,$16", "bsr $26,twice", "addl $0,1,$0")
    x = np.arange(1, 9)
    got = kernel_of(tmp_path, c, assembly, x, np.zeros(2, "int64")).run(x)
    assert got.tolist() == [36, 5]


def test_vectors_and_floats_are_passed_in_registers(tmp_path):
    c = """
doublev4 add(doublev4 a, doublev4 b);
float half(float x, double y);
floatv4 minus(floatv4 a, floatv4 b);
void work(struct job *job) {
  double *x = job->x, *y = job->y;
  doublev4 v = simd_set_doublev4(x[0], x[1], x[2], x[3]);
  v = add(v, v);
  y[0] = simd_vextf3(v);
  y[1] = half(x[0], x[1]);
  floatv4 w = simd_set_floatv4(x[0], x[1], x[2], x[3]);
  w = minus(w, simd_set_floatv4(1, 2, 3, 4));
  y[2] = simd_vextf2(w);
}
"""
    assembly = function("add", "vaddd $16,$17,$0") + function("half", "fmuld $16,$17,$0")
    assembly += function("minus", "vsubs $16,$17,$0")
    x = np.array([3, 0.5, 7, 9])
    got = kernel_of(tmp_path, c, assembly, x, np.zeros(3)).run(x)
    assert got.tolist() == [18, 1.5, 4]


COMMUNICATION = """
__thread_local double in[4] __attribute__((aligned(32)));
void exchange(double *at, int column);
void work(struct job *job) {
  double *x = job->x, *y = job->y;
  int id = athread_get_id(-1);
  for (int k = 0; k < 4; ++k) in[k] = x[4 * id + k];
  exchange(in, id % 8);
  for (int k = 0; k < 4; ++k) y[4 * id + k] = in[k];
}
"""


@pytest.mark.parametrize("mode", ["functional", "hazard", "timed"])
def test_messages_and_barriers(tmp_path, mode):
    # Column 0 sends what it has to its row and, doubled, to CPE 3 of it again.
    assembly = """
.globl exchange
exchange:
  bne $17,.receives
  vldr $1,0($16)
  vaddd $1,$1,$1
  putr $1,3
  br $31,.meets
.receives:
  getr $1
  vstd $1,0($16)
  subl $17,3,$2
  bne $2,.meets
  getr $1
  vstd $1,0($16)
.meets:
  ldi $3,0xff
  synr $3
  sync $3
  ret $31,($26),1
"""
    x = np.arange(256.0)
    kernel = kernel_of(tmp_path, COMMUNICATION, assembly, x, np.zeros(256), threads=64)
    want = np.repeat(x.reshape(8, 8, 4)[:, :1], 8, axis=1)
    want[:, 3] *= 2
    got = kernel.run(x, mode=mode)
    np.testing.assert_array_equal(got.reshape(8, 8, 4), want)


@pytest.mark.parametrize("mode", ["functional", "hazard", "timed"])
def test_a_loop_waits_for_a_transfer(tmp_path, mode):
    c = """
__thread_local volatile int reply;
__thread_local double in[4] __attribute__((aligned(32)));
void wait(volatile int *counter, int count);
void work(struct job *job) {
  double *y = job->y;
  reply = 0;
  athread_get(PE_MODE, job->x, in, 32, (void *)&reply, 0, 0, 0);
  wait(&reply, 1);
  for (int k = 0; k < 4; ++k) y[k] = in[k];
}
"""
    assembly = function("wait", ".again:", "ldw $1,0($16)", "cmpeq $1,$17,$1", "beq $1,.again")
    x = np.arange(4.0)
    got = kernel_of(tmp_path, c, assembly, x, np.zeros(4)).run(x, mode=mode)
    np.testing.assert_array_equal(got, x)


def test_variables_of_c_have_names_in_assembly(tmp_path):
    c = """
__thread_local long mine[2];
long shared = 5;
void add(long *y);
void work(struct job *job) {
  long *y = job->y;
  mine[0] = 37;
  mine[1] = shared;
  add(mine);
  y[0] = mine[1];
}
"""
    assembly = """
.section .text1,"ax"
.globl add
.ent add#
add:
  ldih $gp,0($27) !gpdisp!1
  ldi $gp,0($gp) !gpdisp!1
  ldih $1,mine($31) !tprelhi
  ldl $2,mine($1) !tprello   # what C has written
  ldl $3,shared($gp) !literal
  ldl $3,0($3)
  addl $2,$3,$2
  stl $2,8($16)
  ret $31,($26),1
.end add
.section .debug_info,"",@progbits
.long 5
"""
    x = np.zeros(1, "int64")
    got = kernel_of(tmp_path, c, assembly, x, x, suffix="s").run(x)
    assert got.tolist() == [42]


def test_the_page_has_every_instruction():
    table = (ROOT / "emulator" / "worker" / "instruction_set.cpp").read_text()
    names = set(re.findall(r'^    \{"(\w+)"', table, re.MULTILINE))
    assert len(names) > 100
    assert not names - set(re.findall(r"`(\w+)", PAGE.read_text()))


def test_the_example_of_the_page(tmp_path):
    lines = PAGE.read_text().splitlines()
    example = "\n".join(line[4:] for line in lines if line.startswith("    "))
    c = """
void scale(float *x, const float *by, int n);
__thread_local float in[16] __attribute__((aligned(32)));
void work(struct job *job) {
  float *x = job->x, *y = job->y, by = 3;
  for (int k = 0; k < 16; ++k) in[k] = x[k];
  scale(in, &by, 16);
  for (int k = 0; k < 16; ++k) y[k] = in[k];
}
"""
    x = np.arange(16, dtype="float32")
    np.testing.assert_array_equal(kernel_of(tmp_path, c, example, x, x).run(x), 3 * x)


def test_faults_are_told_at_the_line_of_the_assembly(tmp_path):
    c = """
void read(long *at);
__thread_local long in[4];
void work(struct job *job) { read(in); }
"""
    assembly = function("read", "ldl $1,0($16)", "ldl $1,65536($16)")
    x = np.zeros(1, "int64")
    with pytest.raises(sw.EmulatorError) as error:
        kernel_of(tmp_path, c, assembly, x, x).run(x, mode="hazard")
    assert error.value.kind == "out_of_bounds_ldm"
    assert "work.S:4" in str(error.value)


@pytest.mark.parametrize("mode", ["functional", "hazard", "timed"])
def test_places_in_the_ldm_fit_32_bits(tmp_path, mode):
    """As on the machine: public kernels keep them in an int, and count on with addw."""
    kernel = kernel_of(
        tmp_path,
        "void fill(long *to, int where);\n"
        "__thread_local long held[4];\n"
        "void work(struct job *job) {\n"
        "  int where = (int)(long)held;\n"
        "  fill(held, where);\n"
        "  long *again = (long *)(long)where;\n"
        "  for (int k = 0; k < 4; ++k) ((long *)job->y)[k] = again[k];\n"
        "}\n",
        function(
            "fill", "addw $17,8,$1", "ldi $2,5($31)", "stl $2,0($1)", "addw $1,16,$1",
            "stl $2,0($1)", "stl $31,0($16)", "stl $31,16($16)",
        ),
        np.zeros(1, np.int64),
        np.zeros(4, np.int64),
    )  # fmt: skip
    assert list(kernel.run(np.zeros(1, np.int64), mode=mode)) == [0, 5, 0, 5]


def test_a_scalar_leaves_the_upper_lanes_as_they_are(tmp_path):
    """Public products keep pointers there while the lowest lane counts."""
    kernel = kernel_of(
        tmp_path,
        "void mixed(long *to);\n"
        "__thread_local long held[4] __attribute__((aligned(32)));\n"
        "void work(struct job *job) {\n"
        "  for (int k = 0; k < 4; ++k) held[k] = 10 + k;\n"
        "  mixed(held);\n"
        "  for (int k = 0; k < 4; ++k) ((long *)job->y)[k] = held[k];\n"
        "}\n",
        function(
            "mixed", "vldd $1,0($16)", "ldi $1,7($31)", "ldw $2,8($16)", "addl $1,$2,$1",
            "vstd $1,0($16)",
        ),
        np.zeros(1, np.int64),
        np.zeros(4, np.int64),
    )  # fmt: skip
    assert list(kernel.run(np.zeros(1, np.int64))) == [18, 11, 12, 13]
