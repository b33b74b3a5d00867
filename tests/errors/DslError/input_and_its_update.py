import solway as sw

x = sw.placeholder((8,), name="x")
h = sw.compute((8,), lambda i: x[i] * 2, name="h")
early = sw.compute((8,), lambda i: h[i] + 1, name="early")
h2 = sw.update(h, (7,), lambda i: i + 1, lambda i: h[i] + h[i + 1], name="h2")
y = sw.compute((8,), lambda i: h2[i] + early[i], name="y")
sw.create_schedule(y, inputs=[h2])
