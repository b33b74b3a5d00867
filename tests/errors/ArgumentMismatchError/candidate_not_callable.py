import numpy as np
import solway as sw

sw.compare({"abs": np.abs, "result": 4}, inputs=[np.zeros(8)])
