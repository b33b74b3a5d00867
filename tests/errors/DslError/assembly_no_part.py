import shutil
from pathlib import Path

import solway as sw

shutil.copytree(Path(__file__).parents[1] / "assembly", "kernel")
Path("kernel/work.S").write_text("""
.globl work
work:
  vextf $1,4,$2
  ret $31,($26),1
""")
sw.hand_kernel("kernel").run()
