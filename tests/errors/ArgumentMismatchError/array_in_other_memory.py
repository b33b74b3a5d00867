import solway as sw


class OnDevice:
    """An array that NumPy cannot view."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError("it lies on a device")


A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C]).run(OnDevice())
