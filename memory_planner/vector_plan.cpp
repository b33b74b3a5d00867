#include "memory_planner/vector_plan.h"

#include <algorithm>

#include "memory_planner/early_lines.h"
#include "memory_planner/lane_plans.h"
#include "memory_planner/line_cost.h"
#include "memory_planner/live_vectors.h"
#include "memory_planner/reread_cost.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_variants.h"
#include "support/line_requests.h"
#include "support/vectors_at_once.h"

namespace solway::memory_planner {
namespace {

constexpr std::int64_t kMostVectors = 16;      ///< of one row that registers hold
constexpr std::int64_t kMostWrittenOut = 256;  ///< copies of a body
constexpr std::int64_t kFewOfLanes = 4;        ///< of so many lanes, one is too few for a vector
constexpr std::int64_t kVectorsOfStates = 4;   ///< that a turn combines
constexpr std::int64_t kRowsAtATime = 8;       ///< which processors fetch ahead together
constexpr std::int64_t kRowBytes = 4096;       ///< of them, at least: at whose end that stops
constexpr std::int64_t kFewestUses = 4;        ///< of a panel, for it to be worth a copy

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Which loops of the reduction are code without jumps.
enum class WrittenOut : std::uint8_t { None, Innermost, All };

/// Finds plans for one stage.
class Search {
 public:
  Search(const VectorStage& stage, const Target& target)
      : stage_(stage), caches_(caches_of(target)), may_ask_(has_line_requests(target)) {}

  std::vector<VectorPlan> run(int count) {
    add(plain());
    if (stage_.lanes > 1) {
      for (int k = 0; k < size(); ++k) {
        if (is_free(k) && stage_.around[index(k)] && !are_few(k)) vectorize(k);
      }
    }
    std::stable_sort(found_.begin(), found_.end(), [](const VectorPlan& a, const VectorPlan& b) {
      return a.cycles_of_tiles() < b.cycles_of_tiles();
    });
    return of_several_kinds(stage_, caches_, found_, static_cast<std::size_t>(count));
  }

 private:
  int size() const { return static_cast<int>(stage_.loops.size()); }
  bool is_free(int k) const { return stage_.loops[index(k)].tiling == Tiling::Free; }
  bool is_spatial(int k) const { return stage_.around[index(k)] && !is_reduction(stage_, k); }

  /// Whether a loop has one iteration; or as few, of what other stages in the same loops have
  /// stored one by one, that a vector would wait longer for these stores than it saves.
  bool are_few(int k) const {
    const std::int64_t extent = stage_.loops[index(k)].extent;
    return extent < 2 ||
           (stage_.is_near && !stage_.is_update && extent * kFewOfLanes <= stage_.lanes);
  }

  VectorPlan plain() const {
    VectorPlan out;
    out.held.assign(stage_.loops.size(), 1);
    out.written_out.assign(stage_.loops.size(), false);
    for (int k = 0; k < size(); ++k) {
      if (is_spatial(k)) out.outer.push_back(k);
    }
    return out;
  }

  void add(VectorPlan plan) {
    plan.cycles = cycles_of(stage_, plan, caches_);
    found_.push_back(std::move(plan));
  }

  void vectorize(int k) {
    VectorPlan plan = plain();
    plan.vector = k;
    if (is_reduction(stage_, k)) {
      if (!sums_in_lanes(k)) return;
      add(plan);
      if (stage_.has_states) return;
      for (VectorPlan& tile : tiles_of_sums(stage_, plan, caches_)) add(std::move(tile));
      return;
    }
    for (int d = 0; d < size(); ++d) {
      if (is_dot(d)) add_dots(plan, d);
    }
    plan.in_blocks = is_only_in_blocks(k);
    if (!stage_.is_update || !may_hold()) {
      order(plan);
      add(plan);
      if (stage_.has_states) add_several_vectors(plan);
      for (VectorPlan& turned : squares(stage_, plan)) add(std::move(turned));
      for (VectorPlan& together : interleaved(stage_, plan)) add(std::move(together));
      return;
    }
    for (VectorPlan& turned : squares_of_terms(stage_, plan)) {
      turned.in_registers = stage_.can_hold;
      add(std::move(turned));
    }
    all_tiles(plan, k);
  }

