import numpy as np
import solway as sw

A = sw.placeholder((8, 4), name="A")
k = sw.reduce_axis(4, name="k")
C = sw.compute((8,), lambda i: np.sum(A[i, k]), name="C")
