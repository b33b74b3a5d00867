#pragma once

#include <string>

#include "memory_planner/vector_stage.h"
#include "support/target.h"

#include "tests/support/sample_programs.h"

/// Stages as planners of vector CPUs see them.
namespace solway::memory_planner::testing {

/// 16 lanes of float32, 32 registers, 1 MB of second-level cache.
inline Target vector_machine() {
  return parse_target(R"(
name = "wide"
description = "a CPU"
dialect = "host"
llvm_cpu = "x86-64-v4"
default_scope = "panel"
[cores]
count = 1
mesh_rows = 0
mesh_columns = 0
clock_mhz = 0
icache_bytes = 32768
[[memories]]
name = "main"
kind = "main"
size_bytes = 0
alignment_bytes = 64
shared_by = "all"
[[memories]]
name = "panel"
kind = "cache"
size_bytes = 1048576
alignment_bytes = 64
shared_by = "core"
[[memories]]
name = "register"
kind = "register"
size_bytes = 2048
alignment_bytes = 64
shared_by = "core"
[vector]
register_bits = 512
registers = 32
fma_latency_cycles = 4
load_latency_cycles = 7
[vector.lanes]
float64 = 8
float32 = 16
int64 = 8
int32 = 16
)",
                      "wide.toml", {});
}

inline VectorStage product(std::int64_t m, std::int64_t n, std::int64_t depth) {
  const samples::Matmul matmul(m, n, depth);
  return describe_stage(schedule::make_state({matmul.c}, {}), "C", vector_machine());
}

}  // namespace solway::memory_planner::testing
