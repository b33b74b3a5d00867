"""Figure 4 of the swTVM paper: an elementwise product of 1024, one part per core."""

import numpy as np
import solway as sw

A = sw.placeholder((1024,), name="A")
B = sw.placeholder((1024,), name="B")
C = sw.compute((1024,), lambda i: A[i] * B[i], name="C")

s = sw.create_schedule(C)
print("Figure 4(b)")
print(s)
s[C].athread_parallel(C.axis[0])
print("Figure 4(d), of any machine")
print(s)

s = sw.create_schedule(C, target="sw26010")
s[C].athread_parallel(C.axis[0])
print("Figure 4(d), of sw26010")
print(s)

a = np.arange(1024, dtype=np.float32)
b = np.ones(1024, dtype=np.float32) * 3
for target in ("host", "c", "sw26010"):
    product = sw.build(s, [A, B, C], target=target, name="product")
    assert np.array_equal(product.run(a, b), a * b)
    print(f"{target}: equals NumPy")
print(product.source["product_cpe.c"])
