# %% [markdown]
# # Writing a primitive
#
# A primitive is one step that a user can take: it finds the loops that it was given, rewrites the
# schedule, proves that the program still means the same, and says so in the log. This page follows
# one, `reorder`, through all the places that it stands in. The code below is quoted from the
# sources when the page is made.
#
# ## What a schedule is
#
# `schedule/state.h` has it: a `Program` (statements with domains and access relations) and an
# `Order` (loops, and where each statement stands among them). Both are values. A primitive takes a
# `State` and returns a new one, so one that throws leaves the user's schedule as it was:
#
# <<< schedule/state.h from ^struct State to ^}; >>>
#
# Order primitives (`split`, `reorder`, `fuse`, marks) change `order` only. Program primitives
# (`buffer_read`, `buffer_write`) make a new `program` as well.
#
# ## 1. The contract
#
# One header per primitive. The comment says what changes, with the loops before and after, when it
# is legal, and what it throws:
#
# <<< schedule/reorder.h from ^/// Permutes loops to SourceLoc& where\);$ >>>
#
# ## 2. The rewrite and the proof
#
# The body has four parts: find the loops (errors about arguments), rewrite, prove, log.
#
# <<< schedule/reorder.cpp from ^State reorder to ^} >>>
#
# `require_loop` gives the errors for an axis that is not there or was replaced. The last call is
# the proof, the same for all order primitives, and the entry in the log:
#
# <<< schedule/rewrite_loops.cpp from ^State proved to ^} >>>
#
# `prove_order` holds the new order against every pair of conflicting accesses, and proves parallel
# and vector loops again, since a mark that was right under the old order may be wrong under the new
# one; parts of the program that are as they were when they were proved are left out (ADR 6). In a
# draft, which planners make, nothing is proved before the end. `require_transfers_in_place` keeps
# transfers where the user put them. The analysis is exact; it runs under a budget of operations,
# past which the answer is `AnalysisBudgetError`, and neither "legal" nor "illegal".
#
# ## 3. The unit test
#
# `tests/unit/schedule/reorder_test.cpp`, next to the name of the source (a script checks that each
# source has its test). Four cases at least: the rewrite happens, nothing to do changes nothing,
# the corner, the refusal with its message and line.
#
# <<< tests/unit/schedule/reorder_test.cpp from ^TEST\(Reorder, RefusesAnAxis to ^} >>>
#
# Then the random tests of `tests/unit/schedule` and the fuzz tests must draw it. They hold the
# exact proof against an enumeration of all instances, and results against a plain interpreter:
#
# <<< tests/support/random_primitives.py from ^def reorder to stage.reorder >>>
#
# ## 4. The names users type
#
# The binding is one line in `python/bindings`, with names for the arguments:
#
# <<< python/bindings/bind_order.cpp from m.def\("reorder" to py::arg\("where" >>>
#
# and the method stands with the other order primitives. It converts arguments and takes the user's
# line (`here()`), nothing else; all else would be missing from C++:
#
# <<< python/solway/loop_primitives.py from def reorder to _core.reorder >>>
#
# The example in the docstring is run by a test. `driver/frontend/stage.h` has the same method
# for C++ programs:
#
# <<< driver/frontend/stage.h from void reorder >>>
#
# After a change of the bindings, `tools/update_stub.sh` writes the types that mypy reads.
#
# ## 5. The messages
#
# Every message that a user can meet has a program that meets it, in `tests/errors/<class>`:
#
# <<< tests/errors/ScheduleArgumentError/axis_twice.py from ^s = to reorder >>>
#
# and its text beside it:
#
# <<< tests/errors/ScheduleArgumentError/axis_twice.txt from reorder to at: >>>
#
# `tools/check_error_goldens.py` lists the messages without one, and [docs/errors.md](../errors.md)
# is made of them.
#
# ## 6. Does it work?
#
# All of it at once: the loops, the refusal with both iterations that would change places, and the
# values.

# %%
import numpy as np
import solway as sw

X = sw.placeholder((4, 6), name="X")
H = sw.recurrence(
    (4, 6),
    lambda H, t, i: X[t, i] + sw.select(sw.all_of(t > 0, i < 5), H[t - 1, i + 1], 0),
    where=lambda t, i: i + t < 6,
    name="H",
)
s = sw.create_schedule(H)
try:
    s[H].reorder("i", "t")
except sw.IllegalScheduleError as error:
    print(error)

# %%
k = sw.reduce_axis(6, name="k")
R = sw.compute((4,), lambda t: sw.sum(X[t, k], axis=k), name="R")
s = sw.create_schedule(R)
s[R].reorder(k, "t")
print(s)
x = np.arange(24, dtype="float32").reshape(4, 6)
print(np.array_equal(sw.build(s, [X, R]).run(x), x.sum(axis=1)))

# %% [markdown]
# What remains: one line in `CHANGELOG.md`, and if the primitive has no effect on a target, a
# remark for `k.report()` from the pass that drops it.
