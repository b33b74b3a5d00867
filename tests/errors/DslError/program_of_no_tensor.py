import solway as sw

print(sw.to_python([[1, 2], [3, 4]]))
