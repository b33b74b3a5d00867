import numpy as np
import solway as sw

A = sw.placeholder((8,), "bfloat16", name="A")
C = sw.compute((8,), lambda i: sw.cast(A[i], "float32"), name="C")
sw.build(sw.create_schedule(C), [A, C]).run(np.zeros(8, "float32"))
