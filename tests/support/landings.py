"""Results of planned kernels whatever the emulator does with their transfers."""

from __future__ import annotations

import numpy as np
import solway as sw

#: When the data of a transfer arrives, with hazards looked for; options of `sw.emulator`.
HAZARDS = [
    {"mode": "hazard", "landing": "at_wait"},
    {"mode": "hazard", "landing": "at_issue"},
    {"mode": "hazard", "landing": "random", "seed": 3},
    {"mode": "hazard", "landing": "random", "seed": 11},
]
#: The same, and without looking.
POLICIES = [{"mode": "functional"}, *HAZARDS]


def assert_equal_in_every_landing(
    kernel: sw.Kernel, inputs: list[np.ndarray], expected: np.ndarray
) -> None:
    """Runs a kernel without and with hazards looked for, under all completion policies."""
    for options in POLICIES:
        with sw.emulator(**options):
            np.testing.assert_array_equal(kernel.run(*inputs), expected, err_msg=str(options))
