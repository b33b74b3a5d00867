import numpy as np
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
double = sw.build(sw.create_schedule(C), [A, C], name="double")
memory = np.zeros(33, "int8")
double.run(memory[1:].view("float32"))
