import numpy as np
import solway as sw

n = sw.placeholder((), "int8", name="n")
X = sw.placeholder((8,), "int8", name="X")
Y = sw.compute((8,), lambda i: n[()] * X[i], name="Y")
scale = sw.build(sw.create_schedule(Y), [n, X, Y], name="scale")
scale.run(300, np.zeros(8, "int8"))
