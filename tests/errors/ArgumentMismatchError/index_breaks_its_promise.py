import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
rows = sw.placeholder((4,), "int64", name="rows")
C = sw.compute((4,), lambda i: A[sw.bounded(rows[i], 0, 8)], name="C")
k = sw.build(sw.create_schedule(C), [A, rows, C], options=sw.Options(debug=True))
k.run(np.zeros(8, "float32"), np.array([0, 7, 8, 1]))
