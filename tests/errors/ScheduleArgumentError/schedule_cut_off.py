from pathlib import Path

import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.save("double.txt")
file = Path("double.txt")
file.write_text(file.read_text().splitlines()[0] + "\n")
sw.load_schedule("double.txt", [C])
