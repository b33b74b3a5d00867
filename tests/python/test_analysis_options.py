"""The time that a proof may take, as an option."""

import functools
import itertools
import operator

import pytest
import solway as sw
from solway import _core


def program():
    A = sw.placeholder((64, 64), name="A")
    return sw.update(
        A, (63, 63), lambda i, j: (i + 1, j), lambda i, j: A[i, j] + A[i + 1, j + 1], name="H"
    )


def long_program():
    """Of 27 dependences, whose proofs take longer than the clock leaves alone."""
    A = sw.placeholder((40, 40, 40), name="A")
    places = list(itertools.product(range(3), repeat=3))

    def value(i, j, k):
        return functools.reduce(operator.add, (A[i + a, j + b, k + c] for a, b, c in places))

    return sw.update(A, (38, 38, 38), lambda i, j, k: (i + 2, j + 2, k + 2), value, name="H")


def runs_out(H, **options):
    """Whether a proof runs out of time, which the clock sees only when it looks."""
    for _ in range(20):
        s = sw.create_schedule(H, **options)
        try:
            s[H].tile("i", "j", 8, 8)
        except sw.AnalysisBudgetError as error:
            return "SOLWAY_ANALYSIS_SECONDS" in error.why and s.log == ()
    return False


def test_a_schedule_gives_its_proofs_the_time_of_its_options():
    assert runs_out(long_program(), options=sw.Options(analysis_seconds=1e-9))


@pytest.mark.parametrize("seconds", [1e10, 1e300, float("inf")])
def test_a_proof_may_take_any_time(seconds):
    H = program()
    s = sw.create_schedule(H, options=sw.Options(analysis_seconds=seconds))
    s[H].split("j", 8)
    assert len(s.log) == 1


def test_questions_and_planners_take_the_time_of_the_options_too():
    A = sw.placeholder((64, 64), name="A")
    P = sw.compute((64, 64), lambda i, j: A[i, j] * 2, name="P")
    C = sw.compute((64, 64), lambda i, j: P[i, j] + P[63 - i, j], name="C")
    seen = []
    for ask in (lambda s: s[P].legal_levels(C), lambda s: s.auto_buffer("sw26010", "greedy")):
        s = sw.create_schedule(C, options=sw.Options(analysis_seconds=123))
        name = "legal_levels" if not seen else "auto_buffer"
        core = getattr(_core, name)

        def spy(*args, core=core):
            seen.append(_core.exchange_analysis_seconds(None))
            _core.exchange_analysis_seconds(seen[-1])
            return core(*args)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_core, name, spy)
            ask(s)
    assert seen == [123, 123]


@pytest.mark.parametrize("text", ["x", "-1", "0", "nan", ""])
def test_the_environment_gives_a_time(text, monkeypatch):
    H = program()
    s = sw.create_schedule(H)
    monkeypatch.setenv("SOLWAY_ANALYSIS_SECONDS", text)
    with pytest.raises(sw.ScheduleArgumentError, match="SOLWAY_ANALYSIS_SECONDS is no time"):
        s[H].split("j", 8)


def test_options_win_over_the_environment_and_leave_it(monkeypatch):
    H = long_program()
    monkeypatch.setenv("SOLWAY_ANALYSIS_SECONDS", "1e-9")
    assert not runs_out(H, options=sw.Options(analysis_seconds=30))
    assert runs_out(H)
