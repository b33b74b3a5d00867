"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import numpy as np
import pytest
import solway as sw

MODULES = sorted(m.name for m in pkgutil.iter_modules(sw.__path__) if m.name != "_core")
WITHOUT_EXAMPLES = {"errors", "unsupported"}


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples(module):
    found = importlib.import_module(f"solway.{module}")
    result = doctest.testmod(found, extraglobs={"sw": sw, "np": np})
    assert result.failed == 0
    assert result.attempted > 0 or module in WITHOUT_EXAMPLES or module.startswith("_")
