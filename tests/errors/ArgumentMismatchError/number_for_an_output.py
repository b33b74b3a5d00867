import numpy as np
import solway as sw

A = sw.placeholder((5,), name="A")
k = sw.reduce_axis(5, name="k")
C = sw.compute((), lambda: sw.sum(A[k], axis=k), name="C")
total = sw.build(sw.create_schedule(C), [A, C], name="total")
total(np.ones(5, "float32"), np.float32(0))
