import solway as sw

A = sw.placeholder((4,), name="A")
B = sw.compute((4,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B, options=sw.Options(analysis_seconds=0))
s[B].split("i", factor=2)
