import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "bad", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("CASE.c", "table.cpp"))
Path("planted/table.cpp").write_text("""#include <slave.h>

static int draw(void) { return _MYID * 3 + 1; }
static int number = draw();

extern "C" void work(float **p) { p[1][0] = number; }
""")
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy())
