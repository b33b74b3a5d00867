#include "lowering/place_barriers.h"

#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "dsl/update.h"
#include "lowering/inline_copies.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/visitor.h"
#include "lowering/lower.h"
#include "lowering/share_copies.h"
#include "schedule/bind.h"
#include "schedule/buffer_read.h"
#include "schedule/double_buffer.h"
#include "schedule/fuse_with.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/skew.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/lowering/core_trace.h"

namespace solway::lowering {
namespace {

using schedule::LoopId;
using schedule::State;

constexpr int kMargin = 4;

dsl::Expr plus(const dsl::Axis& axis, std::int64_t distance) {
  return dsl::make_binary(BinaryOp::Add, samples::value_of(axis),
                          dsl::make_int(distance, DType::Int64, true, samples::at(2)),
                          samples::at(2));
}

/// H[t + 1, x + margin] = sum of H[t + dt, x + margin + dx] over the pairs (dt, dx), in place.
struct Steps {
  dsl::Tensor before, after;

  Steps(std::int64_t steps, std::int64_t points,
        const std::vector<std::pair<std::int64_t, std::int64_t>>& reads,
        const std::string& name = "H") {
    before = dsl::make_placeholder({steps + 1, points + 2 * kMargin}, DType::Int32, name,
                                   samples::at(1));
    const dsl::Axis t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, steps, samples::at(2));
    const dsl::Axis x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, points, samples::at(2));
    dsl::Expr value = dsl::make_int(1, DType::Int32, true, samples::at(2));
    for (const auto& [dt, dx] : reads) {
      const dsl::Expr read =
          dsl::make_read(before, {plus(t, dt), plus(x, kMargin + dx)}, samples::at(2));
      value = dsl::make_binary(BinaryOp::Add, value, read, samples::at(2));
    }
    after = dsl::make_update(before, {t, x}, {plus(t, 1), plus(x, kMargin)}, value, nullptr,
                             name + "2", samples::at(2));
  }
};

struct Scheduled {
  State state;
  std::vector<dsl::Tensor> args;
  std::int64_t cores = 8;

  ir::Kernel kernel() const {
    ir::Kernel out =
        lower(state, args, "k", {}, "ldm", TransferDims::Merged, CoreGroup{cores, {2, 4}}).kernel;
    out.body = inline_copies(out.body);
    return out;
  }
  std::string text() const {
    const std::string all = ir::to_string(kernel());
    return all.substr(all.find('\n') + 1);
  }
};

Scheduled scheduled(const Steps& steps) {
  return {schedule::make_state({steps.after}, samples::at(5)), {steps.before}};
}

TEST(PlaceBarriers, NoneWhereEveryCoreReadsWhatItWrote) {
  Scheduled s = scheduled(Steps(3, 8, {{0, 0}}));
  const LoopId x = s.state.stage_loops.at("H2")[1];
  s.state = schedule::parallel(s.state, "H2", x, samples::at(6));
  EXPECT_EQ(s.text().find("barrier"), std::string::npos) << s.text();
}

TEST(PlaceBarriers, BetweenIterationsWhereNeighboursCross) {
  Scheduled s = scheduled(Steps(3, 8, {{0, -1}}));
  const LoopId x = s.state.stage_loops.at("H2")[1];
  s.state = schedule::parallel(s.state, "H2", x, samples::at(6));
  EXPECT_EQ(s.text(), R"(  for t in [0, 3) {
    if (0 < t) {
      barrier
    }
    for x in [0, 8) parallel {
      H[(t + 1), (x + 4)] = (H[t, (x + 3)] + 1i32)
    }
  }
}
)");
}

TEST(PlaceBarriers, NoneWhereADependenceStaysInTheBlockOfACore) {
  Scheduled s = scheduled(Steps(3, 16, {{0, 0}, {1, -1}}));
  const auto tiles = schedule::split(s.state, "H2", s.state.stage_loops.at("H2")[1], 16, {});
  s.state = schedule::parallel(tiles.state, "H2", tiles.outer, samples::at(6));
  EXPECT_EQ(s.text().find("barrier"), std::string::npos) << s.text();
}

std::vector<std::pair<std::int64_t, std::int64_t>> random_reads(std::mt19937& random) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  const int count = 1 + static_cast<int>(random() % 2);
  for (int k = 0; k < count; ++k) {
    const auto dt = static_cast<std::int64_t>(random() % 2);
    const auto dx = static_cast<std::int64_t>(random() % 5) - 2;
    out.emplace_back(dt, random() % 3 == 0 ? 0 : dx);
  }
  return out;
}

