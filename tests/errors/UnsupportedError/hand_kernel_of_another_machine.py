from pathlib import Path

import solway as sw

saxpy = Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy"
sw.hand_kernel(saxpy, target="sw26010pro")
