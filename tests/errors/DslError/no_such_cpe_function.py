import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/mpe.c")
source.write_text(
    source.read_text().replace("SLAVE_FUN(work)(void *);", "SLAVE_FUN(worker)(void *);", 1)
)
source.write_text(source.read_text().replace("spawn(work,", "spawn(worker,"))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
