import solway as sw

k = sw.reduce_axis(4, name="k")
A = sw.placeholder((k + 1,), name="A")
