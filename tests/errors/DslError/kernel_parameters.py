import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(
    file.read_text().replace(
        '[[argument]]\nname = "alpha"\ndtype = "float32"\nshape = []\nrole = "in"\n\n', "", 1
    )
)
sw.hand_kernel("saxpy").run(np.zeros(32768, "float32"), np.zeros(32768, "float32"))
