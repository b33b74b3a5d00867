import solway as sw

sw.Target.load("sw26010").memory("l2")
