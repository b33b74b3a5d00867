# %% [markdown]
# # Writing a target
#
# A machine is a file. This page writes one for a scratchpad machine that solway does not know: 16
# cores in a 4 x 4 mesh, each with 128 KB of local memory that a transfer engine fills.
#
# ## The file
#
# What solway plans with: cores, memories (a `scratchpad` is filled by transfers, a `cache` fills
# itself), transfer engines, vectors. Only `reserved_bytes`, `buses`, `[vector]`, `[timing]` and the
# engines may be left out. A key that is misspelt is an error, not a default. `targets/sw26010.toml`
# is a file whose figures all say where they are from.

# %%
from pathlib import Path

import numpy as np
import solway as sw

MACHINE = """\
name = "kestrel"
description = "an example: 16 cores with 128 KB of scratchpad each"
dialect = "generic"
default_scope = "local"

[cores]
count = 16
mesh_rows = 4
mesh_columns = 4
clock_mhz = 1000
icache_bytes = 16384

[[memories]]
name = "main"
kind = "main"
size_bytes = 4294967296
alignment_bytes = 64
shared_by = "all"

[[memories]]
name = "local"
kind = "scratchpad"
size_bytes = 131072
alignment_bytes = 32
shared_by = "core"

[[transfer_engines]]
name = "dma"
near = "local"
ranks = 2
max_pending = 4
alignment_bytes = 4
min_size_bytes = 4
max_size_bytes = 1048576
max_block_bytes = 1048576
transaction_bytes = 64
startup_cycles = 100
bandwidth = [  # block bytes, get GB/s, put GB/s
  [64, 2.0, 2.0],
  [4096, 16.0, 16.0],
]

[vector]
register_bits = 256
registers = 32
fma_latency_cycles = 4
load_latency_cycles = 4

[vector.lanes]
float32 = 8
"""
Path("kestrel.toml").write_text(MACHINE)
kestrel = sw.Target.load("kestrel.toml")
print(kestrel.name, kestrel.memory("local").size_bytes)

# %% [markdown]
# What does not fit together is said with its line:

# %%
Path("wrong.toml").write_text(MACHINE.replace("mesh_rows = 4", "mesh_rows = 8"))
try:
    sw.Target.load("wrong.toml")
except sw.ScheduleArgumentError as error:
    print(error.what)
    print(error.why)
    print(error.fix)

# %% [markdown]
# ## Planning
#
# A path stands wherever a target's name can. The planner tiles for 128 KB on each core; the same
# program gets smaller tiles on `"sw26010"`, which has 64 KB.

# %%
A = sw.placeholder((64, 512), name="A")
B = sw.placeholder((512, 128), name="B")
k = sw.reduce_axis(512, name="k")
C = sw.compute((64, 128), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
for target in ("kestrel.toml", "sw26010"):
    s = sw.create_schedule(C, target=target)
    s.auto_buffer(target, planner="greedy")
    print(target, *s.log, sep="\n  ")

# %%
s = sw.create_schedule(C, target="kestrel.toml")
s.auto_buffer("kestrel.toml", planner="greedy")
print(s.ldm_report("kestrel.toml"))

# %% [markdown]
# A buffer that does not fit is refused before any code is made, with the table of all buffers:

# %%
t = sw.create_schedule(C, target="kestrel.toml")
t[C].parallel("i")
try:
    t.buffer_read(B, ["j", k])
except sw.CapacityError as error:
    print(error.what)

# %% [markdown]
# ## Code
#
# `dialect` is the language of the code that a target gets. `"generic"` is C for two sides, a
# managing one that starts the cores and the cores, over ten functions: start and finish; get and
# put, of one piece or of blocks; wait; meet; which core this is, and of how many. [The generic
# dialect](../generic_dialect.md) says what each does; whoever implements them on the machine can
# run what solway makes. The emulator implements them too, with the cores, the memory and the engine
# of the file, and finds what is wrong:

# %%
kernel = sw.build(s, [A, B, C], target="kestrel.toml", name="matmul")
rng = np.random.default_rng(0)
a = rng.integers(-4, 5, A.shape).astype("float32")
b = rng.integers(-4, 5, B.shape).astype("float32")
print(np.array_equal(kernel.run(a, b), a @ b))
print(kernel.last_run.bytes["get"], "bytes in,", kernel.last_run.bytes["put"], "bytes out")
print(*sorted(kernel.source))

# %% [markdown]
# What one core runs, where it gets a tile of `B`:

# %%
core = kernel.source["matmul_core.c"].splitlines()
first = next(n for n, line in enumerate(core) if "get B[" in line)
print(*(line.strip() for line in core[first : first + 3]), sep="\n")

# %% [markdown]
# `"athread"` is the same for Sunway's machines, whose calls have other names. With the dialect
# `"c"` the code is one plain function: buffers are arrays, transfers are loops that copy, and what
# has no form in C is a remark. It shows what the plan does:

# %%
plain = MACHINE.replace('"generic"', '"c"')
Path("plain.toml").write_text(plain)
s = sw.create_schedule(C, target="plain.toml")
s.auto_buffer("plain.toml", planner="greedy")
kernel = sw.build(s, [A, B, C], target="plain.toml", name="matmul")
print(np.array_equal(kernel.run(a, b), a @ b))
for remark in kernel.report():
    print(f"{remark.step} {remark.verdict}: {remark.why}")

# %% [markdown]
# A machine whose transfers are others than these ten is code: a class in
# `codegen/athread/detail/dialect.cpp` says how its C is written, or a folder in `codegen/` writes
# the loop IR in another language. The passes before it, the planner and the proofs stay as they
# are.
#
# ## Into the library
#
# A file in `targets/` that `support/CMakeLists.txt` lists is compiled in and has a name. Every
# figure in it says in a comment whether it is published (and where), derived or assumed.
