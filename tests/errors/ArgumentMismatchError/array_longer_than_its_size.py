import numpy as np
import solway as sw

n = sw.size("n", max=4)
A = sw.placeholder((n,), name="A")
B = sw.compute((n,), lambda i: A[i] * 2, name="B")
k = sw.build(sw.create_schedule(B), [A, B])
k.run(np.zeros(9, "float32"))
