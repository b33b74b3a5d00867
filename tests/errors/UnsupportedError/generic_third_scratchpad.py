from pathlib import Path

import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
text = text.replace('dialect = "c"', 'dialect = "generic"')
near = text[text.index('[[memories]]\nname = "near"') : text.index("[[transfer_engines]]")]
Path("machine.toml").write_text(text.replace(near, near + near.replace('"near"', '"tables"')))
A = sw.placeholder((64,), name="A")
C = sw.compute((64,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.buffer_read(A, ["i"], scope="tables")
sw.build(s, [A, C], target="machine.toml")
