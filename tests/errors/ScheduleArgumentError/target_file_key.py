from pathlib import Path

import solway as sw

sw.Target.load(Path(__file__).with_suffix(".toml"))
