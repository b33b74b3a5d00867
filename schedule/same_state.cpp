#include "schedule/same_state.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// isl objects that are one: equal, and cheap to see.
template <typename T>
bool is_one(const T& a, const T& b) {
  return a.get() == b.get();
}

template <typename T>
bool is_one(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || is_one(*a, *b));
}

template <typename T, typename Same>
bool are_same(const std::vector<T>& a, const std::vector<T>& b, const Same& same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

template <typename Key, typename T, typename Same>
bool are_same(const std::map<Key, T>& a, const std::map<Key, T>& b, const Same& same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && same(x.second, y.second);
  });
}

bool is_same(const Operand& a, const Operand& b) {
  return is_one(a.relation, b.relation) && is_one(a.index, b.index) && a.read == b.read &&
         a.owner == b.owner && a.place == b.place && a.is_exact == b.is_exact;
}

bool is_same(const Write& a, const Write& b) {
  return is_one(a.relation, b.relation) && is_one(a.index, b.index) && a.value == b.value;
}

bool is_same(const Inlined& a, const Inlined& b) {
  return is_one(a.origin, b.origin) && a.owner == b.owner && a.place == b.place;
}

bool is_same(const std::optional<Copy>& a, const std::optional<Copy>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->transfer == b->transfer && a->buffer == b->buffer && a->direction == b->direction &&
         is_one(a->elements, b->elements) && is_one(a->storage, b->storage) &&
         is_one(a->first, b->first) && is_one(a->count, b->count) &&
         is_one(a->near_first, b->near_first) && a->rows == b->rows;
}

bool is_same(const Statement& a, const Statement& b) {
  const auto same = [](const auto& x, const auto& y) { return is_same(x, y); };
  return a.name == b.name && a.kind == b.kind && a.stage == b.stage && a.axes == b.axes &&
         is_one(a.domain, b.domain) && are_same(a.writes, b.writes, same) &&
         are_same(a.reads, b.reads, same) && a.reduce == b.reduce && a.combiner == b.combiner &&
         is_one(a.group, b.group) && is_same(a.copy, b.copy) && is_one(a.origin, b.origin) &&
         are_same(a.inlined, b.inlined, same);
}

bool is_same(const Array& a, const Array& b) {
  const bool same_layout = a.layout.has_value() == b.layout.has_value() &&
                           (!a.layout || is_one(a.layout->places, b.layout->places));
  return a.name == b.name && a.kind == b.kind && is_one(a.extent, b.extent) &&
         a.tensor == b.tensor && same_layout;
}

bool is_same(const Buffer& a, const Buffer& b) {
  return a.name == b.name && a.tensor == b.tensor && a.memory == b.memory && a.dims == b.dims &&
         a.depth == b.depth && a.distance == b.distance && a.across == b.across &&
         a.shared_by == b.shared_by;
}

bool is_same(const Program& a, const Program& b) {
  const auto same = [](const auto& x, const auto& y) { return is_same(x, y); };
  return &a == &b || (a.outputs == b.outputs && a.given == b.given && a.seen == b.seen &&
                      a.sizes == b.sizes && a.assumptions.size() == b.assumptions.size() &&
                      are_same(a.statements, b.statements, same) &&
                      are_same(a.arrays, b.arrays, same) && are_same(a.buffers, b.buffers, same));
}

/// Whether the statements of two programs, which are the same, run in the same order as written.
bool have_same_reference(const Program& a, const Program& b) {
  if (is_one(a.reference, b.reference)) return true;
  bool out = true;
  a.reference.foreach_map([&](const isl::map& one) {
    out = out && isl_ext::is_plainly_equal(one, b.reference.extract_map(one.space()));
  });
  return out;
}

bool is_same(const FusedDigits& a, const FusedDigits& b) {
  return a.fusion == b.fusion && a.step == b.step && a.wrap == b.wrap && a.origin == b.origin;
}

/// An unrolled loop runs like a serial one.
LoopMark mark_to_prove(const Loop& loop) {
  return loop.mark == LoopMark::Unrolled ? LoopMark::Serial : loop.mark;
}

bool is_same(const Loop& a, const Loop& b) {
  return a.kind == b.kind && a.begin == b.begin && a.end == b.end &&
         a.depends_on_sizes == b.depends_on_sizes && mark_to_prove(a) == mark_to_prove(b) &&
         a.hardware == b.hardware && a.parts == b.parts && a.intrinsic == b.intrinsic &&
         is_same(a.fused, b.fused) &&
         are_same(a.value, b.value, [](const auto& x, const auto& y) { return is_one(x, y); });
}

bool is_same(const Coordinate& a, const Coordinate& b) {
  return a.extent == b.extent &&
         are_same(a.value, b.value, [](const auto& x, const auto& y) { return is_one(x, y); });
}

/// In all that a primitive or a planner asks of a loop.
bool is_same_loop(const Loop& a, const Loop& b) {
  return is_same(a, b) && a.mark == b.mark && a.name == b.name && a.tail == b.tail;
}

bool is_same(const Step& a, const Step& b) {
  return a.primitive == b.primitive && a.stage == b.stage && a.results == b.results;
}

bool is_same(const Order& a, const Order& b) {
  const auto same = [](const auto& x, const auto& y) { return is_same(x, y); };
  const auto same_place = [](const Placement& x, const Placement& y) {
    return x.statement == y.statement && x.path == y.path && x.delay == y.delay &&
           x.delayed == y.delayed;
  };
  const auto same_fusion = [&](const Fusion& x, const Fusion& y) { return are_same(x, y, same); };
  return are_same(a.placements, b.placements, same_place) && are_same(a.loops, b.loops, same) &&
         are_same(a.fusions, b.fusions, same_fusion);
}

}  // namespace

bool have_same_accesses(const Program& a, const Program& b) {
  const auto same_relation = [](const auto& x, const auto& y) {
    return is_one(x.relation, y.relation);
  };
  const auto same_statement = [&](const Statement& x, const Statement& y) {
    return x.kind == y.kind && is_one(x.domain, y.domain) && is_one(x.group, y.group) &&
           are_same(x.writes, y.writes, same_relation) && are_same(x.reads, y.reads, same_relation);
  };
  const auto same_array = [](const Array& x, const Array& y) { return x.kind == y.kind; };
  return are_same(a.statements, b.statements, same_statement) &&
         are_same(a.arrays, b.arrays, same_array) && have_same_reference(a, b);
}

bool is_same_section(const State& a, const State& b) {
  return is_same(*a.program, *b.program) && is_same(a.order, b.order) &&
         is_same(*a.original, *b.original);
}

bool is_same_schedule(const State& a, const State& b) {
  const auto same = [](const auto& x, const auto& y) { return is_same(x, y); };
  return a.program == b.program && a.original == b.original && is_same(a.order, b.order) &&
         are_same(a.order.loops, b.order.loops, is_same_loop) && a.stage_loops == b.stage_loops &&
         are_same(a.log, b.log, same);
}

}  // namespace solway::schedule
