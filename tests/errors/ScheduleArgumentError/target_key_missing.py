from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace("clock_mhz = 1000\n", "", 1))
sw.Target.load("machine.toml")
