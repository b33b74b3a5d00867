#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schedule/state.h"
#include "support/isl_ext.h"

/// Runs schedules instance by instance and compares what they compute; knows no dependences.
///
/// Values are hashes of what was computed from what, sums of reductions sums of hashes. A transfer
/// reads its source and writes its destination at its issue or at its complete. Iterations of
/// parallel loops interleave, each with buffers of its own.
namespace solway::schedule::testing {

using Cell = std::pair<std::string, std::vector<std::int64_t>>;

/// One instance; of a transfer: of one element.
struct ExecutedStep {
  const Statement* statement = nullptr;
  std::vector<std::int64_t> iteration;  ///< of a transfer: position, then element
  std::size_t position_dims = 0;
  std::vector<std::int64_t> time;
  std::vector<std::int64_t> core;  ///< the iteration of a parallel loop; empty outside of it
  std::size_t core_number = 0;
  int write = -1;  ///< numbers of cells; -1: outside of the array
  std::vector<int> reads;
  /// Hashes of the instances that it computes: its own, then those inside its expression.
  std::vector<std::uint64_t> names;
  std::size_t in_flight = 0;  ///< what the issue and the complete of one element share
};

/// When transfers read their source and write their destination.
struct Landing {
  enum class Choice : std::uint8_t { EarlyBoth, EarlyRead, LateBoth };
  enum class Mode : std::uint8_t {
    EarlyBoth,
    EarlyRead,
    LateBoth,
    EvenEarly,
    OddEarly,
    EvenMiddle,
    OddMiddle,
    Random,
    RandomPerElement
  };
  static constexpr int kModes = 9;

  Mode mode = Mode::EarlyBoth;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, Choice> made = {};

  Choice choose(const ExecutedStep& step, std::mt19937& random) {
    std::vector<std::int64_t> key = step.iteration;
    if (mode != Mode::RandomPerElement) key.resize(step.position_dims);
    const bool odd = !key.empty() && key.back() % 2 != 0;
    switch (mode) {
      case Mode::EarlyBoth:
        return Choice::EarlyBoth;
      case Mode::EarlyRead:
        return Choice::EarlyRead;
      case Mode::LateBoth:
        return Choice::LateBoth;
      case Mode::EvenEarly:
        return odd ? Choice::LateBoth : Choice::EarlyBoth;
      case Mode::OddEarly:
        return odd ? Choice::EarlyBoth : Choice::LateBoth;
      case Mode::EvenMiddle:
        return odd ? Choice::EarlyRead : Choice::EarlyBoth;
      case Mode::OddMiddle:
        return odd ? Choice::EarlyBoth : Choice::EarlyRead;
      case Mode::Random:
      case Mode::RandomPerElement:
        break;
    }
    const auto chosen = static_cast<Choice>(random() % 3);
    return made.emplace(std::pair(step.statement->copy->transfer, key), chosen).first->second;
  }
};

/// How the iterations of a parallel loop interleave.
enum class Interleaving : std::uint8_t { InOrder, Reversed, Random };

/// A schedule as a list of instances.
class Execution {
 public:
  using Result = std::vector<std::uint64_t>;

  Execution(const Program& program, const Order& order) : program_(program) {
    for (const auto& [name, array] : program.arrays) add_cells(array);
    find_parallel_loop(order);
    const isl::union_map time = time_of(program.ctx(), order, program.domains());
    for (const auto& [name, s] : program.statements) unroll(s, time);
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    number_cores();
  }

  bool has_transfers() const { return !flights_.empty(); }
  bool is_parallel() const { return !parallel_column_.empty(); }

  /// What the caller sees at the end; nullopt when an access leaves its array.
  std::optional<Result> run(Landing landing, Interleaving interleaving, std::mt19937& random) {
    memory_.clear();
    for (std::size_t core = 0; core < cores_; ++core) {
      for (const CellInfo& cell : cells_) {
        memory_.push_back(cell.kind == ArrayKind::Buffer ? mix(cell.name, core) : cell.name);
      }
    }
    pending_.assign(flights_.size(), std::nullopt);
    for (const ExecutedStep* step : interleaved(interleaving, random)) {
      if (!execute(*step, landing, random)) return std::nullopt;
    }
    Result out;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      if (cells_[k].is_visible) out.push_back(memory_[k]);
    }
    return out;
  }

 private:
  using Core = std::vector<std::int64_t>;

  struct CellInfo {
    ArrayKind kind;
    bool is_visible;  ///< to the caller
    std::uint64_t name;
  };

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t out =
        (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9ULL;
    return out ^ (out >> 31);
  }

  static std::uint64_t hash(const std::string& name, const std::vector<std::int64_t>& values) {
    std::uint64_t out = 1469598103934665603ULL;
    for (const char c : name) out = mix(out, static_cast<unsigned char>(c));
    for (const std::int64_t v : values) out = mix(out, static_cast<std::uint64_t>(v));
    return out;
  }

