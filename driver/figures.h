#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::driver {

/// A number of things: exact, or no more than this.
struct Count {
  std::int64_t value = 0;
  bool exact = true;
};

/// One loop around a statement.
struct LoopFigures {
  schedule::LoopId id = -1;
  std::string name;
  std::int64_t extent = 1;
  schedule::LoopMark mark = schedule::LoopMark::Serial;
  std::string hardware;    ///< of a parallel loop: as schedule::Loop has it
  std::int64_t parts = 0;  ///< the same
};

/// One access of a statement.
struct AccessFigures {
  std::string array;
  bool is_write = false;
  bool is_near = false;  ///< the array is a buffer
  std::int64_t element_bytes = 0;
  /// Per loop around the statement, elements that the address moves when the loop moves by one (the
  /// largest such step).
  std::vector<std::int64_t> strides_elems;
};

/// What a transfer moves.
struct TransferFigures {
  std::string buffer;
  std::string tensor;
  bool is_get = true;
  std::int64_t element_bytes = 0;
  Count elements;                 ///< of one transfer
  std::int64_t block_bytes = 0;   ///< contiguous in main memory
  std::int64_t buffer_bytes = 0;  ///< of the buffer, all slots of it
  int depth = 1;                  ///< how many slots take turns
  int distance = 0;               ///< iterations between issue and use
  std::string shared_by;          ///< who makes it together: schedule::to_string of SharedBy
  bool is_shared = false;         ///< there is one buffer for all cores
};

/// How often a statement runs and what it touches.
struct StatementFigures {
  std::string name;
  std::string stage;
  bool is_init = false;
  Count instances;                 ///< for the largest sizes; of a transfer: how often it is done
  std::vector<LoopFigures> loops;  ///< outermost first
  std::vector<AccessFigures> accesses;
  std::optional<TransferFigures> transfer;  ///< its issue; completes are left out
};

/// The figures of every statement, in textual order; what is not decided within kOrderBudget isl
/// operations is left out.
std::vector<StatementFigures> figures_of(const schedule::State& state);

}  // namespace solway::driver
