"""Puts this folder on the path, so that tests import ``support``; watches the environment."""

from __future__ import annotations

import os

import pytest


def _settings():
    return {name: text for name, text in os.environ.items() if name.startswith("SOLWAY_")}


_AT_START = _settings()


def pytest_collection_finish():
    """Modules of tests that change a setting when they are imported change it for all tests."""
    now = _settings()
    if now != _AT_START:
        changed = sorted(k for k in now | _AT_START if now.get(k) != _AT_START.get(k))
        raise pytest.UsageError(f"importing the tests changed {', '.join(changed)}")
