import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "bad", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("CASE", "late"))
Path("planted/late.c").write_text("""#include "cpe.h"

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  if (_COL == 7) simd_putr(v, 0);
}
""")
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy())
