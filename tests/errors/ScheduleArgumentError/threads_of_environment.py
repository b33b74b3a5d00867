import os

import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
k = sw.build(sw.create_schedule(C), [A, C])
os.environ["SOLWAY_THREADS"] = "all"
k.run(np.ones(8, "float32"))
