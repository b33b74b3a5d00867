import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
double = sw.build(sw.create_schedule(C), [A, C], name="double")
double(np.ma.masked_less(np.arange(8, dtype="float32"), 3), np.zeros(8, "float32"))
