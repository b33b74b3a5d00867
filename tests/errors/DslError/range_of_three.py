import solway as sw

k = sw.reduce_axis((0, 8, 2), name="k")
