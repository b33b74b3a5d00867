import numpy as np
import solway as sw

A = sw.placeholder((8,), np.dtype(">f4"), name="A")
