"""The report of buffers: text, data and HTML."""

from __future__ import annotations

import json

import pytest
import solway as sw


def buffered(y_tile: int, k_tile: int) -> sw.Schedule:
    """Figure 2 of the paper."""
    a = sw.placeholder((1, 1024), name="A")
    b = sw.placeholder((1024, 1024), name="B")
    k = sw.reduce_axis(1024, name="k")
    c = sw.compute((1, 1024), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    s = sw.create_schedule(c)
    yo, yi = s[c].split("y", factor=y_tile)
    ko, ki = s[c].split("k", factor=k_tile)
    s[c].reorder(yo, ko, yi, ki)
    s.buffer_read(b, [ki, yi])
    s.buffer_read(a, [ki])
    s.buffer_write(c, [yi])
    return s


def test_it_says_what_takes_how_much() -> None:
    (ldm,) = buffered(128, 64).ldm_report("sw26010").to_dict()["memories"]
    assert ldm["scope"] == "ldm"
    assert (ldm["capacity_bytes"], ldm["total_bytes"], ldm["fits"]) == (65536, 33536, True)
    by_name = {b["name"]: b for b in ldm["buffers"]}
    assert by_name["BB"]["bytes"] == 32768
    assert by_name["BB"]["shape"] == (64, 128)
    assert by_name["BB"]["primitive"] == "buffer_read(B, [k.i, y.i])"
    assert by_name["BB"]["file"].endswith("test_ldm_report.py")
    assert by_name["CC"]["lifetime"] == "in each iteration of y.o of C"


def test_it_says_how_far_each_loop_may_grow() -> None:
    (ldm,) = buffered(128, 64).ldm_report("sw26010").to_dict()["memories"]
    assert [(loop["loop"], loop["factor"], loop["largest"]) for loop in ldm["loops"]] == [
        ("y.i", 128, 243),
        ("k.i", 64, 122),
    ]


@pytest.mark.parametrize(("y_tile", "k_tile", "fits"), [(243, 64, True), (248, 64, False)])
def test_the_largest_that_fits_does(y_tile: int, k_tile: int, fits: bool) -> None:
    assert buffered(y_tile, k_tile).ldm_report("sw26010").fits is fits


def test_it_prints() -> None:
    report = buffered(128, 64).ldm_report("sw26010")
    text = str(report)
    assert text == repr(report)
    assert text.startswith("ldm of sw26010: 33536 of 63488 bytes")
    assert "largest that fits" in text


def test_it_renders_as_html() -> None:
    report = buffered(128, 128).ldm_report("sw26010")
    html = report.to_html()
    assert html == report._repr_html_()
    assert "does not fit" in html
    assert "<td>BB</td>" in html
    assert "script" not in html


def test_it_is_plain_data() -> None:
    data = buffered(128, 64).ldm_report("sw26010").to_dict()
    assert json.loads(json.dumps(data))["target"] == "sw26010"


def test_a_schedule_without_buffers_has_an_empty_report() -> None:
    a = sw.placeholder((8,), name="A")
    s = sw.create_schedule(sw.compute((8,), lambda i: a[i] + 1, name="B"))
    report = s.ldm_report("host")
    assert "no buffers" in str(report)
    assert "no buffers" in report.to_html()


def test_an_unknown_target_is_named() -> None:
    s = buffered(128, 64)
    with pytest.raises(sw.UnsupportedError, match="sw27"):
        s.ldm_report("sw27")
