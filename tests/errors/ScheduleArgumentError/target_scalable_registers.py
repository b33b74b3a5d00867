from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace("registers = 32", "registers = 32\nscalable = true"))
sw.Target.load("machine.toml")
