"""The time that a proof may take, as an option."""

import solway as sw


def program():
    A = sw.placeholder((64, 64), name="A")
    return sw.update(
        A, (63, 63), lambda i, j: (i + 1, j), lambda i, j: A[i, j] + A[i + 1, j + 1], name="H"
    )


def runs_out(H, **options):
    """Whether a proof runs out of time, which the clock sees only when it looks."""
    for _ in range(100):
        s = sw.create_schedule(H, **options)
        try:
            s[H].tile("i", "j", 8, 8)
        except sw.AnalysisBudgetError as error:
            return "SOLWAY_ANALYSIS_SECONDS" in error.why and s.log == ()
    return False


def test_a_schedule_gives_its_proofs_the_time_of_its_options():
    assert runs_out(program(), options=sw.Options(analysis_seconds=1e-9))


def test_options_win_over_the_environment_and_leave_it(monkeypatch):
    H = program()
    monkeypatch.setenv("SOLWAY_ANALYSIS_SECONDS", "1e-9")
    assert not runs_out(H, options=sw.Options(analysis_seconds=30))
    assert runs_out(H)
