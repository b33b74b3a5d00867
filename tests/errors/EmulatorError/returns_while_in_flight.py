import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
source = Path("saxpy/cpe.c")
start = """__attribute__((noinline)) void start(Parameters *p) {
  float local[4];
  athread_get(PE_MODE, (void *)p->x, local, 16, (void *)&put_reply, 0, 0, 0);
}

void work(Parameters *p) {
  start(p);"""
source.write_text(source.read_text().replace("void work(Parameters *p) {", start))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
