import numpy as np
import solway as sw

A = sw.placeholder((4,), name="A")
B = sw.compute((4,), lambda i: A[i] * 2, name="B")
k = sw.build(sw.create_schedule(B), [A, B], target="sw26010")
a = np.arange(4, dtype="float32")
found = sw.compare({"sw26010": k, "numpy": lambda a: a * 2}, inputs=[a], repeats=10)
found.ratio("sw26010", "numpy")
