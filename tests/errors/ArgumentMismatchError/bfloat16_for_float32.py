import ctypes

import numpy as np
import solway as sw


class BFloat16:
    """An array of a library that has this type, where NumPy has none."""

    bits = np.zeros(8, np.uint16)

    def __dlpack_device__(self):
        return self.bits.__dlpack_device__()

    def __dlpack__(self, **_):
        capsule = self.bits.__dlpack__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype = ctypes.c_void_p
        pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)
        behind_rank = 20
        code = pointer_of(capsule, b"dltensor") + behind_rank
        ctypes.c_uint8.from_address(code).value = 4  # bfloat
        return capsule


BFloat16.__module__ = "torch"
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C]).run(BFloat16())
