import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "pro", "planted")
mpe = Path("planted/good/groups_product.mpe.c")
mpe.write_text(mpe.read_text().replace("spawn_cgs(", "spawn_cgmask(0x41, "))
toml = Path("planted/planted.toml").read_text().replace("bad/CASE", "good/groups_product")
Path("planted/kernel.toml").write_text(toml.replace('"mpe.c"', '"good/groups_product.mpe.c"'))
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy())
