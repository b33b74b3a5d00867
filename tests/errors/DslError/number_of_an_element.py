import math

import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: math.exp(A[i]), name="C")
