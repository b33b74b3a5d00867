#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <isl/cpp.h>

#include "schedule/buffer.h"
#include "schedule/footprint.h"
#include "schedule/program.h"

namespace solway::schedule {

/// Where the elements of a buffer lie that is filled in whole units.
struct UnitPlaces {
  std::int64_t unit_elems = 1;      ///< 1: an element is one, and all stays as it is
  std::vector<std::int64_t> shape;  ///< of the buffer, without slots
  std::optional<isl::pw_aff> lead;  ///< as in Footprint
};

/// The places in `buffer` of what `footprint` says. Throws ScheduleArgumentError for units that
/// hold no whole elements; UnsupportedError where the buffer's rows are not rows of the tensor, or
/// main memory's are not known.
UnitPlaces unit_places(const Program& program, const Buffer& buffer, const Footprint& footprint,
                       const BufferRequest& request);

}  // namespace solway::schedule
