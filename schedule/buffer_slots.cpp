#include "schedule/buffer_slots.h"

#include <algorithm>
#include <optional>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// Whose slot an access is to: that of its own iteration, or of the one before, from which a slide
/// moves what both tiles hold.
enum class Turn : std::uint8_t { Own, Before };

Turn turn_of_reads(const Statement& s) { return s.is_slide() ? Turn::Before : Turn::Own; }

/// Whether a statement runs in all of these loops: who uses a buffer with slots does.
bool runs_in(const Order& order, const std::vector<LoopId>& loops, const std::string& statement) {
  return std::all_of(loops.begin(), loops.end(),
                     [&](const LoopId id) { return order.loop(id).value.count(statement) != 0; });
}

/// { S[iteration] -> [slot] }
isl::pw_aff slot_of(const Order& order, const std::vector<LoopId>& loops,
                    const std::string& statement, int depth, Turn turn) {
  const std::vector<std::int64_t> weights = turn_weights(order, loops, depth);
  const isl::pw_aff& innermost = order.loop(loops.back()).value.at(statement);
  isl::pw_aff number = innermost.add_constant(-static_cast<long>(order.loop(loops.back()).begin) -
                                              (turn == Turn::Before ? 1 : 0));
  for (std::size_t k = 0; k + 1 < loops.size(); ++k) {
    if (weights[k] == 0) continue;
    const Loop& loop = order.loop(loops[k]);
    number = number.add(loop.value.at(statement)
                            .add_constant(-static_cast<long>(loop.begin))
                            .scale(static_cast<long>(weights[k])));
  }
  return number.mod(static_cast<long>(depth));
}

/// Over how many loops the transfers of a buffer are delayed: primitives that split or fuse one of
/// them leave their number to the placements.
int across_of(const Program& program, const Order& order, const std::string& buffer) {
  int out = 1;
  for (const Placement& p : order.placements) {
    const Statement& s = program.statement(p.statement);
    if (s.is_transfer() && s.copy->buffer == buffer) out = std::max(out, p.delayed);
  }
  return out;
}

/// Whether every access of `buffer` is to the slot of its iteration.
bool is_numbered(const Program& program, const Order& order, const Buffer& buffer) {
  if (across_of(program, order, buffer.name) != buffer.across) return false;
  const std::vector<LoopId> loops = turning_loops(program, order, buffer);
  for (const auto& [name, s] : program.statements) {
    if (!runs_in(order, loops, name)) continue;
    const auto differs = [&, &name = name, &s = s](const isl::map& relation,
                                                   const isl::multi_pw_aff& index, Turn turn) {
      if (isl_ext::tuple_name(relation, Dim::Range) != buffer.name) return false;
      const isl::pw_aff slot = slot_of(order, loops, name, buffer.depth, turn);
      return !index.at(0).as_map().intersect_domain(s.domain).is_equal(
          slot.as_map().intersect_domain(s.domain));
    };
    for (const Write& write : s.writes) {
      if (differs(write.relation, write.index, Turn::Own)) return false;
    }
    for (const Operand& operand : s.reads) {
      if (differs(operand.relation, operand.index, turn_of_reads(s))) return false;
    }
  }
  return true;
}

/// Rewrites the accesses of one buffer.
class SlotRewriter {
 public:
  SlotRewriter(Program& program, Order& order, const std::string& buffer)
      : program_(program), order_(order), buffer_(program.buffers.at(buffer)) {}

  void run(const BufferDepth& depth) {
    had_slots_ = buffer_.depth > 1;
    buffer_.depth = depth.depth;
    buffer_.distance = depth.distance;
    buffer_.across = depth.across;
    const std::vector<LoopId> loops = turning_loops(program_, order_, buffer_);
    resize();
    const int more = (depth.depth > 1 ? 1 : 0) - (had_slots_ ? 1 : 0);
    for (auto& [name, other] : program_.buffers) {
      if (name == buffer_.name || other.moved_from() != buffer_.name) continue;
      for (BufferDim& dim : other.dims) dim.dim += more;
    }
    for (auto& [name, s] : program_.statements) {
      slot_.reset();
      slot_of_reads_.reset();
      if (depth.depth > 1 && runs_in(order_, loops, name)) {
        slot_ = slot_of(order_, loops, name, depth.depth, Turn::Own);
        slot_of_reads_ = slot_of(order_, loops, name, depth.depth, turn_of_reads(s));
      }
      if (s.is_transfer()) {
        if (s.copy->buffer == buffer_.name) rewrite_transfer(s);
        if (program_.buffers.at(s.copy->buffer).moved_from() == buffer_.name) rewrite_source(s);
      } else {
        rewrite_user(s);
      }
    }
    move_apart();
  }

