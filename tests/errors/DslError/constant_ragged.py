import solway as sw

W = sw.constant([[1], [1, 2]])
