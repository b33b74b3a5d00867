import numpy as np
import solway as sw

W = sw.constant(np.ones((64, 67), "int8"), name="W")
B = sw.compute((64, 67), lambda i, j: W[i, j] + 1, name="B")
s = sw.create_schedule(B)
s.transform_layout(W, lambda i, j: [j, i])
s.buffer_read(W, at=s[B].axis[0], align=4)
