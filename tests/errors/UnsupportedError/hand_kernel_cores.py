import shutil
from pathlib import Path

import solway as sw

tests = Path(__file__).parents[2]
shutil.copytree(tests / "emulator" / "generic", "planted")
toml = Path("planted/planted.toml").read_text()
Path("planted/kernel.toml").write_text(toml.replace("bad/CASE", "good/two_buffers"))
machine = (tests.parent / "targets" / "example-microcontroller.toml").read_text()
Path("machine.toml").write_text(machine.replace("count = 1 ", "count = 100 "))
sw.hand_kernel("planted", target="machine.toml")
