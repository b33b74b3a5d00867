#include "codegen/athread/assembly/modulo_schedule.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "codegen/athread/assembly/product_tile.h"

#include "tests/unit/codegen/athread/assembly/random_code.h"

namespace solway::codegen::assembly {
namespace {

const Latencies kLatencies{4, 7};

/// When the last write before (iteration, k) of a register was, in the order of the program.
struct Writer {
  std::int64_t cycle = -1000;
  int latency = 1;
};

/// Follows a few iterations as written, one register file for all, and looks at the cycles in which
/// everything is issued: no value is read before it is there, none is overwritten before it was
/// read for the last time, and no pipe takes two.
void expect_right(const std::vector<Instruction>& body, const ModuloSchedule& schedule) {
  constexpr int kIterations = 4;
  std::map<Register, Writer> writers;
  std::map<Register, std::int64_t> last_read;
  std::map<std::int64_t, std::vector<Pipe>> pipes;
  for (int i = 0; i < kIterations; ++i) {
    for (std::size_t k = 0; k < body.size(); ++k) {
      const std::int64_t cycle = schedule.cycles[k] + std::int64_t{i} * schedule.interval;
      ASSERT_GE(schedule.cycles[k], 0);
      ASSERT_LT(schedule.stage(k), 2);
      pipes[cycle].push_back(pipe_of(body[k].opcode));
      for (const Register reg : body[k].reads) {
        const Writer& writer = writers[reg];
        ASSERT_GE(cycle, writer.cycle + writer.latency) << to_string(body[k]) << " of " << i;
        last_read[reg] = std::max(last_read[reg], cycle);
      }
      if (!body[k].writes) continue;
      const Register reg = *body[k].writes;
      ASSERT_GE(cycle, last_read[reg]) << to_string(body[k]) << " overwrites, of " << i;
      ASSERT_GT(cycle, writers[reg].cycle) << to_string(body[k]);
      writers[reg] = {cycle, latency_of(body[k].opcode, kLatencies)};
    }
  }
  for (int slot = 0; slot < schedule.interval; ++slot) {
    // Where all iterations are under way.
    std::vector<Pipe> in = pipes[2 * schedule.interval + slot];
    if (slot == schedule.interval - 1) in.push_back(Pipe::One);  // the branch
    EXPECT_LE(std::count(in.begin(), in.end(), Pipe::Zero), 1) << slot;
    EXPECT_LE(std::count(in.begin(), in.end(), Pipe::One), 1) << slot;
    EXPECT_LE(in.size(), 2U) << slot;
  }
}

TEST(ModuloSchedule, ATileOfFourByFourVectorsTakesACyclePerProduct) {
  const Product product{Element::Float, 64, 64, 64, 1, 64, 64};
  const Tile tile = product_tile(product, 4, 4, {17, 18, 16});
  const ModuloSchedule schedule = modulo_schedule(tile.body, kLatencies);
  EXPECT_EQ(schedule.interval, 16);
  expect_right(tile.body, schedule);
}

TEST(ModuloSchedule, TilesAreAtTheirBoundOrOneAboveIt) {
  const Product product{Element::Double, 64, 64, 64, 1, 64, 64};
  for (int rows = 1; rows <= 4; ++rows) {
    for (int vectors = 1; vectors <= 4; ++vectors) {
      const Tile tile = product_tile(product, rows, vectors, {17, 18, 16});
      const ModuloSchedule schedule = modulo_schedule(tile.body, kLatencies);
      EXPECT_GE(schedule.interval, std::max(7, rows * vectors));
      EXPECT_LE(schedule.interval, least_interval(tile.body, kLatencies) + 1);
      expect_right(tile.body, schedule);
    }
  }
}

TEST(ModuloSchedule, ASumWaitsForItself) {
  const std::vector<Instruction> body = {{Opcode::Vmas, 40, {1, 2, 40}, 0, {}, {}}};
  EXPECT_EQ(least_interval(body, kLatencies), 7);
  EXPECT_EQ(modulo_schedule(body, kLatencies).interval, 7);
}

TEST(ModuloSchedule, NoIntervalIsTooShort) {
  const std::vector<Instruction> body = {{Opcode::Vmas, 40, {1, 2, 40}, 0, {}, {}}};
  EXPECT_FALSE(try_modulo_schedule(body, kLatencies, 6).has_value());
}

TEST(ModuloSchedule, RandomLoopsAreRight) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Instruction> body = testing::random_body(random);
    expect_right(body, modulo_schedule(body, kLatencies));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace solway::codegen::assembly