  /// Vectors of several elements that a turn of the reduction combines with terms: one waits for
  /// what it has stored the turn before.
  void add_several_vectors(VectorPlan plan) {
    const std::int64_t whole = stage_.loops[index(plan.vector)].extent / stage_.lanes;
    if (whole < 2 || plan.in_blocks) return;
    plan.held[index(plan.vector)] = std::min(whole, kVectorsOfStates);
    add(std::move(plan));
  }

  /// Every tile of rows of up to two loops and vectors of loop k.
  void all_tiles(VectorPlan plan, int k) {
    plan.in_registers = stage_.can_hold || (stage_.is_near && stores_neighbours(stage_, plan));
    for (const WrittenOut written_out :
         {WrittenOut::None, WrittenOut::Innermost, WrittenOut::All}) {
      if (written_out != WrittenOut::None && (plan.dot >= 0 || !can_write_out(plan))) continue;
      if (written_out == WrittenOut::Innermost && !is_large_window()) continue;
      for (int a = 0; a < size(); ++a) {
        if (!is_row(stage_, a, k)) continue;
        for (int b = a + 1; b < size(); ++b) {
          if (is_row(stage_, b, k)) tiles(plan, a, b, written_out);
        }
        tiles(plan, a, -1, written_out);
      }
      tiles(plan, -1, -1, written_out);
    }
  }

  /// Whether the target adds products of groups of bytes along loop d.
  bool is_dot(int d) const {
    return !stage_.dots.empty() && stage_.dots[index(d)] && is_free(d) && may_hold();
  }

  void add_dots(VectorPlan plan, int d) {
    plan.dot = d;
    plan.dot_terms = stage_.dot_terms;
    const bool lie_in_groups =
        std::all_of(stage_.accesses.begin(), stage_.accesses.end(),
                    [&](const VectorAccess& a) { return a.is_written || a.groups[index(d)]; });
    for (const bool in_blocks : {false, true}) {
      plan.in_blocks = in_blocks;
      const auto in_lanes = [&](const VectorAccess& a) { return lane_step(plan, a).has_value(); };
      const auto moves = [&](const VectorAccess& a) { return lane_step(plan, a) == 1; };
      if (!lie_in_groups) break;
      if (!std::all_of(stage_.accesses.begin(), stage_.accesses.end(), in_lanes)) continue;
      if (std::count_if(stage_.accesses.begin(), stage_.accesses.end(), moves) < 2) return;
      return all_tiles(plan, plan.vector);
    }
    plan.in_blocks = false;
    if (put_in_groups(plan)) all_tiles(plan, plan.vector);
  }

  /// Gives a plan of dots copies of what lies in no groups along its lanes; false where what is
  /// spread over these, or the result, does not lie as it must, or nothing has groups of its own.
  bool put_in_groups(VectorPlan& plan) const {
    if (stage_.is_scalable) return false;
    bool has_vectors = false;
    for (const VectorAccess& access : stage_.accesses) {
      const bool is_in_lanes = lane_step(plan, access).has_value();
      if (access.is_written || !access.depends(plan.vector)) {
        if (!is_in_lanes || !(access.is_written || access.groups[index(plan.dot)])) return false;
        continue;
      }
      has_vectors = true;
      if (is_in_lanes && access.groups[index(plan.dot)]) continue;
      const int lanes = dimension_of_lanes(plan, access);
      if (lanes < 0 || !may_be_in_groups(plan, access)) return false;
      plan.panels.push_back({access.array, lanes, false, access.references, true});
    }
    return has_vectors;
  }

  /// Whether each dimension is moved by one loop, and the terms of groups have one of these.
  static bool may_be_in_groups(const VectorPlan& plan, const VectorAccess& access) {
    bool has_terms = false;
    for (const DimModel& dim : access.dims) {
      if (dim.terms.size() > 1) return false;
      for (const IndexTerm& term : dim.terms) {
        if (term.growth != 1) return false;
        has_terms = has_terms || term.loop == plan.dot;
      }
    }
    return has_terms;
  }

  /// Of loops whose extents are known when it runs, the last tile is one of its own
  /// (lowering/peel_last_tile.h).
  bool may_hold() const {
    return stage_.has_free_order && !(stage_.has_sizes() && stage_.is_scalable);
  }

