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
  Cell write;
  std::vector<Cell> reads;
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
  using Result = std::map<Cell, std::uint64_t>;

  Execution(const Program& program, const Order& order) : program_(program) {
    for (const auto& [name, array] : program.arrays) {
      array.extent.foreach_point([&, &n = name](const isl::point& p) {
        cells_.emplace(Cell{n, isl_ext::coordinates(p)}, 0);
      });
    }
    const isl::union_map time = time_of(program.ctx(), order, program.domains());
    for (const auto& [name, s] : program.statements) unroll(s, time);
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    find_parallel_loop(order);
  }

  bool has_transfers() const {
    return std::any_of(steps_.begin(), steps_.end(),
                       [](const auto& s) { return s.statement->is_transfer(); });
  }
  bool is_parallel() const { return !parallel_column_.empty(); }

  /// What the caller sees at the end; nullopt when an access leaves its array.
  std::optional<Result> run(Landing landing, Interleaving interleaving, std::mt19937& random) {
    memory_.clear();
    pending_.clear();
    for (const auto& [step, core] : interleaved(interleaving, random)) {
      if (!execute(*step, core, landing, random)) return std::nullopt;
    }
    Result out;
    for (const auto& [cell, unused] : cells_) {
      const Array& array = program_.array(cell.first);
      if (array.kind != ArrayKind::Tensor) continue;
      out.emplace(cell, load(cell, {}));
    }
    return out;
  }

 private:
  using Core = std::vector<std::int64_t>;  ///< the parallel iteration; empty outside of it

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
      parts = {time.intersect_domain(s.domain.to_union_set()).as_map(), s.write};
      for (const Operand& operand : s.reads) parts.push_back(operand.relation);
    }
    isl::map all = isl_ext::flat_range_product(instances.identity().flatten_range(), parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) all = isl_ext::flat_range_product(all, parts[k]);
    std::vector<std::size_t> cuts{
        static_cast<std::size_t>(isl_ext::dim_count(instances, isl_ext::Dim::Range))};
    for (const isl::map& part : parts) {
      cuts.push_back(cuts.back() +
                     static_cast<std::size_t>(isl_ext::dim_count(part, isl_ext::Dim::Range)));
    }
    all.range().foreach_point([&](const isl::point& point) {
      const std::vector<std::int64_t> flat = isl_ext::coordinates(point);
      const auto piece = [&](std::size_t k) {
        return std::vector<std::int64_t>(flat.begin() + static_cast<std::ptrdiff_t>(cuts[k]),
                                         flat.begin() + static_cast<std::ptrdiff_t>(cuts[k + 1]));
      };
      ExecutedStep step;
      step.statement = &s;
      step.iteration.assign(flat.begin(), flat.begin() + static_cast<std::ptrdiff_t>(cuts[0]));
      step.position_dims =
          static_cast<std::size_t>(isl_ext::dim_count(s.domain, isl_ext::Dim::Range));
      step.time = piece(0);
      for (std::size_t k = 1; k < parts.size(); ++k) {
        const Cell cell{isl_ext::tuple_name(parts[k], isl_ext::Dim::Range), piece(k)};
        k == 1 ? step.write = cell : (step.reads.push_back(cell), cell);
      }
      steps_.push_back(std::move(step));
    });
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

  /// The steps in one order that the parallel loop allows.
  std::vector<std::pair<const ExecutedStep*, Core>> interleaved(Interleaving how,
                                                                std::mt19937& random) const {
    std::vector<std::pair<const ExecutedStep*, Core>> out;
    const auto run_of = [](const Core& core) {
      return core.empty() ? core : Core(core.begin(), core.end() - 1);
    };
    for (std::size_t k = 0; k < steps_.size();) {
      const Core first = core_of(steps_[k]);
      if (first.empty()) {
        out.emplace_back(&steps_[k++], first);
        continue;
      }
      std::map<Core, std::vector<const ExecutedStep*>> by_core;
      std::vector<Core> turns;
      for (; k < steps_.size(); ++k) {
        const Core core = core_of(steps_[k]);
        if (core.empty() || run_of(core) != run_of(first)) break;
        by_core[core].push_back(&steps_[k]);
        turns.push_back(core);
      }
      if (how != Interleaving::Random) std::sort(turns.begin(), turns.end());
      if (how == Interleaving::Reversed) std::reverse(turns.begin(), turns.end());
      if (how == Interleaving::Random) std::shuffle(turns.begin(), turns.end(), random);
      std::map<Core, std::size_t> next;
      for (const Core& core : turns) out.emplace_back(by_core[core][next[core]++], core);
    }
    return out;
  }

  bool is_buffer(const Cell& cell) const {
    return program_.array(cell.first).kind == ArrayKind::Buffer;
  }

  static std::uint64_t hash(const std::string& text) {
    std::uint64_t out = 1469598103934665603ULL;
    for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return out ^ (out >> 29);
  }

  static std::string text_of(const std::vector<std::int64_t>& values) {
    std::string out;
    for (const std::int64_t v : values) out += "," + std::to_string(v);
    return out;
  }

  std::pair<Cell, Core> place(const Cell& cell, const Core& core) const {
    return {cell, is_buffer(cell) ? core : Core{}};
  }

  std::uint64_t load(const Cell& cell, const Core& core) const {
    const auto at = memory_.find(place(cell, core));
    if (at != memory_.end()) return at->second;
    const std::string poison = is_buffer(cell) ? "poison" + text_of(core) : "start";
    return hash(poison + cell.first + text_of(cell.second));
  }

  bool execute(const ExecutedStep& step, const Core& core, Landing& landing, std::mt19937& random) {
    const Statement& s = *step.statement;
    if (cells_.count(step.write) == 0) return false;
    for (const Cell& cell : step.reads) {
      if (cells_.count(cell) == 0) return false;
    }
    if (s.is_transfer()) return transfer(step, core, landing, random);
    std::vector<std::uint64_t> values;
    for (const Cell& cell : step.reads) values.push_back(load(cell, core));
    std::string term = s.name + text_of(step.iteration);
    const bool sum = s.kind == StatementKind::Update && s.group;
    for (std::size_t k = sum ? 1 : 0; k < values.size(); ++k) {
      term += ":" + std::to_string(values[k]);
    }
    std::uint64_t value = hash(term);
    if (s.kind == StatementKind::Init) value = 0;
    if (sum) value += values[0];
    memory_[place(step.write, core)] = value;
    return true;
  }

  bool transfer(const ExecutedStep& step, const Core& core, Landing& landing,
                std::mt19937& random) {
    const Landing::Choice choice = landing.choose(step, random);
    const bool early_read = choice != Landing::Choice::LateBoth;
    const bool early_write = choice == Landing::Choice::EarlyBoth;
    const bool issue = step.statement->kind == StatementKind::Issue;
    const auto key = std::pair(step.statement->copy->transfer, step.iteration);
    if (issue == early_read) pending_[key] = load(step.reads[0], core);
    if (issue != early_write) return true;
    const auto value = pending_.find(key);
    if (value == pending_.end()) return false;
    memory_[place(step.write, core)] = value->second;
    return true;
  }

  const Program& program_;
  std::map<Cell, int> cells_;
  std::vector<ExecutedStep> steps_;
  std::map<std::string, std::size_t> parallel_column_;
  std::map<std::pair<Cell, Core>, std::uint64_t> memory_;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::uint64_t> pending_;
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
