from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace('default_scope = "near"', 'default_scope = "ldm"', 1))
sw.Target.load("machine.toml")
