"""A browser without a window, for tests that look at pages as users do."""

import shutil
import subprocess

import pytest

_NAMES = ("chromium-headless-shell", "chromium")


def run_browser(page, *words):
    """What Chromium, called with `words`, writes about `page`. Skips where there is none."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip("no chromium: the page is not drawn")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", *words, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