  /// Whether it is known when the kernel runs how much of an array there is.
  bool is_sized(const VectorAccess& access) const {
    for (int k = 0; k < static_cast<int>(stage_.sized.size()); ++k) {
      if (stage_.sized[index(k)] && access.depends(k)) return true;
    }
    return false;
  }

  /// Terms that lie side by side, added into one place.
  bool sums_in_lanes(int k) const {
    if (!stage_.has_free_order && !stage_.has_states) return false;
    return std::all_of(stage_.accesses.begin(), stage_.accesses.end(), [&](const VectorAccess& a) {
      const auto& step = a.steps[index(k)];
      return step && (a.is_written ? *step == 0 : *step == 0 || *step == 1);
    });
  }

  /// Whether lanes of k touch neighbours everywhere if its blocks of lanes stay whole, and not
  /// otherwise.
  bool is_only_in_blocks(int k) const {
    bool differs = false;
    for (const VectorAccess& access : stage_.accesses) {
      const auto& step = access.steps[index(k)];
      const auto& block = access.block_steps[index(k)];
      if (!block || (*block != 0 && *block != 1)) return false;
      differs = differs || step != block;
    }
    return differs;
  }

  /// Only where each term comes in vectors: numbers that are spread over lanes stay alive in
  /// registers when several turns of a loop use them.
  bool can_write_out(const VectorPlan& plan) const {
    std::int64_t copies = 1;
    bool has_terms = false;
    for (int k = 0; k < size(); ++k) {
      if (!stage_.around[index(k)] || !is_reduction(stage_, k)) continue;
      if (!is_free(k)) return false;
      copies *= stage_.loops[index(k)].extent;
      has_terms = has_terms || stage_.loops[index(k)].extent > 1;
    }
    if (!has_terms || copies > kMostWrittenOut / 2) return false;
    return std::all_of(stage_.accesses.begin(), stage_.accesses.end(), [&](const VectorAccess& a) {
      return a.is_written || a.depends(plan.vector);
    });
  }

  /// Windows of two loops, which are too many terms for the registers: all places of the operand
  /// that does not move with the tiles want to stay there.
  bool is_large_window() const {
    std::int64_t loops = 0;
    std::int64_t terms = 1;
    for (int k = 0; k < size(); ++k) {
      const std::int64_t extent = stage_.loops[index(k)].extent;
      if (!stage_.around[index(k)] || !is_reduction(stage_, k) || extent < 2) continue;
      ++loops;
      terms *= extent;
    }
    return loops > 1 && terms > caches_.registers / 2;
  }

  /// Numbers of vectors of a tile. Lanes that are counted when the kernel runs have rows of their
  /// own, of which lowering takes 1, 2 or 4 vectors at a time, as many as registers hold.
  std::vector<std::int64_t> vectors_of(const VectorPlan& plan, std::int64_t rows,
                                       std::int64_t steps) const {
    if (!holds_in_lanes(stage_, plan)) {
      const bool is_loop = !stage_.can_hold && !plan.in_blocks;
      return even_sizes(steps, is_loop ? kMostVectorsWritten : kMostVectors);
    }
    return {std::min<std::int64_t>(vectors_at_once(rows, caches_.registers), steps)};
  }

  void tiles(const VectorPlan& base, int a, int b, WrittenOut written_out) {
    const std::int64_t most = caches_.registers - 1;
    const auto sizes_of = [&](int loop) {
      return loop < 0 ? std::vector<std::int64_t>{1} : row_sizes(stage_, loop, most);
    };
    const std::int64_t steps = steps_along(stage_, base, base.vector);
    for (const std::int64_t rows_a : sizes_of(a)) {
      if (a >= 0 && rows_a == 1) continue;
      for (const std::int64_t rows_b : sizes_of(b)) {
        if ((b >= 0 && rows_b == 1) || rows_a * rows_b > most) continue;
        for (const std::int64_t vectors : vectors_of(base, rows_a * rows_b, steps)) {
          if (rows_a * rows_b * vectors > most) break;
          VectorPlan plan = base;
          if (a >= 0) plan.held[index(a)] = rows_a;
          if (b >= 0) plan.held[index(b)] = rows_b;
          plan.held[index(base.vector)] = vectors;
          finish(std::move(plan), written_out);
        }
      }
    }
  }

