from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(
    text.replace("[64, 1.0, 1.0], [4096, 8.0, 8.0]", "[4096, 8.0, 8.0], [64, 1.0, 1.0]", 1)
)
sw.Target.load("machine.toml")
