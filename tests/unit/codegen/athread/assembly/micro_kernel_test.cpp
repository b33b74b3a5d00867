#include "codegen/athread/assembly/micro_kernel.h"

#include <random>

#include <gmock/gmock.h>

#include "codegen/athread/assembly/unrolled_rounds.h"
#include "support/error.h"

#include "tests/unit/codegen/athread/assembly/core_simulator.h"

namespace solway::codegen::assembly {
namespace {

using testing::CoreSimulator;
using ::testing::HasSubstr;

const Latencies kLatencies{4, 7};
constexpr std::int64_t kA = 1'000'000, kB = 2'000'000, kC = 3'000'000, kStack = 9'000'000;

CoreSimulator after(const Product& product, std::int64_t steps) {
  CoreSimulator core;
  for (std::size_t k = 0; k < 32; ++k) core.registers[k] = static_cast<std::int64_t>(77 * k);
  core.registers[16] = kC;
  core.registers[17] = kA;
  core.registers[18] = kB;
  core.registers[19] = steps;
  core.registers[30] = kStack;
  core.run(micro_kernel("gemm", product, kLatencies));
  return core;
}

std::int64_t rounds_of(const Product& product) {
  std::int64_t out = 1;
  for (const Rounds& rounds : product.rounds) out *= rounds.count;
  return out;
}

/// Where A and B of all repetitions of all steps begin, in their order.
std::vector<std::pair<std::int64_t, std::int64_t>> order_of(const Product& product,
                                                            std::int64_t steps) {
  const UnrolledRounds rounds = unroll_rounds(product);
  const auto at = [&](std::int64_t r, std::size_t first, std::size_t end) {
    std::pair<std::int64_t, std::int64_t> out;
    for (std::size_t k = end; k-- > first;) {
      const Rounds& own = product.rounds[k];
      out.first += r % own.count * own.a;
      out.second += r % own.count * own.b;
      r /= own.count;
    }
    return out;
  };
  const std::size_t around = rounds.around.size();
  const auto inside = static_cast<std::int64_t>(rounds.advances.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (std::int64_t r = 0; r < rounds_of(product) / inside; ++r) {
    for (std::int64_t k = 0; k < steps; ++k) {
      for (std::int64_t q = 0; q < inside; ++q) {
        const auto outer = at(r, 0, around);
        const auto inner = at(q, around, product.rounds.size());
        out.emplace_back(outer.first + inner.first + k * product.a_step,
                         outer.second + inner.second + k * product.b_step);
      }
    }
  }
  return out;
}

/// All that it may do: each vector of C has the sums in their order, nothing else is stored to,
/// nothing outside of the operands is loaded, and the caller's registers are back.
void expect_product(const Product& product, std::int64_t steps) {
  const CoreSimulator core = after(product, steps);
  const std::int64_t bytes = product.element_bytes();
  const auto order = order_of(product, steps);
  std::set<std::int64_t> own;  // addresses of the operands
  for (std::int64_t i = 0; i < product.rows; ++i) {
    for (std::int64_t j = 0; j < product.columns; j += kLanes) {
      const std::int64_t c = kC + (i * product.c_row + j) * bytes;
      std::uint64_t sum = CoreSimulator::initial(c);
      own.insert(c);
      for (const auto& [at_a, at_b] : order) {
        const std::int64_t a = kA + (i * product.a_row + at_a) * bytes;
        const std::int64_t b = kB + (at_b + j) * bytes;
        own.insert({a, b});
        sum = CoreSimulator::fma(CoreSimulator::initial(b),
                                 CoreSimulator::splat(CoreSimulator::initial(a)), sum);
      }
      ASSERT_EQ(core.at(c), sum) << "C[" << i << ", " << j << "] of " << steps << " steps";
    }
  }
  EXPECT_EQ(core.fma_count, product.rows * product.columns / kLanes * rounds_of(product) *
                                std::max<std::int64_t>(0, steps));
  const auto is_frame = [](std::int64_t at) { return at >= kStack - 256 && at < kStack; };
  for (const auto& [at, value] : core.memory) {
    EXPECT_TRUE(is_frame(at) || (own.count(at) != 0 && at >= kC)) << "stored to " << at;
  }
  for (const std::int64_t at : core.loaded) {
    EXPECT_TRUE(is_frame(at) || own.count(at) != 0) << "loaded from " << at;
  }
  for (const std::size_t reg : {9U, 10U, 11U, 12U, 13U, 14U, 15U, 26U, 29U}) {
    EXPECT_EQ(core.registers[reg], static_cast<std::int64_t>(77 * reg)) << "$" << reg;
  }
  EXPECT_EQ(core.registers[30], kStack);
}

TEST(MicroKernel, EveryShapeOfTilesAndEveryTripCount) {
  for (std::int64_t rows = 1; rows <= 13; ++rows) {
    for (const std::int64_t vectors : {1, 2, 3, 4, 5, 6, 9}) {
      const std::int64_t columns = vectors * kLanes;
      const Product product{Element::Float, rows, columns, 31, 1, columns, columns + 4};
      for (const std::int64_t steps : {0, 1, 2, 3, 31}) {
        expect_product(product, steps);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MicroKernel, RoundsAddToTheSameSums) {
  for (const std::int64_t rows : {1, 3, 8, 9}) {
    for (const std::int64_t columns : {4, 16, 28}) {
      // The window of a convolution: its lines overlap in B and lie side by side in A.
      Product product{Element::Float, rows, columns, 3 * 31, 3, 5 * columns, 2 * columns};
      const Rounds line{3, 1, columns};
      for (const std::vector<Rounds>& rounds :
           std::vector<std::vector<Rounds>>{{{2, 1, columns}},
                                            {line},
                                            {{5, 31, 8}, line},
                                            {{2, 0, 0}, {2, 7, -columns}},
                                            {{7, 31, 8}, line},
                                            {{17, 1, 4}},
                                            {{2, 31, 8}, {17, 1, 4}}}) {
        product.rounds = rounds;
        for (const std::int64_t steps : {0, 1, 2, 7}) {
          expect_product(product, steps);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(MicroKernel, StridesOfEveryKind) {
  expect_product({Element::Double, 9, 20, 1, 9, 24, 64}, 5);  // A transposed
  expect_product({Element::Double, 8, 16, 0, 1, 16, 16}, 4);  // one row of A for all
  expect_product({Element::Float, 6, 12, 40, 2, 0, 12}, 6);   // one row of B for all
  expect_product({Element::Float, 4, 8, 7, 1, 8, 8}, -3);     // nothing to do
}

TEST(MicroKernel, ReachesNineTenthsOfTheCoresPeak) {
  const auto share = [](const Product& product, std::int64_t steps) {
    const CoreSimulator core = after(product, steps);
    return static_cast<double>(core.fma_count) / static_cast<double>(core.cycles());
  };
  EXPECT_GT(share({Element::Float, 64, 64, 64, 1, 64, 64}, 64), 0.96);
  EXPECT_GT(share({Element::Double, 32, 32, 32, 1, 32, 32}, 32), 0.90);
  EXPECT_GT(share({Element::Float, 32, 32, 64, 1, 32, 32}, 64), 0.95);
  // Sums are loaded and stored once for all rounds.
  EXPECT_GT(share({Element::Float, 16, 112, 24, 3, 448, 112, {{3, 1, 112}}}, 8), 0.91);
  EXPECT_GT(share({Element::Float, 56, 32, 1, 58 * 9, 288, 32, {{3, 58, 96}, {3, 1, 32}}}, 8),
            0.96);
  // Two vectors: the count and the branch have no room beside each step.
  EXPECT_GT(share({Element::Float, 28, 8, 1, 90, 72, 8, {{3, 30, 24}, {3, 1, 8}}}, 64), 0.96);
}

TEST(MicroKernel, RefusesWhatItCannotReach) {
  const auto lack = [](const Product& product) {
    EXPECT_THROW(micro_kernel("gemm", product, kLatencies), InternalError);
    return micro_kernel_lack(product);
  };
  EXPECT_THAT(lack({Element::Float, 4, 6, 8, 1, 8, 8}), HasSubstr("6 columns"));
  EXPECT_THAT(lack({Element::Float, 4, 8, 8, 1, 10, 8}), HasSubstr("steps of B lie 10"));
  EXPECT_THAT(lack({Element::Float, 4, 8, 8, 1, 8, 9}), HasSubstr("rows of C lie 9"));
  EXPECT_THAT(lack({Element::Double, 4, 8, 1024, 1, 8, 8}), HasSubstr("32768 bytes apart"));
  EXPECT_THAT(lack({Element::Float, 4, 8, 8, 1, 8, 8, {{2, 1, 9}}}),
              HasSubstr("rounds of B lie 9"));
  EXPECT_THAT(lack({Element::Float, 4, 8, 8, 1, 8, 8, {{2, 8192, 8}}}),
              HasSubstr("from one round to the next it is 32768 bytes"));
  EXPECT_EQ(micro_kernel_lack({Element::Double, 4, 8, 1023, 1, 8, 8}), "");
}

TEST(MicroKernel, IsTheSameEveryTime) {
  const Product product{Element::Float, 9, 20, 31, 1, 20, 20};
  EXPECT_EQ(micro_kernel("gemm", product, kLatencies), micro_kernel("gemm", product, kLatencies));
}

}  // namespace
}  // namespace solway::codegen::assembly