  void finish(VectorPlan plan, WrittenOut written_out) {
    const std::int64_t carried = written_out == WrittenOut::All ? 1 : stage_.carried;
    if (registers_of(stage_, plan) * carried > caches_.registers - 1) return;
    if (written_out != WrittenOut::None && !write_out(plan, written_out)) return;
    order(plan);
    block(plan);
    add_with_panels(plan);
    strip_inside(plan);
    keep_order_if_better(plan);
    for (const VectorAccess& access : stage_.accesses) {
      const auto panel = try_spread_panel(plan, access);
      if (panel) keep_if_better(plan, {*panel});
    }
    add_rows_panels();
    ask_early();
    if (written_out == WrittenOut::None) some_rows_at_a_time();
  }

  /// False where that is too much code, or too much for the registers.
  bool write_out(VectorPlan& plan, WrittenOut written_out) const {
    std::int64_t results = 1;
    for (const std::int64_t held : plan.held) results *= held;
    // What the turns share wants registers, too.
    if (results > caches_.registers * 2 / 3) return false;
    const int innermost = innermost_term(stage_, plan);
    std::int64_t copies = 1;
    for (int k = 0; k < size(); ++k) {
      if (!stage_.around[index(k)]) continue;
      plan.written_out[index(k)] =
          is_reduction(stage_, k) && (written_out == WrittenOut::All || k == innermost);
      copies *= plan.written_out[index(k)] ? stage_.loops[index(k)].extent : plan.held[index(k)];
    }
    if (copies > kMostWrittenOut) return false;
    // Lowering takes as many vectors of scalable registers at a time as their number allows.
    return stage_.is_scalable || live_vectors(stage_, plan) <= caches_.registers;
  }

  /// The last plan asks the caches for what it reads, if that is better.
  void ask_early() {
    if (!may_ask_) return;
    VectorPlan plan = found_.back();
    plan.early = lines_to_ask_for(stage_, plan, caches_);
    if (plan.early.empty()) return;
    plan.cycles = cycles_of(stage_, plan, caches_);
    if (plan.cycles < found_.back().cycles) found_.back() = std::move(plan);
  }

  /// What the reduction reads in vectors and uses the most times, if it is used again at all.
  const VectorAccess* strip(const VectorPlan& plan) const {
    const VectorAccess* out = nullptr;
    for (const VectorAccess& access : stage_.accesses) {
      if (access.is_written || !access.depends(plan.vector)) continue;
      if (uses_of_strip(stage_, plan, access) < 2) continue;
      const bool is_larger =
          out == nullptr || strip_bytes(stage_, plan, access) > strip_bytes(stage_, plan, *out);
      if (is_larger) out = &access;
    }
    return out;
  }

  /// Loops on which a strip depends stand outside of those that use it again; fixed ones stay
  /// around all.
  void order(VectorPlan& plan) const {
    if (!stage_.is_update) return;
    const VectorAccess* const reused = strip(plan);
    if (reused == nullptr) return;
    const auto rank = [&](int k) { return !is_free(k) ? 0 : reused->depends(k) ? 1 : 2; };
    std::stable_sort(plan.outer.begin(), plan.outer.end(),
                     [&](int a, int b) { return rank(a) < rank(b); });
  }

  /// The other order: what uses a strip again stands outside of the loops that move it.
  void strip_inside(VectorPlan& plan) const {
    const VectorAccess* const reused = strip(plan);
    if (reused == nullptr) return;
    const auto rank = [&](int k) { return !is_free(k) ? 0 : reused->depends(k) ? 2 : 1; };
    std::stable_sort(plan.outer.begin(), plan.outer.end(),
                     [&](int a, int b) { return rank(a) < rank(b); });
  }

