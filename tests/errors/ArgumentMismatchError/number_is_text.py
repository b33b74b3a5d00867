from pathlib import Path

import numpy as np
import solway as sw

kernels = Path(__file__).parents[2] / "emulator" / "kernels"
saxpy = sw.hand_kernel(kernels / "saxpy")
saxpy.run("2", np.zeros(32768, "float32"), np.zeros(32768, "float32"))
