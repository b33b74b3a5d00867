#include "codegen/athread/assembly/modulo_schedule.h"

#include <algorithm>

#include "codegen/athread/assembly/dependences.h"
#include "support/error.h"

namespace solway::codegen::assembly {
namespace {

constexpr int kUnplaced = -1;
constexpr int kStages = 2;
/// Placements that are tried, per instruction, before an interval is given up.
constexpr int kTries = 40;

/// Whether `a` writes what `b` reads: in one cycle `b` stands first.
bool overwrites(const Instruction& a, const Instruction& b) {
  return a.writes && std::find(b.reads.begin(), b.reads.end(), *a.writes) != b.reads.end();
}

/// Which instructions are issued in each cycle of the interval.
class Reservations {
 public:
  explicit Reservations(int interval) : slots_(static_cast<std::size_t>(interval)) {}

  void put(int slot, std::size_t k) { at(slot).push_back(k); }
  void remove(int slot, std::size_t k) { std::erase(at(slot), k); }
  const std::vector<std::size_t>& in(int slot) const {
    return slots_[static_cast<std::size_t>(slot)];
  }

 private:
  std::vector<std::size_t>& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }

  std::vector<std::vector<std::size_t>> slots_;
};

class Scheduler {
 public:
  Scheduler(const std::vector<Instruction>& body, const Latencies& latencies, int interval,
            LoopKind kind)
      : body_(body),
        has_end_(kind == LoopKind::Plain),
        edges_(loop_dependences(body, latencies)),
        interval_(interval),
        reserved_(interval),
        cycle_(body.size(), kUnplaced),
        last_(body.size(), kUnplaced) {}

  std::optional<ModuloSchedule> run() {
    if (!find_heights()) return std::nullopt;
    int tries = kTries * static_cast<int>(body_.size());
    while (const auto k = next()) {
      if (tries-- == 0 || !place(*k)) return std::nullopt;
    }
    if (!has_room_for_count()) return std::nullopt;
    return ModuloSchedule{interval_, cycle_};
  }

 private:
  int weight(const Dependence& edge) const { return edge.cycles - interval_ * edge.distance; }

  /// The longest chains behind each instruction; false: one goes round and grows.
  bool find_heights() {
    height_.assign(body_.size(), 0);
    for (std::size_t round = 0; round <= body_.size(); ++round) {
      bool changed = false;
      for (const Dependence& edge : edges_) {
        const int height = height_[edge.to] + weight(edge);
        if (height <= height_[edge.from]) continue;
        height_[edge.from] = height;
        changed = true;
      }
      if (!changed) return true;
    }
    return false;
  }

  /// The highest that is not placed; of equals the first.
  std::optional<std::size_t> next() const {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < body_.size(); ++k) {
      if (cycle_[k] == kUnplaced && (!best || height_[k] > height_[*best])) best = k;
    }
    return best;
  }

  /// The first cycle that is too late for `k`.
  int end_of(std::size_t k) const {
    const bool is_of_addresses = !body_[k].memory.empty() || body_[k].opcode == Opcode::Ldi;
    return !has_end_ && is_of_addresses ? interval_ : kStages * interval_;
  }

  int earliest(std::size_t k) const {
    int cycle = 0;
    for (const Dependence& edge : edges_) {
      if (edge.to != k || cycle_[edge.from] == kUnplaced) continue;
      cycle = std::max(cycle, cycle_[edge.from] + weight(edge));
    }
    return cycle;
  }
  int latest(std::size_t k) const {
    int cycle = end_of(k) - 1;
    for (const Dependence& edge : edges_) {
      if (edge.from != k || edge.to == k || cycle_[edge.to] == kUnplaced) continue;
      cycle = std::min(cycle, cycle_[edge.to] - weight(edge));
    }
    return cycle;
  }

  /// Where it fits beside what is placed, else where only others have to give way.
  bool place(std::size_t k) {
    const int begin = earliest(k);
    const int end = end_of(k);
    if (begin >= end) return false;
    const int last = std::min({latest(k), begin + interval_ - 1, end - 1});
    for (int cycle = begin; cycle <= last; ++cycle) {
      if (fits(k, cycle % interval_)) return put(k, cycle);
    }
    int cycle = std::max(begin, last_[k] + 1);
    if (is_of_branch(k, cycle % interval_)) ++cycle;
    if (cycle >= end) cycle = begin;
    if (is_of_branch(k, cycle % interval_) && ++cycle >= end) return false;
    make_room(k, cycle % interval_);
    put(k, cycle);
    for (const Dependence& edge : edges_) {
      const bool is_own = edge.from == k || edge.to == k;
      if (!is_own || edge.from == edge.to) continue;
      if (cycle_[edge.from] == kUnplaced || cycle_[edge.to] == kUnplaced) continue;
      if (cycle_[edge.from] + weight(edge) > cycle_[edge.to]) {
        take_back(edge.from == k ? edge.to : edge.from);
      }
    }
    return true;
  }

