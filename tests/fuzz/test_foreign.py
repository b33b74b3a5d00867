"""Random programs under random schedules are right on processors that are emulated, exactly.

As tests/fuzz/test_fuzz.py, each case on each of these targets; where a target leaves the length of
its registers open, at two lengths, which change from case to case. Environment:

SOLWAY_FUZZ_FOREIGN        how many cases; 32
SOLWAY_FUZZ_FOREIGN_LEAST  how many of them have to run on each target; four in five
SOLWAY_FUZZ_SECONDS        no chunk starts after this time, and those left out are missed; 600
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]

from support.chunks import Total, run_all  # noqa: E402
from support.foreign import FOREIGN, require_emulator  # noqa: E402
from support.register_lengths import LENGTHS  # noqa: E402

CASES = int(os.environ.get("SOLWAY_FUZZ_FOREIGN", "32"))
LEAST = int(os.environ.get("SOLWAY_FUZZ_FOREIGN_LEAST", CASES * 4 // 5))
SECONDS = float(os.environ.get("SOLWAY_FUZZ_SECONDS", "600"))
FIRST, CHUNK_CASES = 7000, 32
SCRIPT = """\
import runpy, sys
sys.argv = ["chunk.py", *sys.argv[1:], "--targets", "{target}"]
runpy.run_path({chunk!r}, run_name="__main__")
"""


@pytest.mark.parametrize("target", FOREIGN)
def test_random_schedules_are_right(target, tmp_path):
    require_emulator(target)
    script = tmp_path / "chunk_of_one_target.py"
    script.write_text(SCRIPT.format(target=target, chunk=str(Path(__file__).parent / "chunk.py")))
    total = run_all(script, Total(), FIRST, CASES, SECONDS, CHUNK_CASES)
    print("\n".join([f"{total.cases} cases; {total.pairs[target]} run", *total.cost()]))
    assert not total.failures, "\n\n".join(text for _, _, text in total.failures[:3])
    total.require({target: LEAST})
    for bits in LENGTHS.get(target, ()):
        assert total.pairs[f"{target}-{bits}"] > LEAST / len(LENGTHS[target])
