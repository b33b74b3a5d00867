from pathlib import Path

import solway as sw

Path("machine.toml").write_text("name = my machine\n")
sw.Target.load("machine.toml")
