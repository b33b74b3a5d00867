import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace("shape = []", "shape = [1]"))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(np.ones(1, "float32"), x, x.copy())
