import solway as sw

with sw.emulator(mode="timed"):
    pass
