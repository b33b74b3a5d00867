import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: np.exp(A[i]), name="C")
