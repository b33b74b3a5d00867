from pathlib import Path

import solway as sw

text = (Path(__file__).parents[3] / "targets" / "sw26010.toml").read_text()
line = "interval_cycles = 2.33"
Path("machine.toml").write_text(text.replace(line, "interval_cycles = -0.5"))
sw.Target.load("machine.toml")
