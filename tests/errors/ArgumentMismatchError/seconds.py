import solway as sw

with sw.emulator(seconds=0):
    pass
