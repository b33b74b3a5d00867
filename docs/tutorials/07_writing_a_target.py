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
dialect = "athread"
default_scope = "ldm"

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
name = "ldm"
kind = "scratchpad"
size_bytes = 131072
alignment_bytes = 32
shared_by = "core"

[[transfer_engines]]
name = "dma"
near = "ldm"
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
print(kestrel.name, kestrel.memory("ldm").size_bytes)

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
# `dialect` is the language of the code that a target gets. `"athread"` is C for two sides: a
# managing core that starts the others, and the cores, which call `athread_get` and `athread_put`.
# The emulator runs it with the cores and the memory of the file. For a machine with another
# interface, what `kernel.save(folder)` writes is a place to begin a port from.

# %%
kernel = sw.build(s, [A, B, C], target="kestrel.toml", name="matmul")
rng = np.random.default_rng(0)
a = rng.integers(-4, 5, A.shape).astype("float32")
b = rng.integers(-4, 5, B.shape).astype("float32")
print(np.array_equal(kernel.run(a, b), a @ b))
print(kernel.last_run.bytes["get"], "bytes in,", kernel.last_run.bytes["put"], "bytes out")
print(*sorted(kernel.source))

# %% [markdown]
# Two things hold for the dialect `"athread"` as it is: the scratchpad is called `"ldm"`, and there
# are at most 64 cores.
#
# With the dialect `"c"` names are free, and the code is one plain function: buffers are arrays,
# transfers are loops that copy, and what has no form in C is a remark. It shows what the plan
# does, and is the other way to begin:

# %%
plain = MACHINE.replace('"athread"', '"c"').replace('"ldm"', '"near"')
Path("plain.toml").write_text(plain)
s = sw.create_schedule(C, target="plain.toml")
s.auto_buffer("plain.toml", planner="greedy")
kernel = sw.build(s, [A, B, C], target="plain.toml", name="matmul")
print(np.array_equal(kernel.run(a, b), a @ b))
for remark in kernel.report():
    print(f"{remark.step} {remark.verdict}: {remark.why}")

# %% [markdown]
# A dialect of its own is code: a folder in `codegen/` that writes the loop IR in the machine's
# language, as `codegen/athread` does. The passes before it, the planner and the proofs stay as
# they are.
#
# ## Into the library
#
# A file in `targets/` that `support/CMakeLists.txt` lists is compiled in and has a name. Every
# figure in it says in a comment whether it is published (and where), derived or assumed.
