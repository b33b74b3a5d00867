import numpy as np
import solway as sw

found = sw.compare({"abs": np.abs, "fabs": np.fabs}, inputs=[np.ones(4)], repeats=10)
found.ratio("abs", "sqrt")
