import solway as sw

with sw.emulator(mode="cycles"):
    pass
