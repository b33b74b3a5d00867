from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace("ranks = 2", "ranks = 4", 1))
sw.Target.load("machine.toml")