 private:
  void resize() {
    Array& array = program_.arrays.at(buffer_.name);
    if (had_slots_) array.shape.erase(array.shape.begin());
    if (buffer_.depth > 1) array.shape.insert(array.shape.begin(), buffer_.depth);
    array.extent =
        isl::set::universe(isl::space::unit(program_.ctx())
                               .add_named_tuple(isl::id(program_.ctx(), array.name),
                                                static_cast<unsigned>(array.shape.size())));
    for (std::size_t k = 0; k < array.shape.size(); ++k) {
      array.extent = isl_ext::bound(array.extent, static_cast<int>(k), 0, array.shape[k]);
    }
  }

  /// The same cells, in the slot of the iteration; `slot` has the domain of `cells`.
  isl::multi_pw_aff in_slot(const isl::multi_pw_aff& cells,
                            const std::optional<isl::pw_aff>& slot) const {
    isl::multi_pw_aff out;
    if (slot) out = slot->to_multi_pw_aff();
    for (unsigned k = had_slots_ ? 1 : 0; k < cells.size(); ++k) {
      const isl::multi_pw_aff one = cells.at(static_cast<int>(k)).to_multi_pw_aff();
      out = out.is_null() ? one : out.flat_range_product(one);
    }
    if (!out.is_null()) return out.set_range_tuple(buffer_.name);
    const isl::id id(program_.ctx(), buffer_.name);
    return isl::multi_pw_aff::zero(cells.space().domain().add_named_tuple(id, 0));
  }

  void rewrite_access(isl::map& relation, isl::multi_pw_aff& index,
                      const std::optional<isl::pw_aff>& slot) const {
    if (isl_ext::tuple_name(relation, Dim::Range) != buffer_.name) return;
    index = in_slot(index, slot);
    relation = index.as_map().intersect_domain(relation.domain());
  }

  void rewrite_user(Statement& s) const {
    for (Operand& operand : s.reads) {
      rewrite_access(operand.relation, operand.index, slot_of_reads_);
    }
    for (Write& write : s.writes) rewrite_access(write.relation, write.index, slot_);
  }

  void rewrite_transfer(Statement& s) const {
    Copy& copy = *s.copy;
    copy.near_first = in_slot(copy.near_first, slot_);
    std::optional<isl::pw_aff> of_element;
    if (slot_) of_element = slot_->pullback(copy.elements.space().domain_map_multi_aff());
    copy.storage = in_slot(copy.storage.as_pw_multi_aff().to_multi_pw_aff(), of_element)
                       .as_map()
                       .intersect_domain(copy.elements.wrap());
    const isl::map near = copy.storage.domain_factor_domain().coalesce();
    const bool is_get = copy.direction == CopyDirection::Get;
    (is_get ? s.writes[0].relation : s.reads[0].relation) = near;
    (is_get ? s.writes[0].index : s.reads[0].index) = copy.near_first;
  }

  /// Of a transfer that fills another buffer from this one.
  void rewrite_source(Statement& s) const {
    Copy& copy = *s.copy;
    const isl::space pairs = copy.elements.space();
    std::optional<isl::pw_aff> of_element;
    if (slot_) of_element = slot_->pullback(pairs.domain_map_multi_aff());
    const isl::map moved =
        in_slot(pairs.range_map_multi_aff().to_multi_pw_aff(), of_element).as_map();
    // { [S[position] -> T[old]] -> [S[position] -> T[new]] }
    const isl::map renamed =
        isl::multi_aff::domain_map(pairs).as_map().range_product(moved).intersect_domain(
            copy.elements.wrap());
    copy.storage = copy.storage.apply_domain(renamed);
    copy.elements = copy.elements.wrap().apply(renamed).unwrap();
    copy.first = in_slot(copy.first, slot_);
    isl::multi_pw_aff count;
    if (slot_)
      count = slot_->domain().pw_aff_on_domain(isl::val::one(program_.ctx())).to_multi_pw_aff();
    for (unsigned k = had_slots_ ? 1 : 0; k < copy.count.size(); ++k) {
      const isl::multi_pw_aff one = copy.count.at(static_cast<int>(k)).to_multi_pw_aff();
      count = count.is_null() ? one : count.flat_range_product(one);
    }
    copy.count = count;
    s.reads[0].relation = copy.elements;
    s.reads[0].index = copy.first;
  }

