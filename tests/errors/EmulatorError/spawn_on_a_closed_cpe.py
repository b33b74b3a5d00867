import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/mpe.c")
spawn, join = "athread_spawn(work, &parameters)", "athread_join()"
text = source.read_text()
source.write_text(text.replace(spawn, f"athread_end(5);\n  {spawn}", 1))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
