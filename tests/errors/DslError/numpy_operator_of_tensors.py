import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
C = np.add(A, 1)
