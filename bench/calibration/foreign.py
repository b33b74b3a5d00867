"""Pages that need the public sources of others: which target file they are of."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

__all__ = ["TARGET", "foot", "options_of"]

TARGET = Path(__file__).parents[2] / "targets" / "sw26010.toml"


def foot() -> str:
    """The last line of a page: a fingerprint of what timed mode goes by in one core group."""
    lines = [line.partition("#")[0].strip() for line in TARGET.read_text().splitlines()]
    figures = [line for line in lines if line and not line.startswith("groups ")]
    print_of = hashlib.sha256("\n".join(figures).encode()).hexdigest()[:12]
    return f"\nTarget file: {print_of}.\n"


def options_of(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None, page: Path
) -> argparse.Namespace:
    """Parses; with --check, ends the program after it has said whether the page is of now.

    Args:
        parser: with what the program itself takes, but for the checkout.
        arguments: of the command line.
        page: that the program writes.

    Returns:
        The options, `checkout` among them.
    """
    parser.add_argument("checkout", type=Path, nargs="?", help="of the public sources")
    parser.add_argument("--check", action="store_true", help="run nothing")
    options = parser.parse_args(arguments)
    if options.check:
        same = page.read_text().endswith(foot())
        print(f"{page} is of {'the present' if same else 'another'} target file")
        parser.exit(0 if same else 1)
    if options.checkout is None:
        parser.error("name a checkout of the public sources")
    return options
