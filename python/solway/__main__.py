"""``python -m solway`` is the command ``solway``."""

from __future__ import annotations

import sys

from solway.cli import main

if __name__ == "__main__":
    sys.exit(main())
