import solway as sw

total = sw.reducer(5, 0, name="total")
