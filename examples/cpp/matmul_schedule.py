"""Schedules the matrix product of scheduled_in_python.cpp, which gives `sw` and `outputs`."""

(C,) = outputs  # noqa: F821
s = sw.create_schedule(C)  # noqa: F821
io, jo, ii, ji = s[C].tile("i", "j", 8, 32)
s[C].reorder(io, jo, "k", ii, ji)
s[C].vectorize(ji)
s[C].unroll(ii)
