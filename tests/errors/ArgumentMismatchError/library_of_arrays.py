import numpy as np
import solway as sw

sw.library.openblas_sgemm(np.zeros((8, 8)), np.zeros((8, 8)), np.zeros((8, 8)))
