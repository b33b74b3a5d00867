import sys

import numpy as np
import solway as sw

for name in ("matplotlib", "matplotlib.figure"):
    sys.modules[name] = None  # as on a machine without it
found = sw.compare({"abs": np.abs}, inputs=[np.zeros(8)], repeats=1)
found.plot("page.png")
