import solway as sw

with sw.emulator(seed=-1):
    pass
