import solway as sw

A = sw.placeholder((8, 8), "int32", name="A")
B = sw.placeholder((8, 8), "int32", name="B")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
sw.library.openblas_sgemm(A, B, C)
