import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
divided = "put_reply = first / (int)(y_block[0] - y_block[0]);"
source.write_text(source.read_text().replace("put_reply = 0;", divided))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
