from pathlib import Path

import solway as sw
from solway._embed import run_script  # what solway::run_script of a C++ program calls

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
Path("schedule.py").write_text("s = 'a schedule'\n")
run_script("schedule.py", [C._node])
