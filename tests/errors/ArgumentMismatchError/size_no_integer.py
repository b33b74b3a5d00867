import numpy as np
import solway as sw

n, p = sw.size("n", max=9), sw.size("p", min=0, max=5)
A = sw.placeholder((n,), name="A")
C = sw.compute((n,), lambda i: A[i] + p, name="C")
shift = sw.build(sw.create_schedule(C), [A, C], name="shift")
shift.run(np.zeros(3, "float32"), sizes={"p": 2.5})
