"""Every operator, of every element type, on every target, with the corners of types and extents.

docs/operators.md shows the same; it is written by tools/generate_operators.py.
"""

from __future__ import annotations

import pytest
from support.operator_families import FAMILIES
from support.operator_matrix import RIGHT, TARGETS, require_machine, verdicts_of
from support.operator_page import PAGE, cells_on, page_of, verdict_word
from support.operator_values import DTYPES

CELLS, REFUSALS = cells_on(PAGE.read_text())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_numpys_as_the_page_says(dtype, target):
    require_machine(target)
    differ = []
    for family in FAMILIES:
        for name, verdict in verdicts_of(family, dtype, target).items():
            says = verdict_word(CELLS[family, name, dtype], target)
            if verdict.word != says:
                differ.append(f"{family}, {name}: {verdict}; docs/operators.md has it {says}")
    assert not differ, "\n".join(differ)


def test_the_page_has_these_tables():
    assert page_of(CELLS, REFUSALS) == PAGE.read_text(), "run tools/generate_operators.py"


def test_most_operators_exist():
    words = [verdict_word(text, target) for text in CELLS.values() for target in TARGETS]
    assert words.count(RIGHT.word) > 0.6 * len(words) > 4000
