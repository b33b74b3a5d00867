import solway as sw

A = sw.placeholder((8,), name="A")
H = sw.recurrence(
    (8,), lambda H, t: sw.select(t == 0, A[0], H[t - 1] + A[t]), dtype="float32", name="H"
)
C = sw.compute((8,), lambda i: H[i] * 2, name="C")
s = sw.create_schedule(C)
s[H].compute_inline()