  void add_cells(const Array& array) {
    const bool is_visible = array.kind == ArrayKind::Tensor &&
                            (array.tensor->is_placeholder() || program_.is_output(array));
    array.extent.foreach_point([&](const isl::point& p) {
      const Cell cell{array.name, isl_ext::coordinates(p)};
      numbers_.emplace(cell, static_cast<int>(cells_.size()));
      cells_.push_back({array.kind, is_visible, hash(cell.first, cell.second)});
    });
  }

  void unroll(const Statement& s, const isl::union_map& time) {
    if (s.domain.is_empty() || (s.copy && s.copy->elements.is_empty())) return;
    std::vector<isl::map> parts;
    const isl::set instances = s.copy ? s.copy->elements.wrap() : s.domain;
    if (s.copy) {
      const bool get = s.copy->direction == CopyDirection::Get;
      const isl::map far = s.copy->elements.range_map().as_map();
      parts = {s.copy->elements.domain_map().apply_range(time).as_map(),
               get ? s.copy->storage : far, get ? far : s.copy->storage};
    } else {
      parts = {time.intersect_domain(s.domain.to_union_set()).as_map(), s.writes[0].relation};
      for (const Operand& operand : s.reads) parts.push_back(operand.relation);
      if (s.origin && !s.origin->is_empty()) parts.push_back(*s.origin);
      for (const Inlined& value : s.inlined) parts.push_back(value.origin);
    }
    isl::map all = instances.identity().flatten_range();
    std::vector<std::size_t> cuts{width(all)};
    for (const isl::map& part : parts) {
      all = isl_ext::flat_range_product(all, part);
      cuts.push_back(width(all));
    }
    all.range().foreach_point([&](const isl::point& point) {
      const std::vector<std::int64_t> flat = isl_ext::coordinates(point);
      const auto piece = [&](std::size_t begin, std::size_t end) {
        return std::vector<std::int64_t>(flat.begin() + static_cast<std::ptrdiff_t>(begin),
                                         flat.begin() + static_cast<std::ptrdiff_t>(end));
      };
      ExecutedStep step;
      step.statement = &s;
      step.iteration = piece(0, cuts[0]);
      step.position_dims =
          static_cast<std::size_t>(isl_ext::dim_count(s.domain, isl_ext::Dim::Range));
      step.time = piece(cuts[0], cuts[1]);
      step.write = number_of(parts[1], piece(cuts[1], cuts[2]));
      for (std::size_t k = 2; k < s.reads.size() + 2; ++k) {
        step.reads.push_back(number_of(parts[k], piece(cuts[k], cuts[k + 1])));
      }
      if (!s.origin || s.origin->is_empty()) step.names.push_back(hash(s.name, step.iteration));
      for (std::size_t k = s.reads.size() + 2; k < parts.size(); ++k) {
        step.names.push_back(
            hash(isl_ext::tuple_name(parts[k], isl_ext::Dim::Range), piece(cuts[k], cuts[k + 1])));
      }
      if (s.copy) {
        step.in_flight =
            flights_.emplace(std::pair(s.copy->transfer, step.iteration), flights_.size())
                .first->second;
      }
      step.core = core_of(step);
      steps_.push_back(std::move(step));
    });
  }

  static std::size_t width(const isl::map& map) {
    return static_cast<std::size_t>(isl_ext::dim_count(map, isl_ext::Dim::Range));
  }

  int number_of(const isl::map& access, const std::vector<std::int64_t>& element) const {
    const auto at = numbers_.find({isl_ext::tuple_name(access, isl_ext::Dim::Range), element});
    return at == numbers_.end() ? -1 : at->second;
  }

  /// Per statement under the parallel loop, the column of its value in time.
  void find_parallel_loop(const Order& order) {
    for (const auto& [id, loop] : order.loops) {
      if (loop.mark != LoopMark::Parallel) continue;
      for (const Placement& p : order.placements) {
        const auto at = std::find(p.path.begin(), p.path.end(), id);
        if (at == p.path.end()) continue;
        parallel_column_[p.statement] = static_cast<std::size_t>(2 * (at - p.path.begin()) + 1);
      }
    }
  }

  Core core_of(const ExecutedStep& step) const {
    const auto column = parallel_column_.find(step.statement->name);
    if (column == parallel_column_.end()) return {};
    return {step.time.begin(), step.time.begin() + static_cast<std::ptrdiff_t>(column->second) + 1};
  }

  void number_cores() {
    std::map<Core, std::size_t> known{{{}, 0}};
    for (ExecutedStep& step : steps_) {
      step.core_number = known.emplace(step.core, known.size()).first->second;
    }
    cores_ = known.size();
  }

