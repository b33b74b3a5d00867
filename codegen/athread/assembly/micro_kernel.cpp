#include "codegen/athread/assembly/micro_kernel.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "codegen/athread/assembly/list_scheduler.h"
#include "codegen/athread/assembly/pipelined_loop.h"
#include "codegen/athread/assembly/unrolled_rounds.h"
#include "support/error.h"

namespace solway::codegen::assembly {
namespace {

// Arguments, where they come, and what lies there later.
constexpr Register kC = 16;        ///< of the tile
constexpr Register kA = 17;        ///< of the next step
constexpr Register kB = 18;        ///< of the next step
constexpr Register kSteps = 19;    ///< rounds that are left
constexpr Register kColumns = 20;  ///< tiles of the row that are left
constexpr Register kBColumn = 21;  ///< B of the tile's first step

/// Of a caller's registers the core's rules let a function change others.
constexpr std::array<Register, 9> kKept = {9, 10, 11, 12, 13, 14, 15, 26, 29};

// The frame, by bytes from the stack pointer.
constexpr std::int64_t kFrameA = 0;         ///< A of the tile's rows
constexpr std::int64_t kFrameB = 8;         ///< the argument
constexpr std::int64_t kFrameSteps = 16;    ///< the argument
constexpr std::int64_t kFrameRows = 24;     ///< rows of tiles that are left
constexpr std::int64_t kFrameColumns = 32;  ///< kColumns, which counts rounds while a tile has some
constexpr std::int64_t kFrameOuter = 40;    ///< rounds around these that are left
constexpr std::int64_t kFrameRoundA = 48;   ///< A of the round's first step
constexpr std::int64_t kFrameRoundB = 56;
constexpr std::int64_t kFrameKept = 64;

Instruction load_frame(Register reg, std::int64_t at) {
  return {Opcode::Ldl, reg, {kStackPointer}, at, {}, "frame" + std::to_string(at)};
}
Instruction store_frame(Register reg, std::int64_t at) {
  return {Opcode::Stl, {}, {reg, kStackPointer}, at, {}, "frame" + std::to_string(at)};
}
Instruction add(Register reg, std::int64_t number) {
  return {Opcode::Ldi, reg, {reg}, number, {}, {}};
}
Instruction set(Register reg, std::int64_t number) {
  return {Opcode::Ldi, reg, {kZero}, number, {}, {}};
}
Instruction move(Register from, Register to) { return {Opcode::Mov, to, {from}, 0, {}, {}}; }
Instruction count_down(Register reg) { return {Opcode::Subw, reg, {reg}, 1, {}, {}}; }

/// What tiles may hold.
std::vector<Register> tile_registers() {
  std::vector<Register> out;
  for (Register reg = 0; reg < kStackPointer; ++reg) {
    if (reg < kC || reg > kBColumn) out.push_back(reg);
  }
  return out;
}

class MicroKernel {
 public:
  MicroKernel(std::string name, const Product& product, const Latencies& latencies)
      : name_(std::move(name)),
        product_(product),
        latencies_(latencies),
        rounds_(unroll_rounds(product)) {}

  std::string text() {
    write_rows();
    std::string body = std::exchange(text_, "");
    std::vector<Register> kept;
    for (const Register reg : kKept) {
      if (written_.count(reg) != 0) kept.push_back(reg);
    }
    constexpr std::int64_t kFrameUnit = 32;
    const auto bytes = kFrameKept + 8 * static_cast<std::int64_t>(kept.size());
    const std::int64_t frame = (bytes + kFrameUnit - 1) / kFrameUnit * kFrameUnit;

    const std::string none = "." + name_ + "_none";
    text_ = ".globl " + name_ + "\n" + name_ + ":\n";
    write({{Opcode::Ble, {}, {kSteps}, 0, none, {}}});
    std::vector<Instruction> enter = {add(kStackPointer, -frame)};
    std::vector<Instruction> leave;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const std::int64_t at = kFrameKept + 8 * static_cast<std::int64_t>(k);
      enter.push_back(store_frame(kept[k], at));
      leave.push_back(load_frame(kept[k], at));
    }
    for (const auto& [reg, at] : {std::pair{kA, kFrameA}, {kB, kFrameB}, {kSteps, kFrameSteps}}) {
      enter.push_back(store_frame(reg, at));
    }
    leave.push_back(add(kStackPointer, frame));
    write(list_schedule(enter, latencies_));
    text_ += body;
    write(list_schedule(leave, latencies_));
    write_label(none);
    write({{Opcode::Ret, {}, {}, 0, {}, {}}});
    return std::move(text_);
  }

