"""Chunks of random cases that did not all run are a failure, and say how many did."""

from __future__ import annotations

import pytest
from support.chunks import EMPTY, Total, run_all


def test_cases_without_time_are_missed():
    total = run_all("a script that does not start", Total(), 7, cases=8, seconds=-1, chunk=4)
    with pytest.raises(AssertionError, match="only 0 of 8 cases ran in 0 s"):
        total.require({})


def test_targets_with_too_few_cases_are_named():
    total = Total()
    total.asked, total.wall_seconds = 8, 3
    total.add({**EMPTY, "pairs": {"host": 8, "c": 5}}, 8)
    total.require({"host": 8, "c": 5})
    with pytest.raises(AssertionError, match="only 5 of 8 cases ran on c in 3 s, and 6 have to"):
        total.require({"host": 6, "c": 6})
