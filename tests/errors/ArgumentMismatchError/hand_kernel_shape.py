from pathlib import Path

import solway as sw

alpha = sw.placeholder((), name="alpha")
x, y = sw.placeholder((1024,), name="x"), sw.placeholder((32768,), name="y")
saxpy = Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy"
sw.hand_kernel(saxpy, args=[alpha, x, y])
