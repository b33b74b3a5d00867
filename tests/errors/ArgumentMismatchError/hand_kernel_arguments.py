from pathlib import Path

import solway as sw

kernels = Path(__file__).parents[2] / "emulator" / "kernels"
x = sw.placeholder((1024,), name="x")
sw.hand_kernel(kernels / "saxpy", args=[x])
