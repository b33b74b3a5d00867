import solway as sw

x = sw.placeholder((8, 64), name="x")
h = sw.compute((8, 64), lambda i, j: x[i, j] * 2, name="h")
y = sw.compute((8, 64), lambda i, j: h[i, j] + 1, name="y")
s = sw.create_schedule(h)
s[h].parallel("i")
s.buffer_read(x, ["i", "j"], scope="shared")
sw.build_network(
    [(s, [x, h]), (sw.create_schedule(y, inputs=[h]), [h, y])], target="example-cluster"
)
