"""The libraries that the benchmark of CPUs compares with, one file each.

Each has `ways(operation, arrays)`: the ways in which it computes an operation, prepared with these
arrays. What a library does not have gives none; that it is not installed is a `Missing`.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

__all__ = ["NAMES", "Missing", "Way", "load"]

#: Modules of this package.
NAMES = ("openblas", "onednn", "torch_eager", "torch_compiled", "onnx_runtime", "open_vino")


class Missing(Exception):
    """A library is not installed; the text says which."""


class Way(NamedTuple):
    """One way to compute an operation.

    Args:
        name: of the library and what is special.
        run: one call; what it returns is kept nowhere.
        result: what the last call gave, in the operation's layout.
    """

    name: str
    run: Callable[[], object]
    result: Callable[[], np.ndarray]

    def seconds(self) -> float:
        """Of one call, by the wall clock."""
        start = time.perf_counter()
        self.run()
        return time.perf_counter() - start


def load(names: Sequence[str] = NAMES) -> tuple[list[ModuleType], dict[str, str]]:
    """The peers that are installed, and why others are not there."""
    found, missing = [], {}
    for name in names:
        module = importlib.import_module(f"peers.{name}")
        try:
            module.require()
        except Missing as error:
            missing[name] = str(error)
            continue
        found.append(module)
    return found, missing
