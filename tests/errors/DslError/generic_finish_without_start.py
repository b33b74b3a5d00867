from pathlib import Path

import numpy as np
import solway as sw

Path("mpe.c").write_text("""#include <scratchpad.h>
void work(void *);
int twice(float *x) {
  if (x[0] == 0) scratchpad_start(work, x, 8);
  return scratchpad_finish();
}
""")
Path("core.c").write_text("""#include <scratchpad.h>
void work(void *x) {}
""")
Path("kernel.toml").write_text("""[kernel]
name = "twice"
target = "generic"
entry = "twice"
[sources]
mpe = ["mpe.c"]
cpe = ["core.c"]
[[argument]]
name = "x"
dtype = "float32"
shape = [4096]
role = "inout"
""")
sw.hand_kernel(".", target="example-cluster").run(np.ones(4096, "float32"))
