"""Random programs under random schedules are right on every target, exactly.

Chunks of seeds run in processes of their own, two at a time, so that a crash or a hang ends no
more than a chunk and is a finding with its seed. Environment:

SOLWAY_FUZZ_CASES    how many cases, each on all targets; 256
SOLWAY_FUZZ_LEAST    how many of them have to run on the host and as C; four in five
SOLWAY_FUZZ_SECONDS  no chunk starts after this time, and those left out are missed; 600
SOLWAY_FUZZ_FIRST    the first seed
SOLWAY_SEED          one seed by itself, in this process
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]  # when it runs as a script

from support.chunks import Total, run_all  # noqa: E402
from support.random_cases import Case  # noqa: E402
from support.random_primitives import PRESENT  # noqa: E402

CHUNK = Path(__file__).parent / "chunk.py"
TARGETS = ("host", "c", "sw26010", "example-cluster")
CASES = int(os.environ.get("SOLWAY_FUZZ_CASES", "256"))
LEAST = int(os.environ.get("SOLWAY_FUZZ_LEAST", CASES * 4 // 5))
SECONDS = float(os.environ.get("SOLWAY_FUZZ_SECONDS", "600"))
FIRST = int(os.environ.get("SOLWAY_FUZZ_FIRST", "20190416"))
CHUNK_CASES = 64


class Primitives(Total):
    """What all chunks found, and what became of the primitives."""

    def __str__(self):
        verdicts, primitives, others = Counter(), {}, []
        for key, count in self.counts.items():
            name, _, verdict = key.partition(" ")
            if name in {"pad", *(primitive.__name__ for primitive in PRESENT)}:
                verdicts[verdict] += count
                primitives.setdefault(name, Counter())[verdict] += count
            elif ":" not in key:
                others.append(f"{key} {count}")
        lines = [
            f"{self.cases} of {self.asked} cases; {len(self.failures)} wrong",
            f"pairs run: {dict(self.pairs)}",
            f"primitives: {dict(verdicts.most_common())}",
        ]
        for name, found in sorted(primitives.items()):
            refused = ", ".join(f"{v} {n}" for v, n in found.most_common() if v != "legal")
            lines.append(f"  {name:<18}{found['legal']:>6} legal  {refused}")
        lines += [f"refused builds: {', '.join(sorted(others)) or 'none'}", *self.cost()]
        return "\n".join(lines)


def run_cases():
    """All chunks."""
    return run_all(CHUNK, Primitives(), FIRST, CASES, SECONDS, CHUNK_CASES)


def test_random_programs_under_random_schedules(capsys):
    given = os.environ.get("SOLWAY_SEED")
    if given:
        case = Case(int(given))
        found = [wrong for target in TARGETS if (wrong := case.run_alone(target))]
        assert not found, found[0]
        return
    total = run_cases()
    with capsys.disabled():
        print(f"\nfrom seed {FIRST}: {total}")
    if total.failures:
        reports = "\n\n".join(text for _, _, text in total.failures[:3])
        pytest.fail(f"{len(total.failures)} are wrong; the first:\n{reports}")
    total.require({"host": LEAST, "c": LEAST})
    assert sum(n for key, n in total.counts.items() if key.endswith(" legal")) > total.cases


if __name__ == "__main__":
    result = run_cases()
    print(f"from seed {FIRST}: {result}")
    for _, target, report in result.failures:
        print(f"\n== {target}: {report}")
    sys.exit(1 if result.failures or result.cases < result.asked else 0)
