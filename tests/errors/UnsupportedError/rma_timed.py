import shutil
from pathlib import Path

import numpy as np
import solway as sw

root = Path(__file__).parents[3]
shutil.copytree(root / "tests" / "emulator" / "pro", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("CASE", "ldm_race/rma_read_early"))
machine = (root / "targets" / "sw26010pro.toml").read_text()
Path("machine.toml").write_text(machine.split("[timing.remote_copies]")[0])
x = np.ones(4096, "float32")
sw.hand_kernel("planted", target="machine.toml").run(x, x.copy(), mode="timed")
