from pathlib import Path

import solway as sw

kernels = Path(__file__).parents[2] / "emulator" / "kernels"
sw.hand_kernel(kernels / "saxpy", target="x86-64-v3")