/// Splits and reorders loops, and parallelises one or two, as far as that is legal.
State randomly_scheduled(State state, const std::string& stage, std::mt19937& random) {
  const auto attempt = [&](const auto& primitive) {
    try {
      state = primitive();
    } catch (const Error&) {  // refused: the schedule stays
    }
  };
  for (int k = 0; k < 3; ++k) {
    const std::vector<LoopId> loops = state.stage_loops.at(stage);
    const LoopId loop = loops[random() % loops.size()];
    const LoopId other = loops[random() % loops.size()];
    const auto factor = static_cast<std::int64_t>(2 + random() % 4);
    const unsigned choice = random() % 5;
    if (choice < 2) {
      const auto tail = choice == 0 ? schedule::TailStrategy::Guard : schedule::TailStrategy::Cut;
      attempt([&] { return schedule::split(state, stage, loop, factor, {}, tail).state; });
    } else if (choice == 2 && loop != other) {
      attempt([&] { return schedule::reorder(state, stage, {other, loop}, {}); });
    } else if (choice == 3 && loop != other) {
      attempt([&] { return schedule::skew(state, stage, loop, other, 1, {}); });
    }
  }
  std::vector<LoopId> loops = state.stage_loops.at(stage);
  std::shuffle(loops.begin(), loops.end(), random);
  const State before = state;
  for (const LoopId loop : loops) {
    attempt([&] { return schedule::parallel(state, stage, loop, {}); });
    if (state.order.loop(loop).mark == schedule::LoopMark::Parallel) break;
  }
  return state;
}

/// Whether each parallel loop always runs over the same range.
class FixedRanges final : public ir::Visitor {
 public:
  bool all = true;

 private:
  void visit(const ir::For& s) override {
    const bool is_fixed = ir::try_constant(s.begin) && ir::try_constant(s.end);
    if (s.for_kind == ir::ForKind::Parallel && !is_fixed) all = false;
    Visitor::visit(s);
  }
};

/// Cores that touch one element have a barrier between them, and the only one cannot go where all
/// ranges are fixed.
void expect_exact(const Scheduled& s, unsigned seed, int& with_barrier) {
  const ir::Kernel kernel = s.kernel();
  const ir::testing::CoreTrace trace(kernel.body, s.cores);
  ASSERT_FALSE(trace.races()) << "seed " << seed << "\n" << ir::to_string(kernel);
  with_barrier += trace.barriers().empty() ? 0 : 1;
  FixedRanges ranges;
  ranges.walk(kernel.body);
  // A barrier for one dependence may stand in the way of another one by chance.
  if (!ranges.all || trace.barriers().size() != 1) return;
  for (const ir::StmtNode* barrier : trace.barriers()) {
    EXPECT_TRUE(trace.races(barrier)) << "seed " << seed << "\n" << ir::to_string(kernel);
  }
}

TEST(PlaceBarriers, AreEnoughAndNeededInRandomSchedules) {
  int with_barrier = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    std::mt19937 random(seed);
    const Steps steps(2 + random() % 3, 5 + random() % 9, random_reads(random));
    Scheduled s = scheduled(steps);
    s.cores = 1 + static_cast<std::int64_t>(random() % 8);
    s.state = randomly_scheduled(s.state, "H2", random);
    expect_exact(s, seed, with_barrier);
  }
  EXPECT_GT(with_barrier, 25);
}

/// Two stages one after the other, or in one loop.
TEST(PlaceBarriers, AreEnoughAndNeededBetweenStages) {
  int with_barrier = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    std::mt19937 random(seed);
    const std::int64_t rows = 2 + random() % 3;
    const std::int64_t points = 5 + random() % 9;
    const Steps steps(rows, points, random_reads(random));
    const dsl::Axis t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, rows, samples::at(3));
    const dsl::Axis y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, points, samples::at(3));
    const auto dx = static_cast<std::int64_t>(random() % 3) - 1;
    const dsl::Tensor sum = dsl::make_compute(
        {rows, points}, {t, y},
        dsl::make_read(steps.after, {plus(t, 1), plus(y, kMargin + dx)}, {}), "S", samples::at(3));
    Scheduled s{schedule::make_state({steps.after, sum}, samples::at(5)), {steps.after, sum}};
    s.cores = 1 + static_cast<std::int64_t>(random() % 8);
    if (random() % 2 == 0) {
      s.state = schedule::fuse_with(s.state, "S", "H2", s.state.stage_loops.at("H2")[0], {});
    }
    s.state = randomly_scheduled(s.state, "H2", random);
    if (random() % 3 != 0) s.state = randomly_scheduled(s.state, "S", random);
    expect_exact(s, seed, with_barrier);
  }
  EXPECT_GT(with_barrier, 25);
}