  /// A strip that does not fit half of the second-level cache runs in blocks, of a loop that has
  /// enough iterations: of several the one with the largest steps, whose blocks lie in one piece.
  void block(VectorPlan& plan) const {
    const VectorAccess* const reused = strip(plan);
    if (reused == nullptr || !stage_.can_hold || stage_.statements > 1) return;
    const std::int64_t bytes = strip_bytes(stage_, plan, *reused);
    const std::int64_t room = caches_.second_bytes / 2;
    if (bytes <= room) return;
    const std::int64_t wanted = (bytes + room - 1) / room;
    // (iterations up to those that are wanted, bytes of a step)
    const auto worth = [&](int k) {
      const std::int64_t enough = std::min(stage_.loops[index(k)].extent, wanted);
      return std::pair(enough, std::abs(reused->steps[index(k)].value_or(0)));
    };
    int best = -1;
    for (int k = 0; k < size(); ++k) {
      const bool may = stage_.around[index(k)] && is_reduction(stage_, k) && is_free(k) &&
                       !plan.written_out[index(k)] && reused->depends(k);
      if (may && (best < 0 || worth(k) > worth(best))) best = k;
    }
    if (best < 0) return;
    const std::int64_t extent = stage_.loops[index(best)].extent;
    const std::int64_t parts = std::min(extent, wanted);
    if (parts < 2) return;
    plan.blocked = best;
    plan.block = (extent + parts - 1) / parts;
    if (plan.dot == best) {
      const std::int64_t group = plan.dot_terms;
      plan.block = std::min(extent, (plan.block + group - 1) / group * group);
    }
  }

  void add_with_panels(const VectorPlan& plan) {
    add(plan);
    if (plan.dot >= 0) return;  // what lies in groups is a panel already
    std::vector<Panel> of_halves;
    for (const VectorAccess& access : stage_.accesses) {
      const auto panel = try_panel(plan, access);
      if (!panel) continue;
      if (access.is_half) of_halves.push_back(*panel);
      keep_if_better(plan, {*panel});
    }
    if (of_halves.size() > 1) keep_if_better(plan, of_halves);
  }

  /// The copy of an access that a plan may use; what lies in blocks is one already.
  std::optional<Panel> try_panel(const VectorPlan& plan, const VectorAccess& access) const {
    if (access.is_written || access.is_near) return std::nullopt;
    if (uses_of_strip(stage_, plan, access) < kFewestUses) return std::nullopt;
    const auto& step = (plan.in_blocks ? access.block_steps : access.steps)[index(plan.vector)];
    if (!step || ((plan.in_blocks || *step == 0) && !access.is_half)) return std::nullopt;
    // Memory is there for the most that there can be: of one strip.
    if (is_sized(access) && strip_bytes(stage_, plan, access) > caches_.second_bytes) {
      return std::nullopt;
    }
    if (*step == 0 || *step == 1) return Panel{access.array, -1, false, access.references};
    const int lanes = dimension_of_lanes(plan, access);
    if (lanes < 0) return std::nullopt;
    std::int64_t bytes = access.element_bytes;
    for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
      if (access.depends(k)) bytes *= stage_.loops[index(k)].extent;
    }
    // What the second-level cache does not hold is read in order, as each block would read what it
    // copies anew.
    const bool fits = static_cast<double>(bytes) <= caches_.far_bytes();
    return Panel{access.array, lanes, fits, access.references};
  }

  /// The copy of numbers that are spread over lanes, where they are read apart from each other. It
  /// stands outside of the loops that do not move it, those of other stages, too.
  std::optional<Panel> try_spread_panel(const VectorPlan& plan, const VectorAccess& access) const {
    if (plan.dot >= 0 || access.is_near || is_sized(access)) return std::nullopt;
    if (uses_of_strip(stage_, plan, access) < kFewestUses) return std::nullopt;
    if (!is_read_apart(stage_, plan, access, caches_)) return std::nullopt;
    return Panel{access.array, -1, true, access.references};
  }

  /// Copies of the last plan's operands of which each turn reads numbers of another row.
  void add_rows_panels() {
    for (const VectorAccess& access : stage_.accesses) {
      const VectorPlan plan = found_.back();
      if (!may_lie_in_rows(plan, access)) continue;
      std::vector<Panel> panels = plan.panels;
      panels.push_back({access.array, -1, false, access.references, false, true});
      keep_if_better(plan, std::move(panels));
    }
  }

  /// In place of the last plan one with blocks of few terms, where each is of another row of an
  /// operand that is read once: tiles side by side then read on in the rows of a block, which
  /// memory delivers in order.
  void some_rows_at_a_time() {
    const VectorPlan& last = found_.back();
    const int term = innermost_term(stage_, last);
    if (last.blocked >= 0 || !last.panels.empty() || last.dot >= 0 || term < 0) return;
    if (!stage_.is_update || !stage_.can_hold || stage_.statements > 1 || stage_.is_scalable)
      return;
    if (last.vector < 0 || last.vector == term || !last.in_registers || !is_free(term)) return;
    const bool has_rows = std::any_of(
        stage_.accesses.begin(), stage_.accesses.end(),
        [&](const VectorAccess& access) { return reads_rows_once(last, term, access); });
    if (!has_rows || stage_.loops[index(term)].extent < 2 * kRowsAtATime) return;
    VectorPlan rows = last;
    rows.early.clear();
    rows.blocked = term;
    rows.block = kRowsAtATime;
    rows.cycles = cycles_of(stage_, rows, caches_);
    if (rows.cycles < last.cycles) found_.back() = std::move(rows);
  }

