from pathlib import Path

import numpy as np
import solway as sw

text = (Path(__file__).parents[1] / "machine.toml").read_text()
text = text.replace('dialect = "c"', 'dialect = "athread"').replace('"near"', '"ldm"')
text = text.replace("count = 4", "count = 64").replace("mesh_rows = 2", "mesh_rows = 8")
text = text.replace("mesh_columns = 2", "mesh_columns = 8")
text = text.replace("[64, 1.0, 1.0], ", "")
text += """
[timing]
multiply_latency_cycles = 5
vector_latency_cycles = 1
float_divide_cycles = 34
integer_divide_cycles = 70
library_call_cycles = 100
main_load_cycles = 177
main_store_cycles = 101
main_access_cycles = 8
barrier_cycles = 14
message_cycles = 10
spawn_cycles = 1000
join_cycles = 1000
"""
Path("machine.toml").write_text(text)
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
kernel = sw.build(sw.create_schedule(C), [A, C], target="machine.toml")
kernel.run(np.ones(8, "float32"), mode="timed")
