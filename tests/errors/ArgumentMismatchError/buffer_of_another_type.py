import numpy as np
import solway as sw


class Doubles:
    """An array of a library whose conversions have names of their own."""

    values = np.zeros(8)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __dlpack__(self, **words):
        return self.values.__dlpack__(**words)


A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C]).run(Doubles())
