import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "pro", "planted")
folder = Path("planted")
toml = (folder / "planted.toml").read_text()
(folder / "kernel.toml").write_text(toml.replace("bad/CASE.c", "good/reductions.c"))
source = folder / "good" / "reductions.c"
source.write_text(source.read_text().replace("OP_add", "OP_xor"))
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy())
