from pathlib import Path

import solway as sw

text = (Path(__file__).parents[3] / "targets" / "sw26010.toml").read_text()
for old, new in (
    ("count = 64", "count = 16"),
    ("rows = 8", "rows = 4"),
    ("columns = 8", "columns = 4"),
):
    text = text.replace(old, new, 1)
Path("small.toml").write_text(text)
A = sw.placeholder((32, 32), name="A")
B = sw.placeholder((32, 32), name="B")
k = sw.reduce_axis(32, name="k")
C = sw.compute((32, 32), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
io, jo, ii, ji = s[C].tile("i", "j", 8, 8)
s[C].parallel(io, jo, grid=(4, 4))
s.broadcast(s.buffer_read(A, at=jo), over="row")
sw.build(s, [A, B, C], target="small.toml")
