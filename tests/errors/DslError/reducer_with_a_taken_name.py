import solway as sw

first = sw.reducer(lambda a, b: a, 0, name="argmin")
