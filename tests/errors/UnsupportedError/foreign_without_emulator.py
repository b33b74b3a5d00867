from pathlib import Path

import numpy as np
import solway as sw

machine = Path(__file__).parents[1] / "foreign.toml"

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C], target=machine).run(np.zeros(8, "float32"))
