from pathlib import Path

import solway as sw

saxpy = Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy"
sw.hand_kernel(saxpy, sizes={"N": 4})
