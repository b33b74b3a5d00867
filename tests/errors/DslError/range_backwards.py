import solway as sw

k = sw.reduce_axis((8, 4), name="k")