  /// A slot is filled again `depth` iterations later: what is stored from it must be complete
  /// before it is asked for again. Where both happen they share the iterations between.
  void move_apart() {
    const bool is_stored = program_.statements.count(buffer_.name + "_put_issue") != 0;
    const bool is_loaded = program_.statements.count(buffer_.name + "_get_issue") != 0;
    const int spare = buffer_.depth - 1 - (is_loaded ? buffer_.distance : 0);
    for (Placement& p : order_.placements) {
      const bool is_early = is_loaded && p.statement == buffer_.name + "_get_issue";
      const bool is_late = is_stored && p.statement == buffer_.name + "_put_complete";
      if (!is_early && !is_late) continue;
      p.delay = is_early ? -buffer_.distance : spare;
      p.delayed = buffer_.across;
    }
    if (is_loaded && buffer_.distance > 0) ask_after_what_is_needed_now();
  }

  /// The engine serves requests in turn: those for later iterations stand behind the ones of the
  /// same place that are waited for next.
  void ask_after_what_is_needed_now() {
    auto& all = order_.placements;
    const auto issue = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return p.statement == buffer_.name + "_get_issue";
    });
    const auto is_needed_now = [&](const Placement& p) {
      const Statement& s = program_.statement(p.statement);
      return p.path == issue->path && p.delay == 0 && s.kind == StatementKind::Issue &&
             s.copy->direction == CopyDirection::Get;
    };
    const auto end = std::find_if_not(issue + 1, all.end(), is_needed_now);
    std::rotate(issue, issue + 1, end);
  }

  Program& program_;
  Order& order_;
  Buffer& buffer_;
  bool had_slots_ = false;
  /// Of the present statement, when the buffer has several.
  std::optional<isl::pw_aff> slot_, slot_of_reads_;
};

}  // namespace

LoopId loop_around(const Program& program, const Order& order, const std::string& buffer) {
  for (const Placement& p : order.placements) {
    const Statement& s = program.statement(p.statement);
    if (!s.is_transfer() || s.copy->buffer != buffer) continue;
    return p.path.empty() ? -1 : p.path.back();
  }
  return -1;
}

std::vector<LoopId> turning_loops(const Program& program, const Order& order,
                                  const Buffer& buffer) {
  for (const Placement& p : order.placements) {
    const Statement& s = program.statement(p.statement);
    if (!s.is_transfer() || s.copy->buffer != buffer.name) continue;
    return Placement{p.statement, p.path, 0, buffer.across}.delayed_loops();
  }
  return {};
}

std::vector<std::int64_t> turn_weights(const Order& order, const std::vector<LoopId>& loops,
                                       int depth) {
  std::vector<std::int64_t> out(loops.size(), 1);
  for (std::size_t k = loops.size(); k-- > 1;) {
    out[k - 1] = out[k] * (order.loop(loops[k]).extent() % depth) % depth;
  }
  return out;
}

void renumber_slots(Program& program, Order& order) {
  for (const auto& [name, buffer] : program.buffers) {
    if (buffer.depth == 1 || is_numbered(program, order, buffer)) continue;
    const int across = across_of(program, order, name);
    rotate_slots(program, order, name, {buffer.depth, buffer.distance, across});
  }
}

bool slots_are_numbered(const Program& program, const Order& order) {
  return std::all_of(program.buffers.begin(), program.buffers.end(), [&](const auto& pair) {
    const auto& [name, buffer] = pair;
    return buffer.depth == 1 || is_numbered(program, order, buffer);
  });
}

void rotate_slots(Program& program, Order& order, const std::string& buffer,
                  const BufferDepth& depth) {
  SlotRewriter(program, order, buffer).run(depth);
}

}  // namespace solway::schedule
