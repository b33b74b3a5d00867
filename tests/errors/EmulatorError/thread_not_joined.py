import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "bad", "planted")
toml = Path("planted/planted.toml").read_text().replace("CASE", "missing_join/of_a_thread")
Path("planted/kernel.toml").write_text(toml.replace('"mpe.c"', '"missing_join/of_a_thread.mpe.c"'))
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy(), mode="hazard")
