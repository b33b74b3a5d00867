import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
shutil.copy("saxpy/cpe.c", "saxpy/cpe2.c")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace('["cpe.c"]', '["cpe.c", "cpe2.c"]'))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
