import solway as sw

W = sw.constant([300, -1], dtype="int8")
