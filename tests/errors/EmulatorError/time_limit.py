import numpy as np
import solway as sw

A = sw.placeholder((200, 200), name="A")
k = sw.reduce_axis(200, name="k")
C = sw.compute((200, 200), lambda i, j: sw.sum(A[i, k] * A[k, j], axis=k), name="C")
product = sw.build(sw.create_schedule(C), [A, C], target="sw26010", name="product")
with sw.emulator(seconds=0.001):
    product.run(np.zeros((200, 200), "float32"))
