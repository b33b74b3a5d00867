"""Figure 2 of the swTVM paper: a matrix product, tiled for a scratchpad.

M = 1, K = N = 1024: the loops of Figure 2(b).
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
print(s)

rng = np.random.default_rng(0)
a = rng.integers(-4, 5, (M, K)).astype(np.float32)
b = rng.integers(-4, 5, (K, N)).astype(np.float32)
for target in ("host", "c"):
    matmul = sw.build(s, [A, B, C], target=target, name="matmul")
    assert np.array_equal(matmul.run(a, b), a @ b)
    print(f"{target}: equals NumPy, {matmul.last_run.seconds * 1e3:.3f} ms")
