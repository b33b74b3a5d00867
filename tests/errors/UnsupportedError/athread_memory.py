from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
Path("machine.toml").write_text(text.replace('dialect = "c"', 'dialect = "athread"'))
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.buffer_read(A, ["i"])
sw.build(s, [A, C], target="machine.toml")
