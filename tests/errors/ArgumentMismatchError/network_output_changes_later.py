import solway as sw

x = sw.placeholder((8,), name="x")
h = sw.compute((8,), lambda i: x[i] * 2, name="h")
h2 = sw.update(h, (7,), lambda i: i + 1, lambda i: h[i] + h[i + 1], name="h2")
first, second = sw.create_schedule(h), sw.create_schedule(h2, inputs=[h])
sw.build_network([(first, [x, h]), (second, [h2])], outputs=[h])
