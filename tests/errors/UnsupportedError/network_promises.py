import solway as sw

index = sw.placeholder((4,), "int64", name="index")
table = sw.placeholder((8,), name="table")
y = sw.compute((4,), lambda i: table[sw.bounded(index[i], 0, 8)], name="y")
s = sw.create_schedule(y)
sw.build_network([(s, [index, table, y])], options=sw.Options(debug=True))
