import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
twice = """  void *room = ldm_malloc(64);
  ldm_free(room, 64);
  ldm_free(room, 64);
  get_reply = 0;"""
source.write_text(source.read_text().replace("  get_reply = 0;", twice))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