  /// Whether the branch is in a slot.
  bool is_end(int slot) const { return has_end_ && slot == interval_ - 1; }

  /// Whether the branch alone keeps `k` out of a slot.
  bool is_of_branch(std::size_t k, int slot) const {
    return is_end(slot) && pipe_of(body_[k].opcode) == Pipe::One;
  }

  /// Whether the pipes take `k` beside the others of a slot, in one order or the other.
  bool fits(std::size_t k, int slot) const {
    int zero = 0, one = is_end(slot) ? 1 : 0;
    int all = one;
    const auto count = [&](std::size_t other) {
      const Pipe pipe = pipe_of(body_[other].opcode);
      zero += pipe == Pipe::Zero ? 1 : 0;
      one += pipe == Pipe::One ? 1 : 0;
      ++all;
    };
    for (const std::size_t other : reserved_.in(slot)) {
      count(other);
      if (overwrites(body_[k], body_[other]) && overwrites(body_[other], body_[k])) return false;
    }
    count(k);
    return zero <= 1 && one <= 1 && all <= 2;
  }

  void make_room(std::size_t k, int slot) {
    while (!fits(k, slot) && !reserved_.in(slot).empty()) take_back(reserved_.in(slot).front());
  }

  bool put(std::size_t k, int cycle) {
    cycle_[k] = last_[k] = cycle;
    reserved_.put(cycle % interval_, k);
    return true;
  }
  void take_back(std::size_t k) {
    reserved_.remove(cycle_[k] % interval_, k);
    cycle_[k] = kUnplaced;
  }

  /// A free issue slot ahead of the branch.
  bool has_room_for_count() const {
    if (!has_end_) return true;
    for (int slot = 0; slot + 1 < interval_; ++slot) {
      if (reserved_.in(slot).size() < 2) return true;
    }
    return false;
  }

  const std::vector<Instruction>& body_;
  bool has_end_;
  std::vector<Dependence> edges_;
  int interval_;
  Reservations reserved_;
  std::vector<int> cycle_;
  std::vector<int> last_;  ///< where it was put last
  std::vector<int> height_;
};

}  // namespace

int least_interval(const std::vector<Instruction>& body, const Latencies& latencies,
                   LoopKind kind) {
  const bool has_end = kind == LoopKind::Plain;
  int zero = 0, one = has_end ? 1 : 0, all = has_end ? 2 : 0;  // the branch and the count
  for (const Instruction& instruction : body) {
    const Pipe pipe = pipe_of(instruction.opcode);
    zero += pipe == Pipe::Zero ? 1 : 0;
    one += pipe == Pipe::One ? 1 : 0;
    ++all;
  }
  int least = std::max({zero, one, (all + 1) / 2, 2});
  for (const Dependence& edge : loop_dependences(body, latencies)) {
    if (edge.from == edge.to && edge.distance == 1) least = std::max(least, edge.cycles);
  }
  return least;
}

std::optional<ModuloSchedule> try_modulo_schedule(const std::vector<Instruction>& body,
                                                  const Latencies& latencies, int interval,
                                                  LoopKind kind) {
  return Scheduler(body, latencies, interval, kind).run();
}

ModuloSchedule modulo_schedule(const std::vector<Instruction>& body, const Latencies& latencies,
                               LoopKind kind) {
  // One iteration after the other fits into the sum of all latencies.
  int most = 2;
  for (const Instruction& one : body) most += latency_of(one.opcode, latencies) + 1;
  for (int interval = least_interval(body, latencies, kind); interval <= most; ++interval) {
    if (auto found = try_modulo_schedule(body, latencies, interval, kind)) return *found;
  }
  throw InternalError({{},
                       "no modulo schedule was found",
                       "a body of " + std::to_string(body.size()) + " instructions",
                       ""});
}

}  // namespace solway::codegen::assembly
