#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/footprint.h"
#include "schedule/request.h"
#include "schedule/state.h"

/// Stages that copy a tensor with a border around it, and buffers that are filled without them.
namespace solway::schedule {

/// A stage P[y, x] = select(inside, A[y - 1, x - 1], 0).
struct PaddedCopy {
  std::string stage;                ///< its only statement and the array of its tensor, too
  std::string memory;               ///< the array that it copies
  isl::map inside;                  ///< { P[element] -> A[element] } of what it copies
  std::vector<std::int64_t> shift;  ///< per dimension, from the element of P to that of A
};

/// The stage that computes `tensor`, as a padded copy. Throws ScheduleArgumentError or
/// UnsupportedError where it is none, or more than its values is needed: the user has scheduled it,
/// or others than `readers` read it.
PaddedCopy padded_copy_of(const State& state, const std::string& tensor,
                          const std::set<std::string>& readers, const Request& request);

/// Whether the values of a stage may be filled in a buffer of its only reader.
bool is_padded_copy(const State& state, const std::string& stage);

/// The footprint of a region of P in the elements of A.
Footprint footprint_in_memory(const Footprint& footprint, const PaddedCopy& copy);

/// Moves the statement of `copy` in `program` and `order` to `prefix`, the loops of `position`,
/// where it computes of `footprint` what it does not copy, in `buffer`. The caller gives it a place
/// in the textual order.
void fill_border(Program& program, Order& order, const Position& position,
                 const Footprint& footprint, const PaddedCopy& copy, const std::string& buffer);

/// The buffer in which a stage fills the border; nullopt where it does not.
std::optional<std::string> filled_buffer(const State& state, const std::string& stage);

/// Throws ScheduleArgumentError where a stage fills the border of a buffer.
void require_not_filled(const State& state, const std::string& stage, const Request& request);

}  // namespace solway::schedule
