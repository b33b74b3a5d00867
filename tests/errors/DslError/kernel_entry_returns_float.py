import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/mpe.c")
file.write_text(file.read_text().replace("void saxpy", "float saxpy"))
sw.hand_kernel("saxpy").run(1.0, np.zeros(32768, "float32"), np.zeros(32768, "float32"))
