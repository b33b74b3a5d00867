"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest
import solway as sw

MODULES = sorted(m.name for m in pkgutil.iter_modules(sw.__path__) if m.name != "_core")
WITHOUT_EXAMPLES = {"errors", "unsupported"}


class Finder(doctest.DocTestFinder):
    """Looks through decorators, which other modules define."""

    def _from_module(self, module, object):
        return super()._from_module(module, inspect.unwrap(object) if callable(object) else object)


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for examples that save files
    found = importlib.import_module(f"solway.{module}")
    runner = doctest.DocTestRunner()
    for test in Finder().find(found, found.__name__, extraglobs={"sw": sw, "np": np}):
        runner.run(test)
    result = runner.summarize()
    assert result.failed == 0
    assert result.attempted > 0 or module in WITHOUT_EXAMPLES or module.startswith("_")
