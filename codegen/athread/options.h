#pragma once

#include <cstdint>
#include <string>

#include "lowering/ir/range.h"

namespace solway::codegen {

/// The machine that athread C is written for; the defaults are those of SW26010.
struct AthreadOptions {
  int cores = 64;                   ///< CPEs that share the parallel loops, 1 to 64
  std::int64_t ldm_bytes = 65536;   ///< of one CPE; only printed, the memory planner checks it
  ir::Ranges sizes{};               ///< bounds of what is known at run time, by name
  std::string machine = "sw26010";  ///< whose calls: "sw26010" or "sw26010pro"
};

}  // namespace solway::codegen
