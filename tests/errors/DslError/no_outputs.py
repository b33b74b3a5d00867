import solway as sw

s = sw.create_schedule([])
