import solway as sw

A = sw.placeholder((4, 131072), name="A")
B = sw.compute((4, 131072), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s[B].split("j", factor=65536)
s.auto_buffer("sw26010", planner="greedy")
