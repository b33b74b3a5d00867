import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace("[sources]", '[sources]\nstack = "main"'))
source = Path("saxpy/cpe.c")
text = source.read_text().replace("__thread_local float x_block[BLOCK];", "")
source.write_text(text.replace("  int first", "  float x_block[BLOCK];\n  int first"))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
