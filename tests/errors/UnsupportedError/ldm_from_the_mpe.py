import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "no_init", "peek")
mpe = Path("peek/mpe.c")
looks = "void peek(float *y) { extern float part; y[0] = h2ldm(part, 3, 0); }"
mpe.write_text(mpe.read_text() + looks + "\n")
kernel = sw.hand_kernel("peek")
kernel.run(*[np.zeros(a.shape, a.dtype) for a in kernel.arguments if a.role != "out"])
