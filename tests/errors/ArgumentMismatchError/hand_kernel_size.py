import shutil
from pathlib import Path

import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
file.write_text(file.read_text().replace("[[argument]]", "[sizes]\nN = 32768\n\n[[argument]]", 1))
sw.hand_kernel("saxpy", sizes={"M": 4})
