import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.placeholder((8, 8), name="B")
C = sw.placeholder((8, 8), name="C")
sw.library.openblas_sgemm(A, B, C)
