#pragma once

#include <map>
#include <string>

#include <isl/cpp.h>

#include "schedule/order.h"

namespace solway::schedule {

/// The isl schedule tree of an order: domain, sequence, filter, mark and 1-d band nodes only. Each
/// band stands under a mark whose id is "loop_<id>".
isl::schedule isl_tree_of(const isl::ctx& ctx, const Order& order,
                          const std::map<std::string, isl::set>& domains);

}  // namespace solway::schedule
