#pragma once

#include "support/source_loc.h"

namespace solway::driver {

/// The threads of a call that does not say how many: what SOLWAY_THREADS says, else
/// runtime::default_threads(). Throws ScheduleArgumentError for what is no number of threads.
int threads_of_environment(const SourceLoc& where);

/// `asked`. Throws ScheduleArgumentError for what is no number of threads.
int require_threads(int asked, const SourceLoc& where);

/// The threads of a call that asks for `asked`; 0: it does not say. Code without threads has one.
/// Throws ScheduleArgumentError for what is no number of threads, UnsupportedError where several
/// are asked of code that has none.
int threads_of_call(int asked, bool has_threads, const SourceLoc& where);

}  // namespace solway::driver