/// What another stage computed, in a buffer for all cores that is filled at a loop outside of the
/// parallel one; nullopt where the schedule has no such loop. Its transfers are copies here, done
/// when they are asked for.
std::optional<Scheduled> with_shared_buffer(std::mt19937& random, std::int64_t cores) {
  const std::int64_t rows = 2 + random() % 3;
  const std::int64_t points = 5 + random() % 9;
  const Steps steps(rows, points, random_reads(random));
  const dsl::Axis t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, rows, samples::at(3));
  const dsl::Axis y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, points, samples::at(3));
  const dsl::Tensor sum = dsl::make_compute(
      {rows, points}, {t, y}, dsl::make_read(steps.after, {plus(t, 1), plus(y, kMargin)}, {}), "S",
      samples::at(3));
  Scheduled s{schedule::make_state({steps.after, sum}, samples::at(5)), {steps.after, sum}, cores};
  s.state = randomly_scheduled(s.state, "H2", random);
  s.state = randomly_scheduled(s.state, "S", random);
  schedule::BufferRequest request;
  request.stage = "S";
  request.tensor = "H";
  request.scope = kSharedScope;
  request.text = "buffer_read(H)";
  const std::vector<LoopId> loops = s.state.stage_loops.at("S");
  const auto at = random() % (loops.size() + 1);
  if (at != 0) request.at = loops[at - 1];
  try {
    s.state = schedule::buffer_read(s.state, request, samples::at(9)).state;
    if (random() % 2 == 0) s.state = schedule::double_buffer(s.state, "HH", samples::at(10));
  } catch (const Error&) {  // inside a parallel loop, or outside all loops with two regions
    if (s.state.program->buffers.empty()) return std::nullopt;
  }
  return s;
}

TEST(PlaceBarriers, AreEnoughAndNeededAroundABufferOfAllCores) {
  int with_buffer = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    std::mt19937 random(seed);
    const auto cores = 1 + static_cast<std::int64_t>(random() % 8);
    const std::optional<Scheduled> s = with_shared_buffer(random, cores);
    if (!s) continue;
    ++with_buffer;
    int with_barrier = 0;
    expect_exact(*s, seed, with_barrier);
  }
  EXPECT_GT(with_buffer, 40);
}

/// Threads of any number fill the buffer together, each a part.
TEST(PlaceBarriers, AreEnoughAroundCopiesThatThreadsShare) {
  int shared = 0;
  for (unsigned seed = 0; seed < 240; ++seed) {
    std::mt19937 random(seed);
    const std::optional<Scheduled> s = with_shared_buffer(random, CoreGroup::kAnyNumber);
    if (!s) continue;
    ir::Kernel kernel = s->kernel();
    const ir::Stmt before = kernel.body;
    kernel.body = share_copies(before);
    shared += kernel.body.same_as(before) ? 0 : 1;
    for (std::int64_t cores = 1; cores <= 9; ++cores) {
      const ir::testing::CoreTrace trace(kernel.body, cores);
      ASSERT_FALSE(trace.races()) << seed << ", " << cores << "\n" << ir::to_string(kernel);
    }
  }
  EXPECT_GT(shared, 40);
}

