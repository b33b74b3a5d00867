#include "driver/kept_stages.h"

#include <algorithm>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/plans_in_order.h"
#include "schedule/compute_root.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using schedule::State;

bool has_transfers(const State& state, const std::string& stage) {
  const auto& statements = state.program->statements;
  return std::any_of(statements.begin(), statements.end(), [&](const auto& named) {
    return named.second.stage == stage && named.second.is_transfer();
  });
}

/// Whether a stage computes, and stores into buffers only.
bool fills_buffers_only(const State& state, const std::string& stage) {
  bool fills = false;
  for (const auto& [name, s] : state.program->statements) {
    if (s.stage != stage) continue;
    if (s.is_transfer() || !fills_buffer(state, s)) return false;
    fills = true;
  }
  return fills;
}

void keep_with_reader(const State& state, const std::string& stage, const SourceLoc& where,
                      KeptStages& out) {
  if (!schedule::is_placed(state, stage) || !loops_inside_buffers(state, stage)) return;
  const std::vector<std::string> readers = readers_of(state, stage);
  if (readers.size() != 1) return;
  out.names.insert(stage);
  out.names.insert(readers.front());
  out.remarks.push_back({"auto_buffer on '" + stage + "' in '" + readers.front() + "'",
                         "left as it is", "it has buffers there", where});
}

/// Where such a stage was placed, a transfer of each reader has to say which loops are inside
/// buffers.
void keep_filling(const State& state, const std::string& stage, const SourceLoc& where,
                  KeptStages& out) {
  if (!fills_buffers_only(state, stage)) return;
  const std::vector<std::string> readers = readers_of(state, stage);
  if (schedule::is_placed(state, stage) &&
      !std::all_of(readers.begin(), readers.end(),
                   [&](const std::string& reader) { return has_transfers(state, reader); })) {
    return;
  }
  if (!out.names.insert(stage).second) return;
  out.remarks.push_back({"auto_buffer on '" + stage + "'", "left as it is",
                         "it fills a buffer of its reader", where});
}

}  // namespace

KeptStages kept_stages(const State& state, const SourceLoc& where) {
  KeptStages out;
  for (const dsl::Tensor& stage : state.program->stages) {
    keep_with_reader(state, stage->name, where, out);
    keep_filling(state, stage->name, where, out);
  }
  for (const dsl::Tensor& stage : state.program->stages) {
    if (out.names.count(stage->name) != 0 || !schedule::is_placed(state, stage->name)) continue;
    throw UnsupportedError({where, "auto_buffer plans no nest in which another stage was placed",
                            "compute_at put '" + stage->name + "' into the loops of its reader",
                            "call its compute_root(), or choose the buffers yourself"});
  }
  return out;
}

}  // namespace solway::driver
