#include "schedule/section.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "schedule/proof.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using Names = std::set<std::string>;

std::string range_name(const isl::map& map) {
  return isl_ext::tuple_name(map, isl_ext::Dim::Range);
}

/// Where something is found among the nests, in textual order.
struct Extent {
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::size_t last = 0;

  void add(std::size_t nest) {
    first = std::min(first, nest);
    last = std::max(last, nest);
  }
};

Names arrays_of(const Statement& s) {
  Names out;
  for (const Write& write : s.writes) out.insert(range_name(write.relation));
  for (const Operand& operand : s.reads) out.insert(range_name(operand.relation));
  return out;
}

/// Whether two statements access one array that one of them writes.
bool is_conflict(const Statement& a, const Statement& b) {
  const auto writes_for = [](const Statement& writer, const Statement& other) {
    return std::any_of(writer.writes.begin(), writer.writes.end(), [&](const Write& write) {
      const std::string array = range_name(write.relation);
      return other.reads_from(array) || other.writes_to(array);
    });
  };
  return writes_for(a, b) || writes_for(b, a);
}

/// The statements as written of which `s` computes instances.
Names origins_of(const Statement& s) {
  Names out;
  if (s.is_transfer()) return out;
  if (!s.origin) out.insert(s.name);
  if (s.origin && !s.origin->is_empty()) out.insert(range_name(*s.origin));
  for (const Inlined& value : s.inlined) out.insert(range_name(value.origin));
  return out;
}

class Cutter {
 public:
  explicit Cutter(const State& state)
      : state_(state), program_(state.program), original_(compared_with(state)) {
    if (original_ != state.original) count_copies();
    number_stages();
    find_nests();
  }

  std::vector<State> run() const {
    std::vector<State> out;
    std::size_t begin = 0;
    const std::vector<std::size_t> ends = cuts();
    for (const std::size_t end : ends) {
      out.push_back(section(begin, end));
      begin = end;
    }
    return out;
  }

 private:
  const Program& program() const { return *program_; }
  const Program& original() const { return *original_; }

  /// Copies into other layouts are as good as written here: both programs have them. One whose
  /// instances are others now, as each tile of its reader makes it anew, passes on what it copies,
  /// in both. Where one is gone, the program as written has to do.
  void count_copies() {
    auto program = std::make_shared<Program>(*program_);
    auto original = std::make_shared<Program>(*original_);
    for (auto& [name, s] : original->statements) {
      if (!s.is_layout_copy()) continue;
      const auto now = program->statements.find(name);
      if (now == program->statements.end() || !now->second.is_layout_copy()) {
        original_ = state_.original;
        changed_copies_.clear();
        return;
      }
      if (!now->second.domain.is_equal(s.domain)) {
        changed_copies_.insert(name);
        continue;
      }
      s.origin.reset();
      now->second.origin.reset();
    }
    program_ = std::move(program);
    original_ = std::move(original);
  }

  void number_stages() {
    for (std::size_t k = 0; k < original().stages.size(); ++k) {
      stage_number_[original().stages[k]->name] = k;
    }
  }

  void find_nests() {
    for (std::size_t k = 0; k < state_.order.placements.size(); ++k) {
      const Placement& p = state_.order.placements[k];
      const bool is_new = k == 0 || p.path.empty() || state_.order.placements[k - 1].path.empty() ||
                          state_.order.placements[k - 1].path[0] != p.path[0];
      if (is_new) nests_.emplace_back();
      nests_.back().push_back(p.statement);
      add(program().statement(p.statement), nests_.size() - 1);
    }
  }

  void add(const Statement& s, std::size_t nest) {
    for (const std::string& name : origins_of(s)) written_[name].add(nest);
    if (changed_copies_.count(s.name) != 0) written_[s.name].add(nest);
    for (const std::string& array : arrays_of(s)) {
      if (original().arrays.count(array) == 0) together_["array " + array].add(nest);
    }
    if (s.group) together_["group " + range_name(*s.group)].add(nest);
  }

  /// Where sections end, the last nest included.
  std::vector<std::size_t> cuts() const {
    const std::vector<std::size_t> whole{nests_.size()};
    std::map<std::string, std::size_t> stage_of;
    for (const auto& [name, s] : original().statements) {
      const auto stage = stage_number_.find(s.stage);
      if (stage == stage_number_.end() || written_.count(name) == 0) return whole;
      stage_of[name] = stage->second;
    }
    std::vector<std::size_t> out;
    for (std::size_t at = 1; at < nests_.size(); ++at) {
      if (may_cut(at, stage_of)) out.push_back(at);
    }
    out.push_back(nests_.size());
    return out;
  }

