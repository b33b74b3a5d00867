from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
text = text.replace('dialect = "c"', 'dialect = "generic"')
text = text.replace('shared_by = "core"', 'shared_by = "row"')
Path("machine.toml").write_text(text)
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C], target="machine.toml")