 private:
  void write(const std::vector<Instruction>& code) {
    for (const Instruction& one : code) {
      text_ += "  " + to_string(one) + "\n";
      if (one.writes) written_.insert(*one.writes);
    }
  }
  void write_label(const std::string& label) { text_ += label + ":\n"; }
  std::string new_label(const std::string& of) {
    return "." + name_ + "_" + of + std::to_string(labels_++);
  }

  /// All rows of tiles. What stands between two labels is ordered as one block: `before_` is what
  /// comes before the next label.
  void write_rows() {
    const std::vector<TileRun> runs = tile_runs(product_.rows, most_rows(product_));
    for (const TileRun& run : runs) {
      const std::string label = new_label("rows");
      if (run.count > 1) {
        before_.push_back(set(kBColumn, run.count));
        before_.push_back(store_frame(kBColumn, kFrameRows));
        end_block();
        write_label(label);
      }
      write_row(run.size);
      before_.push_back(add(kC, run.size * product_.c_row * product_.element_bytes() -
                                    product_.columns * product_.element_bytes()));
      before_.push_back(add(kA, run.size * product_.a_row * product_.element_bytes()));
      before_.push_back(store_frame(kA, kFrameA));
      if (run.count > 1) {
        before_.push_back(load_frame(kBColumn, kFrameRows));
        before_.push_back(count_down(kBColumn));
        before_.push_back(store_frame(kBColumn, kFrameRows));
        before_.push_back({Opcode::Bgt, {}, {kBColumn}, 0, label, {}});
        end_block();
      }
    }
    end_block();
  }

  /// The tiles of one row.
  void write_row(int rows) {
    before_.push_back(load_frame(kBColumn, kFrameB));
    before_.push_back(load_frame(kB, kFrameB));
    for (const TileRun& run : tile_runs(product_.columns / kLanes)) {
      const std::string label = new_label("columns");
      if (run.count > 1) {
        before_.push_back(set(kColumns, run.count));
        end_block();
        write_label(label);
      }
      write_tile(rows, run.size);
      const std::int64_t bytes = std::int64_t{run.size} * kLanes * product_.element_bytes();
      before_.push_back(add(kC, bytes));
      before_.push_back(add(kBColumn, bytes));
      before_.push_back(move(kBColumn, kB));
      before_.push_back(load_frame(kA, kFrameA));
      if (run.count > 1) {
        before_.push_back(count_down(kColumns));
        before_.push_back({Opcode::Bgt, {}, {kColumns}, 0, label, {}});
        end_block();
      }
    }
  }

  void write_tile(int rows, int vectors) {
    const Tile tile = product_tile(product_, rows, vectors, {kA, kB, kC});
    const std::vector<Advance>& advances = rounds_.advances;
    const ModuloSchedule schedule = schedule_of(tile.body);
    const Allocation allocation =
        allocate_registers(tile.body, schedule, tile_registers(), latencies_);
    const std::string steps = new_label("steps"), last = new_label("last");
    const PipelinedLoop loop = pipelined_loop(tile.body, schedule, allocation, kSteps, steps);
    const std::string next = advances.size() == 1 ? steps : new_label("next");
    if (!product_.rounds.empty()) require_loads_first(tile.body, schedule);
    for (const Instruction& one : tile.loads) before_.push_back(with_registers(one, allocation));
    if (!rounds_.around.empty()) begin_rounds();
    before_.push_back(load_frame(kSteps, kFrameSteps));
    const auto first = advancing(loop.begin, advances.front());
    before_.insert(before_.end(), first.begin(), first.end());
    if (advances.size() == 1) {
      before_.push_back(count_down(kSteps));
      before_.push_back({Opcode::Ble, {}, {kSteps}, 0, last, {}});
    }
    end_block();
    write_label(steps);
    if (advances.size() == 1) {
      write(loop.kernel);
    } else {
      write_repetitions(loop, next, last);
    }
    write_label(last);
    if (!rounds_.around.empty()) end_round(next);
    before_.insert(before_.end(), loop.end.begin(), loop.end.end());
    for (const Instruction& one : tile.stores) before_.push_back(with_registers(one, allocation));
  }

