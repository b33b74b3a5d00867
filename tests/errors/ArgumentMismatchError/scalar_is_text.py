import numpy as np
import solway as sw

a = sw.placeholder((), name="a")
X = sw.placeholder((8,), name="X")
Y = sw.compute((8,), lambda i: a[()] * X[i], name="Y")
scale = sw.build(sw.create_schedule(Y), [a, X, Y], name="scale")
scale.run("2", np.zeros(8, "float32"))
