import solway as sw

sw.build_network([])
