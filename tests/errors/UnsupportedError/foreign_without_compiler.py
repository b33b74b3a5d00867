import os

import numpy as np
import solway as sw

os.environ["PATH"] = "/nowhere"
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C], target="aarch64-neon").run(np.zeros(8, "float32"))