  bool may_cut(std::size_t at, const std::map<std::string, std::size_t>& stage_of) const {
    const auto straddles = [&](const Extent& e) { return e.first < at && e.last >= at; };
    for (const auto& [name, extent] : together_) {
      if (straddles(extent)) return false;
    }
    std::vector<const Statement*> before, after;
    for (const auto& [name, stage] : stage_of) {
      const Extent& extent = written_.at(name);
      if (straddles(extent)) return false;
      (extent.first < at ? before : after).push_back(&original().statement(name));
    }
    // As written, what is in one part may run between what is in the other, if that is the same.
    const auto may_swap = [&](const Statement* one, const Statement* other) {
      const std::size_t stage = stage_of.at(one->name), next = stage_of.at(other->name);
      return stage < next || (stage > next && !is_conflict(*one, *other));
    };
    const bool is_apart = std::all_of(before.begin(), before.end(), [&](const Statement* one) {
      return std::all_of(after.begin(), after.end(),
                         [&](const Statement* other) { return may_swap(one, other); });
    });
    return is_apart && !before.empty() && !after.empty();
  }

  State section(std::size_t begin, std::size_t end) const {
    Names present, written, arrays, changed;
    for (std::size_t k = begin; k < end; ++k) present.insert(nests_[k].begin(), nests_[k].end());
    const bool is_whole = begin == 0 && end == nests_.size();
    for (const auto& [name, s] : original().statements) {
      const auto extent = written_.find(name);
      const bool is_here =
          extent != written_.end() && extent->second.first >= begin && extent->second.first < end;
      if (is_whole || is_here) written.insert(name);
    }
    Names elsewhere;
    const auto collect = [&](const Program& program, const Names& own) {
      for (const auto& [name, s] : program.statements) {
        const bool is_here = own.count(name) != 0;
        (is_here ? arrays : elsewhere).merge(arrays_of(s));
        for (const Write& write : s.writes) {
          if (is_here) changed.insert(range_name(write.relation));
        }
      }
    };
    collect(program(), present);
    collect(original(), written);
    Names seen;
    for (const std::string& name : changed) {
      const auto array = program().arrays.find(name);
      if (array == program().arrays.end()) continue;
      const bool is_seen = elsewhere.count(name) != 0 || program().is_input(array->second) ||
                           program().is_output(array->second);
      if (is_seen) seen.insert(name);
    }
    State out = state_;
    out.log.clear();
    out.proved.reset();
    out.program = part_of(program(), present, arrays, seen);
    out.original = part_of(original(), written, arrays, seen);
    keep(out.order, present);
    return out;
  }

  static std::shared_ptr<const Program> part_of(const Program& program, const Names& statements,
                                                const Names& arrays, const Names& seen) {
    auto out = std::make_shared<Program>(program);
    std::erase_if(out->statements, [&](const auto& s) { return statements.count(s.first) == 0; });
    std::erase_if(out->arrays, [&](const auto& a) { return arrays.count(a.first) == 0; });
    std::erase_if(out->buffers, [&](const auto& b) { return arrays.count(b.first) == 0; });
    out->seen = seen;
    isl::union_set domains = isl::union_set::empty(program.ctx());
    for (const auto& [name, s] : out->statements) {
      domains = domains.unite(isl::set::universe(s.domain.space()).to_union_set());
    }
    out->reference = out->reference.intersect_domain(domains);
    return out;
  }

  static void keep(Order& order, const Names& statements) {
    std::erase_if(order.placements,
                  [&](const Placement& p) { return statements.count(p.statement) == 0; });
    std::set<LoopId> loops;
    for (const Placement& p : order.placements) loops.insert(p.path.begin(), p.path.end());
    std::erase_if(order.loops, [&](const auto& loop) { return loops.count(loop.first) == 0; });
    for (auto& [id, loop] : order.loops) {
      std::erase_if(loop.value, [&](const auto& v) { return statements.count(v.first) == 0; });
    }
  }

  const State& state_;
  std::shared_ptr<const Program> program_;
  std::shared_ptr<const Program> original_;  ///< what it is compared with
  Names changed_copies_;                     ///< layout copies whose instances are others now
  std::map<std::string, std::size_t> stage_number_;
  std::vector<std::vector<std::string>> nests_;  ///< statements of each
  std::map<std::string, Extent> written_;        ///< by statement as written
  std::map<std::string, Extent> together_;       ///< what no cut may divide
};

}  // namespace

std::vector<State> sections_of(const State& state) { return Cutter(state).run(); }

}  // namespace solway::schedule