  /// Whether no tile but one uses what vectors read of rows far apart, from beyond the caches.
  bool reads_rows_once(const VectorPlan& plan, int term, const VectorAccess& access) const {
    if (access.is_written || lane_step(plan, access) != 1) return false;
    const std::int64_t step = std::abs(access.steps[index(term)].value_or(0));
    return step * access.element_bytes >= kRowBytes && uses_of_strip(stage_, plan, access) == 1 &&
           bytes_of_all_tiles(stage_, plan, access) > caches_.far_bytes();
  }

  /// Whether a tile holds neighbours of one loop, whose copy is used often enough.
  bool may_lie_in_rows(const VectorPlan& plan, const VectorAccess& access) const {
    if (plan.dot >= 0 || plan.vector < 0 || !stage_.is_update || !plan.in_registers) return false;
    if (access.is_near || access.is_half || is_sized(access) || stage_.is_scalable) return false;
    if (writes_out_terms(plan) || !reads_many_rows(stage_, plan, access, caches_)) return false;
    if (uses_of_strip(stage_, plan, access) < 2) return false;
    int held = 0;
    for (const DimModel& dim : access.dims) {
      if (dim.terms.size() > 1) return false;
      for (const IndexTerm& term : dim.terms) {
        if (term.growth != 1 || !is_free(term.loop)) return false;
        held += !is_reduction(stage_, term.loop) && plan.held[index(term.loop)] > 1 ? 1 : 0;
      }
    }
    return held == 1;
  }

  /// The same tile in another order of the loops, in place of the last plan.
  void keep_order_if_better(VectorPlan plan) {
    plan.cycles = cycles_of(stage_, plan, caches_);
    const auto with_order = [&](const VectorPlan& one) {
      return one.cycles + order_cycles(stage_, one, caches_);
    };
    if (with_order(plan) >= with_order(found_.back())) return;
    plan.order_cycles = std::max(0.0, plan.cycles - found_.back().cycles);
    found_.back() = std::move(plan);
  }

  /// In place of the last plan.
  void keep_if_better(const VectorPlan& plan, std::vector<Panel> panels) {
    VectorPlan packed = plan;
    packed.panels = std::move(panels);
    packed.cycles = cycles_of(stage_, packed, caches_);
    if (packed.cycles < found_.back().cycles) found_.back() = std::move(packed);
  }

  /// The dimension of an array that moves by one with the lanes, where no other moves; -1: none.
  static int dimension_of_lanes(const VectorPlan& plan, const VectorAccess& access) {
    int out = -1;
    for (std::size_t d = 0; d < access.dims.size(); ++d) {
      for (const IndexTerm& term : access.dims[d].terms) {
        if (term.loop != plan.vector) continue;
        if (out >= 0 || term.growth != 1) return -1;
        out = static_cast<int>(d);
      }
    }
    return out;
  }

  const VectorStage& stage_;
  CacheModel caches_;
  bool may_ask_;  ///< whether code can ask for lines early
  std::vector<VectorPlan> found_;
};

}  // namespace

bool holds_in_lanes(const VectorStage& stage, const VectorPlan& plan) {
  return stage.is_scalable && stage.is_update && plan.in_registers && stage.can_hold &&
         plan.vector >= 0 && !is_reduction(stage, plan.vector) && !plan.in_blocks && plan.dot < 0;
}

bool stores_neighbours(const VectorStage& stage, const VectorPlan& plan) {
  return std::all_of(stage.accesses.begin(), stage.accesses.end(), [&](const VectorAccess& access) {
    return !access.is_written || lane_step(plan, access) == 1;
  });
}

std::vector<VectorPlan> plan_vectors(const VectorStage& stage, const Target& target, int count) {
  return Search(stage, target).run(count);
}

}  // namespace solway::memory_planner
