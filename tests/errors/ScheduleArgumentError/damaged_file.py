from pathlib import Path

import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] + 1, name="B")
s = sw.load_schedule(Path(__file__).with_name("damaged.schedule"), [B])
