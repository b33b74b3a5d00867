import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
source.write_text(
    source.read_text().replace(
        "void work", "__thread_local float *current = x_block;\n\nvoid work", 1
    )
)
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
