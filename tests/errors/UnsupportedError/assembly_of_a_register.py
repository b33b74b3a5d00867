import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
cpe = Path("saxpy/cpe.c")
first = "  int first = athread_get_id(-1) * BLOCK;"
clobbers = '\n  asm volatile("vlenma $32, $40, $42, $42" ::: "$42");'
cpe.write_text(cpe.read_text().replace(first, first + clobbers))
kernel = sw.hand_kernel("saxpy")
kernel.run(*[np.zeros(a.shape, a.dtype) for a in kernel.arguments if a.role != "out"])
