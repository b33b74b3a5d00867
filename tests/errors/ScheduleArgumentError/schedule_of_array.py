import numpy as np
import solway as sw

s = sw.create_schedule(np.zeros(8))
