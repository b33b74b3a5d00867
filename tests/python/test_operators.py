"""Every operator, of every element type, on every target, with the corners of types and extents.

docs/operators.md shows the same; it is written by tools/generate_operators.py.
"""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.operator_families import FAMILIES, ODD
from support.operator_matrix import RIGHT, TARGETS, require_machine, verdicts_of
from support.operator_page import PAGE, cells_on, page_of, verdict_word
from support.operator_values import DTYPES, FLOATS, INTEGERS, LEAST, numeric
from support.operators import NUMPY_HAS_NONE

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


def test_each_refused_cell_has_its_reason():
    said = {
        (family, name, dtype, target)
        for (family, name, dtype), text in CELLS.items()
        for target in TARGETS
        if verdict_word(text, target) == "refused"
    }
    assert said == {(r.family, r.name, r.dtype, r.target) for r in REFUSALS if r.why}


def test_most_operators_exist():
    words = [verdict_word(text, target) for text in CELLS.values() for target in TARGETS]
    assert words.count(RIGHT.word) > 0.6 * len(words) > 4000


def values_of(family, dtype, extents):
    """The inputs of a family as numbers."""
    about = FAMILIES[family]
    arrays = about.values(dtype, about.shapes(extents))
    return {name: x if name in about.index else numeric(x, dtype) for name, x in arrays.items()}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "Reductions of nothing"])
def test_the_values_are_at_the_corners_of_floats(family, dtype):
    found = np.concatenate(
        [x.ravel() for x in values_of(family, dtype, FAMILIES[family].extents).values()]
    )
    normal = LEAST[dtype][1] if dtype in LEAST else np.finfo(dtype).tiny
    corners = {
        "NaN": np.isnan(found),
        "infinity": np.isposinf(found),
        "minus infinity": np.isneginf(found),
        "-0": (found == 0) & np.signbit(found),
        "denormal": (found != 0) & (np.abs(found) < normal),
    }
    assert [name for name, is_there in corners.items() if not is_there.any()] == []


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("family", ["Arithmetic", "Functions", "Conversions", "Moved elements"])
def test_the_values_are_at_the_ends_of_integers(family, dtype):
    given = values_of(family, dtype, FAMILIES[family].extents)["A"]
    assert {given.min(), given.max()} == {np.iinfo(dtype).min, np.iinfo(dtype).max}


def test_extents_are_zero_one_and_no_multiple_of_any_number_of_lanes():
    lanes = {
        count
        for target in TARGETS
        if (vector := sw.Target.load(target).vector) is not None
        for count in vector.lanes.values()
    }
    assert max(lanes) == 256
    assert {ODD % count for count in lanes if count > 1}.isdisjoint({0})
    for about in FAMILIES.values():
        runs = [set(run.values()) for run in about.runs]
        assert any(0 in run for run in runs) and any(1 in run or 2 in run for run in runs)


def test_numpy_has_none_of_what_the_matrix_leaves_out_for_that():
    count = 0
    for family, about in FAMILIES.items():
        for operator in about.operators.values():
            missing = [dtype for dtype in DTYPES if dtype not in operator.dtypes]
            assert bool(missing) == bool(operator.why_not)
            for dtype in missing if operator.why_not == NUMPY_HAS_NONE else ():
                with pytest.raises(TypeError):
                    operator.expect(values_of(family, dtype, about.extents), about.extents)
                count += 1
    assert count > 20
