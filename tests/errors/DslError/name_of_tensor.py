import solway as sw

A = sw.placeholder((8,), name="my tensor")
