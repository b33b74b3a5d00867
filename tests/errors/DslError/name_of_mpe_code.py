import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
source.write_text(source.read_text().replace("void work", "extern int size;\n\nvoid work", 1))
source.write_text(source.read_text().replace("int first =", "int first = size +"))
main = Path("saxpy/mpe.c")
main.write_text(main.read_text() + "int size = 8;\n")
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
