"""A schedule with a mistake, which the C++ program reports with this file's line."""

(C,) = outputs  # noqa: F821
s = sw.create_schedule(C)  # noqa: F821
s[C].split("i", factor=8)
# The split replaced "i".
s[C].vectorize("i")
