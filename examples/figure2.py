"""Figure 2 of the swTVM paper: a matrix product, tiled for a scratchpad.

M = 1, K = N = 1024: the loops of Figure 2(b), then, with the buffers of 2(c), those of 2(d), which
run on every target. How they differ from the print, and why, is in ``docs/differences.md``.
"""

import numpy as np
import solway as sw

M, K, N = 1, 1024, 1024

A = sw.placeholder((M, K), name="A")
B = sw.placeholder((K, N), name="B")
k = sw.reduce_axis((0, K), name="k")
C = sw.compute((M, N), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")

s = sw.create_schedule(C)
yo, yi = s[C].split("y", factor=128)
ko, ki = s[C].split(k, factor=64)
s[C].reorder(yo, ko, yi, ki)
print("Figure 2(b)")
print(s)

BB = s.buffer_read(B, [ki, yi])
AA = s.buffer_read(A, [ki])
CC = s.buffer_write(C, [yi])
print("Figure 2(d)")
print(s)

rng = np.random.default_rng(0)
a = rng.integers(-4, 5, (M, K)).astype(np.float32)
b = rng.integers(-4, 5, (K, N)).astype(np.float32)
for target in ("host", "c", "sw26010"):
    matmul = sw.build(s, [A, B, C], target=target, name="matmul")
    assert np.array_equal(matmul.run(a, b), a @ b)
    print(f"{target}: equals NumPy")

moved, peak = matmul.last_run.bytes, matmul.last_run.ldm_peak_bytes
print(f"sw26010: {moved['get']:,} bytes by get, {moved['put']:,} by put, {peak:,} of 65,536 in LDM")
print(matmul.source["matmul_cpe.c"])
