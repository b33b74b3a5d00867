#pragma once

#include <cstdint>
#include <vector>

#include "support/target.h"

namespace solway::emulator {

/// The instruction caches of cores that run the same code, and the one behind them that they share.
/// Both drop, of the lines that compete for a place, the one that was used longest ago.
class InstructionCaches {
 public:
  /// `bytes`: of the cache of each core, at least one line.
  InstructionCaches(const InstructionCacheTiming& timing, int bytes, int cores);

  /// Cycles that `core` waits, from `cycle` on, for the code in [address, address + bytes). A line
  /// that another core has asked main memory for comes to both at once.
  std::int64_t fetch(int core, std::int64_t address, std::int64_t bytes, std::int64_t cycle);

 private:
  struct Line {
    std::int64_t number = -1;
    std::int64_t used = 0;   ///< number of the last use
    std::int64_t there = 0;  ///< the cycle from which the shared cache has it
  };

  class Cache {
   public:
    Cache(int bytes, const InstructionCacheTiming& timing);

    /// Null: it has no such line.
    Line* use(std::int64_t number);
    void add(Line line);

   private:
    Line* begin_of_set(std::int64_t number);

    int ways_;
    std::int64_t sets_;
    std::int64_t uses_ = 0;
    std::vector<Line> lines_;  ///< set by set
  };

  /// Of a line that its own cache has not.
  std::int64_t wait_for(std::int64_t number, std::int64_t cycle);

  InstructionCacheTiming timing_;
  std::vector<Cache> own_;
  Cache shared_;
};

}  // namespace solway::emulator
