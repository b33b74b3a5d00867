import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "bad", "planted")
toml = Path("planted/planted.toml").read_text()
toml = toml.replace('"mpe.c"', '"not_initialised/no_enter.mpe.c"')
Path("planted/kernel.toml").write_text(toml.replace("CASE", "not_initialised/no_enter"))
x = np.ones(4096, "float32")
sw.hand_kernel("planted").run(x, x.copy(), mode="hazard")