  /// The kernel of a loop whose steps have repetitions: each ends one and starts the next. Behind
  /// the last one of all steps there is none to start, so the count stands ahead of that.
  void write_repetitions(PipelinedLoop loop, const std::string& next, const std::string& last) {
    const std::vector<Advance>& advances = rounds_.advances;
    for (std::size_t k = 1; k + 1 < advances.size(); ++k) {
      write(advancing(loop.bare_kernel, advances[k]));
    }
    Instruction& branch = loop.kernel.back();
    const std::string steps = std::exchange(branch.label, last);
    branch.opcode = Opcode::Ble;
    write(advancing(loop.kernel, advances.back()));
    write_label(next);
    write(advancing(loop.bare_kernel, advances.front()));
    write({{Opcode::Bgt, {}, {kSteps}, 0, steps, {}}});  // always
  }

  /// With repetitions count and branch are rare: they get cycles of their own where that makes the
  /// interval shorter.
  ModuloSchedule schedule_of(const std::vector<Instruction>& body) const {
    ModuloSchedule own = modulo_schedule(body, latencies_);
    if (rounds_.advances.size() == 1) return own;
    ModuloSchedule apart = modulo_schedule(body, latencies_, LoopKind::Repeated);
    return apart.interval < own.interval ? apart : own;
  }

  /// Where a step moves the addresses on, that far.
  std::vector<Instruction> advancing(std::vector<Instruction> code, const Advance& by) const {
    for (Instruction& one : code) {
      if (one.opcode != Opcode::Ldi) continue;
      one.number = (*one.writes == kA ? by.a : by.b) * product_.element_bytes();
    }
    return code;
  }

  /// What a round begins with is loaded while the last step of the one before is computed. So all
  /// that step loads, and what moves its addresses on, must be behind it by then.
  static void require_loads_first(const std::vector<Instruction>& body,
                                  const ModuloSchedule& schedule) {
    for (std::size_t k = 0; k < body.size(); ++k) {
      const bool is_of_addresses = !body[k].memory.empty() || body[k].opcode == Opcode::Ldi;
      if (!is_of_addresses || schedule.stage(k) == 0) continue;
      throw InternalError(
          {{}, "a step loads while the next one is computed", to_string(body[k]), ""});
    }
  }

  const Rounds& inner() const { return rounds_.around.back(); }

  void begin_rounds() {
    before_.push_back(store_frame(kA, kFrameRoundA));
    before_.push_back(store_frame(kB, kFrameRoundB));
    before_.push_back(store_frame(kColumns, kFrameColumns));
    if (rounds_.around.size() == kMostRounds) {
      before_.push_back(set(kColumns, rounds_.around[0].count));
      before_.push_back(store_frame(kColumns, kFrameOuter));
    }
    before_.push_back(set(kColumns, inner().count));
  }

