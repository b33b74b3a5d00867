cat > layer.py <<END
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
END
cat >> layer.py <<END
def inputs():
    return 8
END
solway compare layer.py
