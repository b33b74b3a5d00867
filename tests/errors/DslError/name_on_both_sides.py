import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
for file, name in (("saxpy/mpe.c", "slave_size"), ("saxpy/cpe.c", "size")):
    Path(file).write_text(Path(file).read_text() + f"int {name} = 8;\n")
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
