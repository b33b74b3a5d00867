from pathlib import Path

import numpy as np
import solway as sw

text = (Path(__file__).parents[3] / "targets" / "sw26010.toml").read_text()
text = text.replace("icache_bytes = 16384", "icache_bytes = 0")
Path("machine.toml").write_text(text)
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
kernel = sw.build(sw.create_schedule(C), [A, C], target="machine.toml")
kernel.run(np.ones(8, "float32"), mode="timed")
