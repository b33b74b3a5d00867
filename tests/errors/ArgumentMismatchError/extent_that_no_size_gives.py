import numpy as np
import solway as sw

n = sw.size("n", max=30)
A = sw.placeholder((2 * n,), name="A")
B = sw.compute((n,), lambda i: A[2 * i], name="B")
k = sw.build(sw.create_schedule(B), [A, B])
k.run(np.zeros(7, "float32"))
