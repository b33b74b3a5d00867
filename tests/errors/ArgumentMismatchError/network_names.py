import solway as sw

x = sw.placeholder((8,), name="x")
h = sw.compute((8,), lambda i: x[i] * 2, name="h")
y = sw.compute((8,), lambda i: h[i] + 1, name="y")
z = sw.placeholder((8,), name="x")
w = sw.compute((8,), lambda i: z[i] + 1, name="w")
first, second = sw.create_schedule(h), sw.create_schedule(w)
sw.build_network([(first, [x, h]), (second, [z, w])])
