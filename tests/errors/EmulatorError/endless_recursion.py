import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace("[sources]", '[sources]\nstack = "main"'))
deep = """__attribute__((noinline)) int deep(volatile int *n) {
  return deep(n) + *n;
}

void work(Parameters *p) {
  int n = 1;
  deep(&n);"""
source = Path("saxpy/cpe.c")
source.write_text(source.read_text().replace("void work(Parameters *p) {", deep))
x = np.zeros(32768, "float32")
sw.hand_kernel("saxpy").run(2.0, x, x.copy())
