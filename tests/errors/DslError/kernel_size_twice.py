import shutil
from pathlib import Path

import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "saxpy", "saxpy")
file = Path("saxpy/kernel.toml")
defines = 'defines = { N = "7" }\n[sizes]\nN = 7\n'
file.write_text(file.read_text().replace("[[argument]]", defines + "[[argument]]", 1))
sw.hand_kernel("saxpy")
