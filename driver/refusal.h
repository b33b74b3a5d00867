#pragma once

#include "support/error.h"

namespace solway::driver {

/// What `apply` returns, or, where a primitive in it says no, what `refused` makes of its error:
/// the schedule is illegal or not decided, or a primitive does not apply. Other errors pass
/// through.
template <typename Apply, typename Refused>
auto unless_refused(const Apply& apply, const Refused& refused) -> decltype(apply()) {
  try {
    return apply();
  } catch (const IllegalScheduleError& error) {
    return refused(error);
  } catch (const UnsupportedError& error) {
    return refused(error);
  } catch (const ScheduleArgumentError& error) {
    return refused(error);
  } catch (const AnalysisBudgetError& error) {
    return refused(error);
  }
}

}  // namespace solway::driver
