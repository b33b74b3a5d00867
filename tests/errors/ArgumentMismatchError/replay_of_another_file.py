from pathlib import Path

from solway.failure import Failure

Failure.load(Path(__file__).with_name("wrong_shape.txt"))
