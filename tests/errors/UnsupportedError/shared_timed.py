from pathlib import Path

import numpy as np
import solway as sw

machine = (Path(__file__).parents[3] / "targets" / "example-cluster.toml").read_text()
times = [f"{name} = {value:g}" for name, value in sw.Target.load("sw26010").timing.items()]
Path("machine.toml").write_text("\n".join([machine, "[timing]", *times]) + "\n")
A = sw.placeholder((64, 64), name="A")
C = sw.compute((64, 64), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[C].parallel("i")
s.buffer_read(A, ["i", "j"], scope="shared")
kernel = sw.build(s, [A, C], target="machine.toml")
kernel.run(np.ones((64, 64), "float32"), mode="timed")
