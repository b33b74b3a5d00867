import shutil
from pathlib import Path

import numpy as np
import solway as sw

shutil.copytree(Path(__file__).parents[2] / "emulator" / "kernels" / "descriptor", "descriptor")
source = Path("descriptor/cpe.c")
source.write_text(source.read_text().replace("dma_wait(&reply", "dma_wait(0", 1))
sw.hand_kernel("descriptor").run(np.zeros(4096, "float32"))
