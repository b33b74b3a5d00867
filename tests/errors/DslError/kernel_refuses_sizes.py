from pathlib import Path

import numpy as np
import solway as sw

pool = Path(__file__).parents[3] / "bench" / "hand" / "sw26010" / "pool_athread"
sw.hand_kernel(pool, sizes={"OUT": 28}).run(np.zeros((64, 55, 55), "float32"))
