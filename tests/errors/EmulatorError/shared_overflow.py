import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "generic", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("CASE", "shared_overflow/too_large"))
x = np.ones(4096, "float32")
sw.hand_kernel("planted", target="example-cluster").run(x, x.copy(), mode="hazard")
