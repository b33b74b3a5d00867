from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
text = text[: text.index("[vector]")].replace('dialect = "c"', 'dialect = "c"\npragmas = "nec"')
Path("machine.toml").write_text(text)
sw.Target.load("machine.toml")
