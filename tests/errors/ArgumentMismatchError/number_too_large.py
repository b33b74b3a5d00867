import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace("float32", "int8"))
saxpy = sw.hand_kernel("saxpy")
saxpy.run(300, np.zeros(32768, "int8"), np.zeros(32768, "int8"))
