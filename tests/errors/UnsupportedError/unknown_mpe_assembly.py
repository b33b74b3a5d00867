from pathlib import Path

import numpy as np
import solway as sw

kernels = Path(__file__).parents[2] / "emulator" / "kernels"
kernel = sw.hand_kernel(kernels / "unknown_mpe_assembly")

kernel.run(*[np.zeros(a.shape, a.dtype) for a in kernel.arguments if a.role != "out"])
