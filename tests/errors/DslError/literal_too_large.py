import solway as sw

pixels = sw.placeholder((8,), "int8", name="pixels")
C = sw.compute((8,), lambda i: pixels[i] + 300, name="C")
