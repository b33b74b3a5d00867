from pathlib import Path

import numpy as np
import solway as sw

Path("mpe.c").write_text("""#include <scratchpad.h>
extern float sum;
int twice(float *x) {
  x[0] = sum;
  return 0;
}
""")
Path("core.c").write_text("""#include <scratchpad.h>
float sum;
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
