cat > layer.py <<END
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i + 1], name="C")
END
solway build layer.py
