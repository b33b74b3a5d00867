import solway as sw

x = sw.placeholder((8,), name="x")
h = sw.compute((8,), lambda i: x[i] * 2, name="h")
y = sw.compute((8,), lambda i: h[i] + 1, name="y")
first, both = sw.create_schedule(h), sw.create_schedule([h, y])
sw.build_network([(first, [x, h]), (both, [x, h, y])])
