"""The script that lists messages without a golden finds them, in C++ and in Python."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def check(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield importlib.import_module("check_error_goldens")
    del sys.modules["check_error_goldens"]


def cpp_text(check, source):
    tokens = check.tokens_of(source)
    return check.arguments_text(check.call_arguments(tokens, 1))


def test_pieces_of_a_cpp_error(check):
    text = cpp_text(
        check,
        """DslError({where, "'" + name + "' has "  // not "this"
                  "two parts", std::string("of ") + to_string(n), ""})""",
    )
    assert text.pieces == ("'", "' has two parts", "of ", "")
    assert text.occurs_in("'A' has two parts\n  why: of 3")
    assert not text.occurs_in("'A' has one part\n  why: of 3")


def test_one_side_of_a_condition(check):
    text = cpp_text(check, 'DslError({{}, n == 1 ? "one" : n < 0 ? "few" : "many", "", ""})')
    assert [side.occurs_in("many") for choice in text.choices for side in choice] == [False, True]
    assert text.occurs_in("few") and text.occurs_in("many") and not text.occurs_in("nothing")


def test_pieces_of_a_python_error(check):
    call = ast.parse("Error(f'{name} is {\"on\" if x else \"off\"}' + ' now', why)").body[0].value
    text = check.python_text(call.args[0])
    assert text.occurs_in("it is off now") and not text.occurs_in("it is odd now")


def test_a_message_without_a_golden(check, monkeypatch, tmp_path, capsys):
    source = ROOT / "tests" / "errors"
    for golden in source.glob("*/*.txt"):
        (tmp_path / golden.parent.name).mkdir(exist_ok=True)
        if golden.stem != "factor_zero":
            (tmp_path / golden.parent.name / golden.name).write_text(golden.read_text())
    monkeypatch.setattr(check, "GOLDENS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["check_error_goldens.py"])
    assert check.main() == 1
    assert "the factor is not positive" in capsys.readouterr().out
