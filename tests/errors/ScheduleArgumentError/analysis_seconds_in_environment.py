import os

import solway as sw

A = sw.placeholder((4,), name="A")
B = sw.compute((4,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
os.environ["SOLWAY_ANALYSIS_SECONDS"] = "soon"
s[B].split("i", factor=2)
