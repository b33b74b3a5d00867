"""Any schedule comes back from its text: the same loops, the same primitives.

SOLWAY_SEED=<seed> replays one case.
"""

from __future__ import annotations

import os

import solway as sw
from support.random_cases import draw, report

CASES = 100
FIRST_SEED = 78_000


def test_random_schedules_come_back(tmp_path):
    replay = os.environ.get("SOLWAY_SEED")
    seeds = [int(replay)] if replay else range(FIRST_SEED, FIRST_SEED + CASES)
    steps = 0
    for seed in seeds:
        outputs, _, s, _ = draw(seed)
        text = s.to_python()
        names = {"sw": sw, "outputs": outputs}
        exec(text, names)
        s.save(tmp_path / "s.schedule")
        for again in (names["s"], sw.load_schedule(tmp_path / "s.schedule", outputs)):
            assert str(again) == str(s), report(seed, s, text)
            assert [step[:4] for step in again.log] == [step[:4] for step in s.log], text
            assert again.to_python() == text
        steps += len(s.log)
    print(f"\n{len(seeds)} schedules with {steps} primitives came back from their text")
