#include "support/detail/read_engine.h"

namespace solway::detail {
namespace {

std::vector<BandwidthPoint> read_bandwidth(TableReader& table) {
  std::vector<BandwidthPoint> points;
  for (const std::vector<double>& row : table.rows("bandwidth", 3)) {
    const BandwidthPoint point{static_cast<std::int64_t>(row[0]), row[1], row[2]};
    const bool rises = points.empty() || point.block_bytes > points.back().block_bytes;
    if (!rises || point.block_bytes < 1 || point.get_gb_per_s <= 0 || point.put_gb_per_s <= 0) {
      table.fail("bandwidth",
                 "has an unusable row " + std::to_string(points.size()) + ", that of " +
                     std::to_string(point.block_bytes) + " bytes",
                 "give rows of [block bytes, get GB/s, put GB/s], positive, by rising block size");
    }
    points.push_back(point);
  }
  if (points.empty()) table.fail("bandwidth", "is empty", "give at least one row");
  return points;
}

}  // namespace

std::string near_names(const Target& target) {
  std::vector<std::string> names;
  for (const Memory& memory : target.memories) {
    if (memory.kind != MemoryKind::Main) names.push_back(memory.name);
  }
  return joined(names);
}

namespace {

constexpr int kAthreadRanks = 2;  // blocks at one distance
constexpr int kGenericRanks = 3;  // and planes of them: docs/generic_dialect.md

/// The scratchpad of all cores between main memory and that of a core; "": there is none.
std::string read_through(TableReader& table, const Target& target, const Memory& near) {
  std::string name = table.text_or("through", "");
  if (!table.has("through")) return name;
  const Memory* memory = target.memory_or_null(name);
  if (memory == nullptr || memory->kind != MemoryKind::Scratchpad ||
      memory->shared_by != MemorySharing::All) {
    table.fail("through", "names '" + name + "', which is no scratchpad of all cores",
               "name a memory of kind \"scratchpad\", shared_by \"all\", or leave it out");
  }
  if (name != kSharedScope) {
    table.fail("through",
               "names '" + name + "', and the scope of a scratchpad of all cores is '" +
                   kSharedScope + "'",
               std::string("give the memory the name '") + kSharedScope + "'");
  }
  if (near.kind != MemoryKind::Scratchpad || near.shared_by != MemorySharing::Core) {
    table.fail("through",
               "is there, and near memory '" + near.name + "' is no scratchpad of one core",
               "leave it out: cores load their own scratchpads through such a memory");
  }
  if (target.dialect != "generic") {
    table.fail("through", "is there, and the calls of dialect '" + target.dialect + "' reach none",
               "leave it out, or use dialect \"generic\"");
  }
  return name;
}

}  // namespace

TransferEngine read_engine(TableReader table, const Target& target) {
  TransferEngine engine;
  engine.name = table.text("name");
  engine.near = table.text("near");
  const Memory* near = target.memory_or_null(engine.near);
  if (near == nullptr || near->kind == MemoryKind::Main) {
    table.fail("near", "names '" + engine.near + "', which is no near memory",
               "name one of " + near_names(target));
  }
  engine.ranks = table.small("ranks", 1);
  const int most = target.dialect == "athread" ? kAthreadRanks : kGenericRanks;
  if (engine.ranks > most) {
    table.fail("ranks",
               "is " + std::to_string(engine.ranks) + ", and calls of the dialect '" +
                   target.dialect + "' have " + std::to_string(most) + " at most",
               "give " + std::to_string(most) + ": more dimensions are transfers of their own");
  }
  engine.max_pending = table.small("max_pending", 1);
  engine.alignment_bytes = table.power_of_two("alignment_bytes");
  engine.min_size_bytes = table.integer("min_size_bytes", 1);
  engine.max_size_bytes = table.integer("max_size_bytes", engine.min_size_bytes);
  engine.max_block_bytes = table.integer("max_block_bytes", 1);
  engine.transaction_bytes = table.integer("transaction_bytes", 1);
  engine.startup_cycles = table.integer("startup_cycles", 0);
  engine.put_startup_cycles = table.integer_or("put_startup_cycles", 0, engine.startup_cycles);
  engine.buses = static_cast<int>(table.integer_or("buses", 1, 1));
  engine.bandwidth = read_bandwidth(table);
  if (table.has("misaligned_gb_per_s")) {
    engine.misaligned_gb_per_s = table.number("misaligned_gb_per_s", 0);
  }
  engine.partial_put_cycles = static_cast<int>(table.integer_or("partial_put_cycles", 0, 0));
  engine.aligned_partial_put_cycles =
      static_cast<int>(table.integer_or("aligned_partial_put_cycles", 0, 0));
  engine.through = read_through(table, target, *near);
  table.finish();
  return engine;
}

}  // namespace solway::detail
