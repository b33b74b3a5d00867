"""Random programs, scheduled at random and by solway, as C for NEC's compiler: its directives hold.

A C compiler of this machine ignores the directives, so that running the code says nothing of them.
So every loop that is said to have no dependences is run backwards too, which must change no bit.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
import solway as sw
from support.c_pack import CPack
from support.nec_directives import Rewritten, backwards, directives
from support.random_cases import Broken, Case

CASES = int(os.environ.get("SOLWAY_FUZZ_CASES", "96"))
FIRST = int(os.environ.get("SOLWAY_FUZZ_FIRST", "20190416"))


class Planned(Case):
    """A case under the schedule that solway chooses."""

    def _apply(self, rng):
        self.schedule.auto_schedule("ve-ncc")


def drawn(kind):
    """The cases that the target takes, with their kernels."""
    for seed in range(FIRST, FIRST + CASES):
        try:
            case = kind(seed)
            yield case, case.build("ve-ncc")
        except (Broken, sw.UnsupportedError, sw.CapacityError, sw.AnalysisBudgetError):
            continue


@pytest.mark.parametrize("kind", [Case, Planned])
def test_random_programs_forwards_and_backwards(kind, tmp_path):
    cases = list(drawn(kind))
    assert len(cases) > CASES * 0.8
    claims = Counter()
    for _, kernel in cases:
        claims.update(words.split("(")[0] for _, words in directives(kernel))
    assert claims["ivdep"] > CASES / 16 and claims["vector"] > 0, claims
    ways = {
        "forwards": lambda kernel: Rewritten(kernel.name, kernel.source),
        "backwards": backwards,
    }
    for way, rewrite in ways.items():
        library = CPack(tmp_path / way, [rewrite(kernel) for _, kernel in cases])
        for case, kernel in cases:
            arrays = case.call_arrays()
            assert library.run(kernel, arrays) == 0, case.report(way)
            wrong = case.wrong("ve-ncc", arrays)
            assert wrong is None, f"{way}: {wrong}"
