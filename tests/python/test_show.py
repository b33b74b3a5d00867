"""The page of a schedule: self-contained, whole, and drawn by a browser where there is one."""

import html.parser
import re

import pytest
import solway as sw
from support.browser import run_browser

A = sw.placeholder((12, 16), name="A")
B = sw.placeholder((16, 20), name="B")
k = sw.reduce_axis(16, name="k")
C = sw.compute((12, 20), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")


class Balanced(html.parser.HTMLParser):
    """Checks that what is opened is closed."""

    VOID = frozenset({"meta", "br", "circle", "line", "path"})

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tiled():
    s = sw.create_schedule(C, target="sw26010")
    _, ji = s[C].split("j", factor=4)
    ko, ki = s[C].split(k, factor=8)
    s[C].reorder("i", "j.o", ko, ki, ji)
    s.buffer_read(B, [ki, ji])
    return s


def refused():
    init = sw.placeholder((6,), name="init")
    H = sw.recurrence(
        (4, 6),
        lambda H, t, i: sw.select(t == 0, init[i], sw.select(i < 5, H[t - 1, i + 1], 0.0)),
        name="H",
    )
    s = sw.create_schedule(H)
    with pytest.raises(sw.IllegalScheduleError):
        s[H].reorder("i", "t")
    return s


def test_the_page_is_whole_and_needs_nothing(tmp_path):
    s = tiled()
    page = s.show(tmp_path / "c.html").read_text()
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert not re.search(r"https?://|<script|<link|<img", page)
    assert page.count("<details") == len(s.log)
    for words in ("Schedule of C", "Schedule tree", "BB_get_issue", "prefers-color-scheme"):
        assert words in page
    assert 'class="row added"' in page and 'class="row removed"' in page
    assert "test_show.py" in page and "near memory of BB" in page


def test_the_tree_has_a_line_for_each_node():
    s = tiled()
    lines = s.tree.splitlines()
    assert lines[0].startswith('domain: "{ ') and lines[1:3] == ["child:", '  mark: "loop_0"']
    assert sum(line.lstrip().startswith("- filter:") for line in lines) == s.tree.count("filter:")
    assert '<span class="w">sequence</span>' in s._repr_html_()


def test_a_schedule_without_primitives_claims_no_proof():
    assert "was proved" in tiled()._repr_html_()
    assert "was proved" not in sw.create_schedule(C)._repr_html_()


def test_a_notebook_gets_the_page_as_a_fragment():
    fragment = tiled()._repr_html_()
    assert "<html" not in fragment and fragment.startswith("<style>")


def test_the_last_refusal_is_on_the_page_with_its_picture(tmp_path):
    page = refused().show(tmp_path / "h.html").read_text()
    assert "Refused last" in page and "would run too early" in page and "skew" in page
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []


def test_a_page_that_cannot_be_written(tmp_path):
    with pytest.raises(sw.ScheduleArgumentError, match="cannot be written"):
        tiled().show(tmp_path / "none" / "c.html")


def test_without_a_path_a_browser_opens(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tiled().show()
    assert opened == [path.as_uri()] and path.parent == tmp_path


def test_a_browser_draws_it(tmp_path):
    page = refused().show(tmp_path / "h.html")
    shot = tmp_path / "h.png"
    run_browser(page, f"--screenshot={shot}")
    assert shot.stat().st_size > 5_000
