import solway as sw

with sw.emulator(landing="soon"):
    pass