  /// The sums stay where they are, and the loop of steps goes on with those of the next round.
  void end_round(const std::string& steps) {
    const std::string done = new_label("done");
    const auto go_on = [&](std::int64_t a, std::int64_t b) {
      for (const auto& [reg, at, elems] :
           {std::tuple{kA, kFrameRoundA, a}, {kB, kFrameRoundB, b}}) {
        before_.push_back(load_frame(reg, at));
        before_.push_back(add(reg, elems * product_.element_bytes()));
        before_.push_back(store_frame(reg, at));
      }
      before_.push_back(load_frame(kSteps, kFrameSteps));
    };
    go_on(inner().a, inner().b);
    before_.push_back(count_down(kColumns));
    before_.push_back({Opcode::Bgt, {}, {kColumns}, 0, steps, {}});
    end_block();
    if (rounds_.around.size() == kMostRounds) {
      before_.push_back(load_frame(kColumns, kFrameOuter));
      before_.push_back(count_down(kColumns));
      before_.push_back(store_frame(kColumns, kFrameOuter));
      before_.push_back({Opcode::Ble, {}, {kColumns}, 0, done, {}});
      end_block();
      const Rounds& outer = rounds_.around[0];
      go_on(outer.a - inner().count * inner().a, outer.b - inner().count * inner().b);
      before_.push_back(set(kColumns, inner().count));
      before_.push_back({Opcode::Bgt, {}, {kColumns}, 0, steps, {}});  // always
      end_block();
      write_label(done);
    }
    before_.push_back(load_frame(kColumns, kFrameColumns));
  }

  void end_block() { write(list_schedule(std::exchange(before_, {}), latencies_)); }

  std::string name_;
  const Product& product_;
  const Latencies& latencies_;
  UnrolledRounds rounds_;
  std::string text_;
  std::vector<Instruction> before_;
  std::set<Register> written_;
  int labels_ = 0;
};

}  // namespace

namespace {

/// What is against the rounds; "" when nothing.
std::string lack_of_rounds(const Product& product) {
  Rounds inner;
  for (std::size_t k = product.rounds.size(); k-- > 0;) {
    const Rounds& rounds = product.rounds[k];
    if (rounds.b % kLanes != 0) {
      return "rounds of B lie " + std::to_string(rounds.b) +
             " elements apart, so not all begin at a whole vector of " + std::to_string(kLanes);
    }
    for (const std::int64_t elems :
         {rounds.a - inner.count * inner.a, rounds.b - inner.count * inner.b}) {
      const std::int64_t bytes = elems * product.element_bytes();
      if (std::abs(bytes) <= kLargestOffset) continue;
      return "from one round to the next it is " + std::to_string(bytes) +
             " bytes, and an instruction adds at most " + std::to_string(kLargestOffset) +
             " to an address";
    }
    inner = rounds;
  }
  return "";
}

}  // namespace

std::string micro_kernel_lack(const Product& product) {
  const std::int64_t bytes = product.element_bytes();
  if (product.columns % kLanes != 0) {
    return std::to_string(product.columns) + " columns are no whole vectors of " +
           std::to_string(kLanes);
  }
  const std::pair<const char*, std::int64_t> whole[] = {{"rows of C", product.c_row},
                                                        {"steps of B", product.b_step}};
  for (const auto& [what, stride] : whole) {
    if (stride % kLanes == 0) continue;
    return std::string(what) + " lie " + std::to_string(stride) +
           " elements apart, so not all begin at a whole vector of " + std::to_string(kLanes);
  }
  const std::pair<const char*, std::int64_t> strides[] = {
      {"four rows of A", 4 * product.a_row},
      {"four rows of C", 4 * product.c_row},
      {"two steps of A", product.a_step},
      {"two steps of B", product.b_step},
      {"a row of C and four rows", product.columns + 4 * product.c_row}};
  for (const auto& [what, elems] : strides) {
    if (std::abs(elems * bytes) <= kLargestOffset) continue;
    return std::string(what) + " lie " + std::to_string(elems * bytes) +
           " bytes apart, and an instruction adds at most " + std::to_string(kLargestOffset) +
           " to an address";
  }
  return lack_of_rounds(product);
}

std::string micro_kernel(const std::string& name, const Product& product,
                         const Latencies& latencies) {
  const std::string lack = micro_kernel_lack(product);
  if (!lack.empty()) {
    throw InternalError({{}, "a micro-kernel that cannot be written", lack, ""});
  }
  return MicroKernel(name, product, latencies).text();
}

}  // namespace solway::codegen::assembly
