cat > script.py <<'END'
import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)


def candidates():
    return [lambda a: a * 2]
END
solway compare script.py
