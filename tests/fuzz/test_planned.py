"""Random programs that `auto_buffer` plans for random machines are right, exactly.

Each kernel runs in functional mode and in hazard mode under the three policies of completion.
Environment:

SOLWAY_PLANNED_CASES    how many programs, each on a machine of its own; 64
SOLWAY_PLANNED_LEAST    how many of them have to run: for some the machine has no room; 0
SOLWAY_PLANNED_SECONDS  no chunk starts after this time, and those left out are missed; 600
SOLWAY_PLANNED_FIRST    the first seed
SOLWAY_SEED             one seed by itself, in this process
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python"), str(Path(__file__).parent)]

from planned_chunk import PROOF_SECONDS, PlannedChunk  # noqa: E402
from support.chunks import Total, run_all  # noqa: E402

CHUNK = Path(__file__).parent / "planned_chunk.py"
CASES = int(os.environ.get("SOLWAY_PLANNED_CASES", "64"))
SECONDS = float(os.environ.get("SOLWAY_PLANNED_SECONDS", "600"))
LEAST = int(os.environ.get("SOLWAY_PLANNED_LEAST", "0"))
FIRST = int(os.environ.get("SOLWAY_PLANNED_FIRST", "20190416"))
CHUNK_CASES = 8


class Plans(Total):
    """What all chunks found."""

    def __str__(self):
        counts = ", ".join(f"{name} {count}" for name, count in self.counts.most_common())
        head = f"{self.cases} of {self.asked} cases; {len(self.failures)} wrong"
        return "\n".join([head, f"run: {dict(self.pairs)}", counts, *self.cost()])


def run_cases():
    """All chunks."""
    return run_all(CHUNK, Plans(), FIRST, CASES, SECONDS, CHUNK_CASES)


def test_planned_programs_on_random_machines(capsys, tmp_path, monkeypatch):
    given = os.environ.get("SOLWAY_SEED")
    if given:
        if "SOLWAY_ANALYSIS_SECONDS" not in os.environ:
            monkeypatch.setenv("SOLWAY_ANALYSIS_SECONDS", PROOF_SECONDS)
        chunk = PlannedChunk(tmp_path)
        chunk.run(int(given))
        assert not chunk.failures, chunk.failures[0][2]
        return
    total = run_cases()
    with capsys.disabled():
        print(f"\nfrom seed {FIRST}: {total}")
    if total.failures:
        reports = "\n\n".join(text for _, _, text in total.failures[:3])
        pytest.fail(f"{len(total.failures)} are wrong; the first:\n{reports}")
    total.require({})
    ran = sum(total.pairs.values())
    assert ran >= max(LEAST, total.cases * 0.8)
    assert total.counts["no room"] < total.cases * 0.1
    assert total.counts["buffers"] > ran
    assert total.pairs["optimal"] > total.cases * 0.2


if __name__ == "__main__":
    result = run_cases()
    print(f"from seed {FIRST}: {result}")
    for _, kind, report in result.failures:
        print(f"\n== {kind}: {report}")
    sys.exit(1 if result.failures or result.cases < result.asked else 0)
