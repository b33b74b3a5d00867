from pathlib import Path

import numpy as np
import solway as sw

Path("mpe.c").write_text("""#include <scratchpad.h>
void work(void *);
int twice(float *x) {
  scratchpad_start(work, x, 1);
  return scratchpad_finish();
}
""")
Path("core.c").write_text("""#include <scratchpad.h>
static SCRATCHPAD SCRATCHPAD_ALIGNED(8) float a[64];
static SCRATCHPAD scratchpad_counter done;
void work(void *x) {
  scratchpad_get_planes(a, x, 16, 2, 64, 2, 64, &done);
}
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
cluster = (Path(__file__).parents[3] / "targets" / "example-cluster.toml").read_text()
Path("planes.toml").write_text(cluster.replace("ranks = 2", "ranks = 3"))
sw.hand_kernel(".", target="planes.toml").run(np.ones(4096, "float32"))
