"""What units of the matrix of operators gave, kept between runs of tools/generate_operators.py.

A run of the whole matrix takes minutes; one that was ended early goes on where it was, as long as
the compiler, the emulator and the matrix are the same files.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import solway as sw
from support.operator_matrix import Verdict

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "operators"
Verdicts = dict[str, dict[str, Verdict]]  # by target and operator


def fingerprint() -> str:
    """Of everything that verdicts depend on, but for the programs of the system."""
    package = Path(sw.__file__).parent
    files = [
        *package.rglob("*.py"),
        *package.rglob("*.so"),
        *(ROOT / "build").glob("*/emulator/solway-emulator-worker"),
        *(ROOT / "tests" / "support").glob("*.py"),
    ]
    out = hashlib.sha256()
    for file in sorted(files):
        out.update(file.name.encode() + file.read_bytes())
    return out.hexdigest()


def _file(family: str, dtype: str) -> Path:
    return FOLDER / f"{family.replace(' ', '_')}-{dtype}.json"


def keep(mark: str, family: str, dtype: str, verdicts: Verdicts) -> None:
    """Keeps what a unit gave under a fingerprint."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    new = _file(family, dtype).with_suffix(".new")
    new.write_text(json.dumps({"fingerprint": mark, "verdicts": verdicts}))
    new.replace(_file(family, dtype))


def kept_or_none(mark: str, family: str, dtype: str) -> Verdicts | None:
    """What a unit gave under the same fingerprint."""
    if not _file(family, dtype).exists():
        return None
    about = json.loads(_file(family, dtype).read_text())
    if about["fingerprint"] != mark:
        return None
    return {
        target: {name: Verdict(*verdict) for name, verdict in of.items()}
        for target, of in about["verdicts"].items()
    }
