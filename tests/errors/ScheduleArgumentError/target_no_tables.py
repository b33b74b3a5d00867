from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
text = text.replace("[cores]", "memories = 65536\n\n[cores]").split("[[memories]]")[0]
Path("machine.toml").write_text(text)
sw.Target.load("machine.toml")
