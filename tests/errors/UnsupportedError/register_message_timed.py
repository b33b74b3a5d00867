import shutil
from pathlib import Path

import solway as sw

root = Path(__file__).parents[3]
shutil.copytree(root / "bench" / "calibration" / "sw26010" / "messages", "messages")
machine = (root / "targets" / "sw26010.toml").read_text()
Path("machine.toml").write_text(machine.split("[timing.messages]")[0])
sw.hand_kernel("messages", target="machine.toml").run(mode="timed")
