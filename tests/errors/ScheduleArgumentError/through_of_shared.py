from pathlib import Path

import solway as sw

text = (Path(__file__).parents[3] / "targets" / "example-cluster.toml").read_text()
Path("machine.toml").write_text(text.replace('near = "local"', 'near = "shared"'))
sw.Target.load("machine.toml")