/// For cores whose number nobody knows, the barriers are enough for each.
TEST(PlaceBarriers, AreEnoughForAnyNumberOfCores) {
  int with_barrier = 0;
  int without = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    std::mt19937 random(seed);
    const std::int64_t rows = 2 + random() % 3;
    const std::int64_t points = 5 + random() % 9;
    const std::int64_t read = points - static_cast<std::int64_t>(random() % 3);
    const Steps steps(rows, points, random_reads(random));
    const dsl::Axis t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, rows, samples::at(3));
    const dsl::Axis y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, read, samples::at(3));
    const dsl::Tensor sum = dsl::make_compute(
        {rows, read}, {t, y}, dsl::make_read(steps.after, {plus(t, 1), plus(y, kMargin)}, {}), "S",
        samples::at(3));
    Scheduled s{schedule::make_state({steps.after, sum}, samples::at(5)), {steps.after, sum}};
    s.cores = CoreGroup::kAnyNumber;
    s.state = randomly_scheduled(s.state, "H2", random);
    s.state = randomly_scheduled(s.state, "S", random);
    const ir::Kernel kernel = s.kernel();
    bool has_barrier = false;
    for (std::int64_t cores = 1; cores <= 9; ++cores) {
      const ir::testing::CoreTrace trace(kernel.body, cores);
      ASSERT_FALSE(trace.races()) << seed << ", " << cores << "\n" << ir::to_string(kernel);
      has_barrier = has_barrier || !trace.barriers().empty();
    }
    ++(has_barrier ? with_barrier : without);
  }
  EXPECT_GT(with_barrier, 25);
  EXPECT_GT(without, 5);
}

TEST(PlaceBarriers, AnyNumberOfCoresShareOutEqualLoopsAlike) {
  for (const std::int64_t read : {8, 7}) {
    const Steps steps(1, 8, {{0, 0}});
    const dsl::Axis y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, read, samples::at(3));
    const dsl::Axis one = dsl::make_axis("one", dsl::AxisKind::Spatial, 0, 1, samples::at(3));
    const dsl::Tensor copy = dsl::make_compute(
        {1, read}, {one, y}, dsl::make_read(steps.after, {plus(one, 1), plus(y, kMargin)}, {}), "S",
        samples::at(3));
    Scheduled s{schedule::make_state({steps.after, copy}, samples::at(5)), {steps.after, copy}};
    s.cores = CoreGroup::kAnyNumber;
    for (const char* stage : {"H2", "S"}) {
      s.state = schedule::parallel(s.state, stage, s.state.stage_loops.at(stage)[1], {});
    }
    EXPECT_EQ(s.text().find("barrier") == std::string::npos, read == 8) << s.text();
  }
}

/// Tiles of 3 of 8 points, the last of 2: a point is on the same core in each step.
TEST(PlaceBarriers, NoneWhereRangesThatChangeAreTheSameInEachStep) {
  Scheduled s = scheduled(Steps(3, 8, {{0, 0}}));
  const auto tiles = schedule::split(s.state, "H2", s.state.stage_loops.at("H2")[1], 3, {});
  s.state = schedule::parallel(tiles.state, "H2", tiles.inner, samples::at(6));
  EXPECT_EQ(s.text().find("barrier"), std::string::npos) << s.text();
}

TEST(PlaceBarriers, OnAMesh) {
  Scheduled s = scheduled(Steps(3, 8, {{0, 0}}));
  const std::vector<LoopId> loops = s.state.stage_loops.at("H2");
  s.state = schedule::bind(s.state, "H2", loops[1], "column", samples::at(6));
  EXPECT_EQ(s.text().find("barrier"), std::string::npos) << s.text();
  Scheduled crossing = scheduled(Steps(3, 8, {{0, 1}}));
  crossing.state = schedule::bind(crossing.state, "H2", loops[1], "row", samples::at(6));
  EXPECT_NE(crossing.text().find("barrier"), std::string::npos) << crossing.text();
}

TEST(PlaceBarriers, BetweenCoresOfOneDiagonal) {
  const dsl::Tensor before = dsl::make_placeholder({4, 3, 5}, DType::Int32, "H", samples::at(1));
  const auto axis = [](const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, samples::at(2));
  };
  const dsl::Axis t = axis("t", 3), y = axis("y", 2), x = axis("x", 4);
  const dsl::Expr value =
      dsl::make_read(before, {plus(t, 0), plus(y, 0), plus(x, 1)}, samples::at(2));
  const dsl::Tensor after =
      dsl::make_update(before, {t, y, x}, {plus(t, 1), plus(y, 1), plus(x, 0)}, value, nullptr,
                       "H2", samples::at(2));
  Scheduled s{schedule::make_state({after}, samples::at(5)), {before}};
  const std::vector<LoopId> loops = s.state.stage_loops.at("H2");
  s.state = schedule::bind(s.state, "H2", loops[1], "row", samples::at(6));
  s.state = schedule::bind(s.state, "H2", loops[2], "column", samples::at(6));
  EXPECT_NE(s.text().find("barrier"), std::string::npos) << s.text();
}

}  // namespace
}  // namespace solway::lowering
