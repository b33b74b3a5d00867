from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace("count = 4", "count = 4000000000", 1))
sw.Target.load("machine.toml")
