import solway as sw

n = sw.size("n", max=64)
x = sw.placeholder((n,), name="x")
y = sw.compute((n,), lambda i: x[i] * 2, name="y")
sw.build_network([(sw.create_schedule(y), [x, y])])
