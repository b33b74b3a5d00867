#include "lowering/array_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace solway::lowering {
namespace {

/// Whether the rows of an array have to go on in each other.
bool has_joined_rows(const schedule::State& state, const std::string& array) {
  const schedule::Program& program = *state.program;
  const bool is_copied = std::any_of(
      program.statements.begin(), program.statements.end(),
      [&](const auto& entry) { return entry.second.copy && entry.second.copy->buffer == array; });
  if (is_copied) return true;
  return std::any_of(state.log.begin(), state.log.end(), [&](const schedule::Step& step) {
    if (step.primitive != "fuse") return false;
    const std::vector<std::string> statements = schedule::statements_of(state, step.stage);
    return std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
      const schedule::Statement& s = program.statement(name);
      return s.writes_to(array) || s.reads_from(array);
    });
  });
}

}  // namespace

ir::Buffer memory_of(const schedule::Array& array, const std::string& scope, LaneMemory lanes) {
  constexpr std::int64_t kVectorBytes = 64;
  std::vector<std::int64_t> shape = array.shape;
  if (scope == "register" && !shape.empty() && lanes == LaneMemory::Shared) {
    const std::int64_t whole = kVectorBytes / size_bytes(array.type);
    shape.back() = (shape.back() + whole - 1) / whole * whole;
  }
  return ir::make_buffer(array.name, array.type, std::move(shape), scope);
}

ir::Buffer with_rows_apart(const schedule::State& state, const ir::Buffer& memory) {
  constexpr std::int64_t kPeriodBytes = 4096;
  constexpr std::int64_t kFewestRows = 4;
  constexpr std::int64_t kLineBytes = 64;
  if (memory->shape.empty() || memory->scope == "register") return memory;
  const std::int64_t columns = memory->shape.back();
  const std::int64_t bytes = size_bytes(memory->type);
  const bool is_far = columns > 0 && columns * bytes % kPeriodBytes == 0;
  if (!is_far || memory->num_elements() / columns < kFewestRows) return memory;
  if (has_joined_rows(state, memory->name)) return memory;
  std::vector<std::int64_t> shape = memory->shape;
  shape.back() += kLineBytes / bytes;
  return ir::make_buffer(memory->name, memory->type, std::move(shape), memory->scope,
                         memory->alignment_bytes);
}

ir::Buffer memory_of_sizes(const schedule::Program& program) {
  std::string name = "sizes";
  while (program.arrays.count(name) != 0) name += "_";
  return ir::make_buffer(name, DType::Int64, {static_cast<std::int64_t>(program.sizes.size())});
}

}  // namespace solway::lowering
