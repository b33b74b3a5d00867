import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((), lambda: sw.argmin(A[k], axis=k), name="C")
kernel = sw.build(sw.create_schedule(C), [A, C])
print(sw.compare({"solway": kernel}, inputs=[np.zeros(8, "float32")]))
