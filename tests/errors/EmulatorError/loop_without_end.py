import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
loop = "  for (int i = 0; i < 1; i *= 2);\n  get_reply = 0;"
source.write_text(source.read_text().replace("  get_reply = 0;", loop))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
