import numpy as np
import solway as sw

n = sw.size("n", max=30)
A = sw.placeholder((n, 8), name="A")
B = sw.compute((n, 8), lambda i, j: A[i, j] * 2, name="B")
k = sw.build(sw.create_schedule(B), [A, B])
k.run(np.zeros(8, "float32"))