  /// The steps in one order that the parallel loop allows.
  std::vector<const ExecutedStep*> interleaved(Interleaving how, std::mt19937& random) const {
    std::vector<const ExecutedStep*> out;
    const auto run_of = [](const Core& core) {
      return core.empty() ? core : Core(core.begin(), core.end() - 1);
    };
    for (std::size_t k = 0; k < steps_.size();) {
      const Core& first = steps_[k].core;
      if (first.empty()) {
        out.push_back(&steps_[k++]);
        continue;
      }
      std::map<Core, std::vector<const ExecutedStep*>> by_core;
      std::vector<Core> turns;
      for (; k < steps_.size(); ++k) {
        const Core& core = steps_[k].core;
        if (core.empty() || run_of(core) != run_of(first)) break;
        by_core[core].push_back(&steps_[k]);
        turns.push_back(core);
      }
      if (how != Interleaving::Random) std::sort(turns.begin(), turns.end());
      if (how == Interleaving::Reversed) std::reverse(turns.begin(), turns.end());
      if (how == Interleaving::Random) std::shuffle(turns.begin(), turns.end(), random);
      std::map<Core, std::size_t> next;
      for (const Core& core : turns) out.push_back(by_core[core][next[core]++]);
    }
    return out;
  }

  /// The memory of a cell: each core has its own buffers.
  std::uint64_t& at(int cell, const ExecutedStep& step) {
    const auto number = static_cast<std::size_t>(cell);
    const bool own = cells_[number].kind == ArrayKind::Buffer;
    return memory_[number + (own ? step.core_number * cells_.size() : 0)];
  }

  bool execute(const ExecutedStep& step, Landing& landing, std::mt19937& random) {
    const Statement& s = *step.statement;
    if (step.write < 0) return false;
    if (std::count(step.reads.begin(), step.reads.end(), -1) != 0) return false;
    if (s.is_transfer()) return transfer(step, landing, random);
    if (s.is_layout_copy()) {
      at(step.write, step) = at(step.reads[0], step);
      return true;
    }
    const bool sum = s.kind == StatementKind::Update && s.group;
    std::uint64_t value = s.is_merge() ? at(step.reads[1], step) : value_of(step, 0, sum ? 1 : 0);
    if (s.kind == StatementKind::Init) value = 0;
    if (sum) value += at(step.reads[0], step);
    at(step.write, step) = value;
    return true;
  }

  /// The hash of what an instance computes from its operands from number `first` on, as they were
  /// written; what is computed inside its expression has hashes of its own.
  std::uint64_t value_of(const ExecutedStep& step, std::size_t owner, std::size_t first) {
    const Statement& s = *step.statement;
    std::map<std::size_t, std::uint64_t> operands;
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      const std::size_t place = s.reads[k].place.value_or(k);
      if (s.reads[k].owner == owner && place >= first) operands[place] = at(step.reads[k], step);
    }
    for (std::size_t k = 0; k < s.inlined.size(); ++k) {
      if (s.inlined[k].owner == owner) operands[s.inlined[k].place] = value_of(step, k + 1, 0);
    }
    std::uint64_t out = step.names[owner];
    for (const auto& [place, operand] : operands) out = mix(out, operand);
    return out;
  }

  bool transfer(const ExecutedStep& step, Landing& landing, std::mt19937& random) {
    const Landing::Choice choice = landing.choose(step, random);
    const bool early_read = choice != Landing::Choice::LateBoth;
    const bool early_write = choice == Landing::Choice::EarlyBoth;
    const bool issue = step.statement->kind == StatementKind::Issue;
    std::optional<std::uint64_t>& value = pending_[step.in_flight];
    if (issue == early_read) value = at(step.reads[0], step);
    if (issue != early_write) return true;
    if (!value) return false;
    at(step.write, step) = *value;
    return true;
  }

  const Program& program_;
  std::map<Cell, int> numbers_;
  std::vector<CellInfo> cells_;
  std::vector<ExecutedStep> steps_;
  std::map<std::string, std::size_t> parallel_column_;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> flights_;
  std::size_t cores_ = 1;
  std::vector<std::uint64_t> memory_;  ///< per core, per cell; core 0 has main memory
  std::vector<std::optional<std::uint64_t>> pending_;
};

/// Whether every run that was tried computes `expected`.
inline bool runs_right(const Program& program, const Order& order,
                       const Execution::Result& expected, std::mt19937& random) {
  Execution execution(program, order);
  const int modes = execution.has_transfers() ? Landing::kModes : 1;
  std::vector<Interleaving> ways{Interleaving::InOrder};
  if (execution.is_parallel()) {
    ways.insert(ways.end(), {Interleaving::Reversed, Interleaving::Random, Interleaving::Random});
  }
  for (int mode = 0; mode < modes; ++mode) {
    for (const Interleaving way : ways) {
      const auto got = execution.run({static_cast<Landing::Mode>(mode)}, way, random);
      if (!got || *got != expected) return false;
    }
  }
  return true;
}

}  // namespace solway::schedule::testing
