import shutil
from pathlib import Path

import solway as sw

shutil.copytree(Path(__file__).parents[1] / "assembly", "kernel")
source = Path("kernel/cpe.c")
source.write_text(source.read_text() + "doublev4 twice(double x) { return x * (doublev4){2}; }\n")
Path("kernel/work.S").write_text("""
.globl sum
sum:
  ret $31,($26),1
.globl work
work:
  bsr $26,twice
  ret $31,($26),1
""")
sw.hand_kernel("kernel").run()
