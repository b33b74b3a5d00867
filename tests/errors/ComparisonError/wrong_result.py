import numpy as np
import solway as sw

A = sw.placeholder((4,), name="A")
B = sw.compute((4,), lambda i: A[i] * 2, name="B")
double = sw.build(sw.create_schedule(B), [A, B])
a = np.arange(4, dtype="float32")
sw.compare({"solway": double, "mine": lambda a: a + a.max()}, inputs=[a])
