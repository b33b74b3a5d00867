import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
source.write_text(
    source.read_text().replace(
        "int first = athread_get_id(-1) * BLOCK;",
        "int first = 0; if (p->alpha > 1) __builtin_trap();",
        1,
    )
)
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
