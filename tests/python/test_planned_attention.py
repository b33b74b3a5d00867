"""An attention head, seven stages of which each is planned by the search, is planned and right."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.programs import load_program

LAYERS = load_program("bench/sunway/layer_programs.py")


@pytest.mark.parametrize("length", [128, 512])
def test_attention_is_planned_and_right(length):
    layer = LAYERS.attention(length, 64)
    s = sw.create_schedule(layer.tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert [stage.planner for stage in plan.stages] == ["optimal"] * 3
    assert plan.remarks == ()
    kernel = sw.build(s, layer.tensors, target="sw26010", name="attention")
    arrays = layer.inputs()
    expected = layer.expected(*(a.astype("f8") for a in arrays))
    error = np.abs(kernel.run(*arrays) - expected).max()
    assert error <= layer.tolerance * np.abs(expected).max()
