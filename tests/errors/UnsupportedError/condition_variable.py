import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "bad", "planted")
Path("planted/mpe.c").write_text("""#include "athread.h"

static void *part(void *argument) {
  return argument;
}

void entry(const float *x, float *y) {
  pthread_t thread;
  static pthread_cond_t condition;
  pthread_cond_signal(&condition);
}
""")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("CASE", "missing_join/of_a_thread"))
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy())
