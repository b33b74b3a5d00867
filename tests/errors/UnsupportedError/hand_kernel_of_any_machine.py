import shutil
from pathlib import Path

import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "generic", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("bad/CASE", "good/two_buffers"))
sw.hand_kernel("planted")
