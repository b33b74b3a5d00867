"""Emulated kernels of these tests run in hazard mode, unless a test asks for another."""

from __future__ import annotations

import pytest
import solway as sw


@pytest.fixture(autouse=True)
def _in_hazard_mode():
    with sw.emulator("hazard"):
        yield
