import solway as sw

sw.intrinsic("Y", {"c": "..."})
