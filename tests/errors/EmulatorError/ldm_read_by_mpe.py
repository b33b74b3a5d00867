import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
work, main = Path("saxpy/cpe.c"), Path("saxpy/mpe.c")
work.write_text(work.read_text().replace("= 1);", "= 1);\n  *(float **)(p->y + first) = x_block;"))
main.write_text(main.read_text().replace("_join();", "_join();\n  y[8] = **(float **)y;"))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
