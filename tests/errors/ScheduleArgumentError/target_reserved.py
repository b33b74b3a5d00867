from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(
    text.replace("size_bytes = 65536\n", "size_bytes = 65536\nreserved_bytes = 131072\n", 1)
)
sw.Target.load("machine.toml")
