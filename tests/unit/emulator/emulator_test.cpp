#include "emulator/emulator.h"

#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::emulator {
namespace {

using ::testing::HasSubstr;

constexpr int kElements = 4096;

KernelSources kernel(const std::string& name) {
  return load_hand_kernel(std::string(SOLWAY_KERNEL_DIR) + "/" + name);
}

template <typename T>
Argument argument(std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T)};
}

std::vector<float> ramp(int count) {
  std::vector<float> x(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i % 1000);
  return x;
}

/// x and y of 4096 floats: the form of most test kernels.
struct Outcome {
  std::vector<float> x = ramp(kElements);
  std::vector<float> y = std::vector<float>(kElements, 7);
  RunResult result;
};

Outcome run_xy(const std::string& name, const RunOptions& options = {}) {
  Outcome outcome;
  const std::vector<Argument> arguments = {argument(outcome.x), argument(outcome.y)};
  outcome.result = run(kernel(name), arguments, options);
  return outcome;
}

/// Runs `name`, which must end with an EmulatorError of `kind` at a line that contains `text`.
EmulatorError expect_fault(const std::string& name, const std::string& kind,
                           const std::string& text, const RunOptions& options = {}) {
  Outcome outcome;
  const std::vector<Argument> arguments = {argument(outcome.x), argument(outcome.y)};
  try {
    run(kernel(name), arguments, options);
  } catch (const EmulatorError& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_THAT(e.report().where.text, HasSubstr(text)) << e.what();
    EXPECT_GT(e.report().where.line, 0);
    EXPECT_EQ(outcome.y, std::vector<float>(kElements, 7)) << "outputs changed by a failed run";
    return e;
  }
  ADD_FAILURE() << "expected EmulatorError " << kind;
  return {{}, "", {}, -1};
}

TEST(Emulator, FusesTheSameOperationsInAllModes) {
  float alpha = 1.0F / 3;
  std::vector<float> x(32768);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 / (1 + static_cast<float>(i));
  for (const Mode mode : {Mode::Functional, Mode::Hazard}) {
    std::vector<float> y(x.rbegin(), x.rend());
    const std::vector<Argument> arguments = {{&alpha, 4}, argument(x), argument(y)};
    run(kernel("saxpy"), arguments, {.mode = mode});
    int rounded_once = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float before = x[x.size() - 1 - i];
      ASSERT_EQ(y[i], std::fma(alpha, x[i], before)) << i;
      const volatile float product = alpha * x[i];
      rounded_once += y[i] != product + before;
    }
    EXPECT_GT(rounded_once, 100) << "data on which fusing shows";
  }
}

TEST(Emulator, RunsSaxpyWithEveryLandingAndOrder) {
  const CompiledKernel compiled = compile(kernel("saxpy"));
  for (const Landing landing : {Landing::AtIssue, Landing::AtWait, Landing::Random}) {
    for (const std::uint64_t seed : {0, 1, 7}) {
      float alpha = 2;
      std::vector<float> x = ramp(32768);
      std::vector<float> y(32768, 1);
      const std::vector<Argument> arguments = {{&alpha, 4}, argument(x), argument(y)};
      const RunResult result = run(compiled, arguments, {.seed = seed, .landing = landing});
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 1 + 2 * x[i]);
      EXPECT_EQ(result.get_bytes, 2 * 32768 * 4);
      EXPECT_EQ(result.put_bytes, 32768 * 4);
      EXPECT_EQ(result.gst_bytes, 0);
      EXPECT_EQ(result.gld_bytes % 64, 0);
      EXPECT_GT(result.gld_bytes, 0);
      EXPECT_GE(result.ldm_peak_bytes, 2 * 512 * 4 + 16);
      EXPECT_LT(result.ldm_peak_bytes, 2 * 512 * 4 + 1024);
    }
  }
}

TEST(Emulator, MovesStridedTilesWithAGap) {
  const Outcome outcome = run_xy("strided");
  for (int i = 0; i < kElements; ++i) {
    const int cpe = i / 64 / 8 * 8 + i % 64 / 8;
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(outcome.y[at], outcome.x[at] * static_cast<float>(cpe));
  }
}

TEST(Emulator, KnowsDescriptorsAndVectors) {
  const Outcome outcome = run_xy("descriptor");
  for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(outcome.y[i], outcome.x[i] * 2 + 1);
}

TEST(Emulator, BarriersOrderPlainAccesses) {
  for (const std::uint64_t seed : {0, 3, 4}) {
    const Outcome outcome = run_xy("barrier", {.seed = seed});
    for (std::size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(outcome.y[i], outcome.x[i] + outcome.x[(i + 1) % 64]);
    }
    EXPECT_EQ(outcome.result.gst_bytes, 64 * 8);
  }
}

TEST(Emulator, RunsHeapStackStaticsMathAndSeveralSpawns) {
  std::vector<double> x(4096);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i);
  std::vector<double> y(4096);
  std::vector<std::int64_t> count(64);
  std::int8_t offset = -3;
  const std::vector<Argument> arguments = {argument(x), argument(y), argument(count), {&offset, 1}};
  const RunResult result = run(kernel("mixture"), arguments);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(y[i], 2 * (static_cast<double>(i) - 3));
  }
  EXPECT_EQ(count, std::vector<std::int64_t>(64, 12));
  EXPECT_GT(result.ldm_peak_bytes, 512 + 512);
}

TEST(Emulator, ReadingBeforeTheWaitGivesNoData) {
  const Outcome outcome = run_xy("late_wait");
  EXPECT_TRUE(std::isnan(outcome.y[0]));
  EXPECT_EQ(outcome.y[1], outcome.x[1]);
  const Outcome lucky = run_xy("late_wait", {.landing = Landing::AtIssue});
  EXPECT_EQ(lucky.y[0], lucky.x[0] + 1);
}

TEST(Emulator, AGetUndoesWhatItsDestinationHeld) {
  const Outcome outcome = run_xy("stale_block");
  EXPECT_TRUE(std::isnan(outcome.y[0]));
  EXPECT_EQ(outcome.y[1], outcome.x[1]);
}

TEST(Emulator, ADroppedWaitIsAnUnfinishedTransfer) {
  const EmulatorError error = expect_fault("dropped_wait", "unfinished_transfer", "athread_put(");
  EXPECT_EQ(error.cpe(), 0);
}

TEST(Emulator, CountsStaticObjectsHeapAndStack) {
  expect_fault("static_too_large", "ldm_overflow", "large[16 * 1024]");
  expect_fault("heap_too_large", "ldm_overflow", "float *second = ldm_malloc(40000)");
  expect_fault("stack_too_large", "stack_overflow", "void work(");
  expect_fault("recursion", "stack_overflow", "float deep(");
}

TEST(Emulator, ChecksBounds) {
  const EmulatorError error = expect_fault("ldm_index", "out_of_bounds_ldm", "block[i] = p->x[i]");
  EXPECT_THAT(error.report().why, HasSubstr("'block' has 256 bytes"));
  EXPECT_THAT(error.cause().text, HasSubstr("block[64]"));
  expect_fault("main_index", "out_of_bounds_main", "p->x[_MYID * 66]");
  expect_fault("transfer_too_long", "out_of_bounds_ldm", "athread_get(");
  const EmulatorError past =
      expect_fault("transfer_past_array", "out_of_bounds_main", "athread_get(");
  EXPECT_EQ(past.cpe(), 63);
  expect_fault("null_parameter", "null_pointer", "nothing[_MYID]");
  expect_fault("freed_block", "use_after_free", "block[0]");
  expect_fault("writes_input", "out_of_bounds_main", "p->x)[_MYID] = 1");
  expect_fault("puts_input", "out_of_bounds_main", "athread_put(");
}

TEST(Emulator, FindsWaitsThatCannotEnd) {
  expect_fault("endless_wait", "deadlock", "while (reply != 2)");
  const EmulatorError error = expect_fault("barrier_missed", "deadlock", "athread_syn");
  EXPECT_THAT(error.report().why, HasSubstr("CPE 0, like 62 others,"));
  expect_fault("endless_loop", "deadlock", "", {.step_budget = 1'000'000});
  const EmulatorError plain =
      expect_fault("plain_reply", "nonvolatile_reply", "while (reply != 1)");
  EXPECT_THAT(plain.cause().text, HasSubstr("athread_get"));
}

TEST(Emulator, ChecksTransfers) {
  expect_fault("misaligned", "misaligned_transfer", "athread_get(");
  expect_fault("bad_stride", "bad_transfer", "athread_get(");
  expect_fault("main_counter", "bad_transfer", "athread_get(");
}

TEST(Emulator, ChecksSpawnAndJoin) {
  expect_fault("no_init", "not_initialised", "athread_spawn");
  expect_fault("no_join", "missing_join", "athread_spawn");
  expect_fault("spawn_twice", "spawn_while_running", "athread_spawn");
}

TEST(Emulator, TilesTravelThroughRegisters) {
  for (const Mode mode : {Mode::Functional, Mode::Hazard}) {
    RunOptions options;
    options.mode = mode;
    options.seed = 3;
    const Outcome outcome = run_xy("register_product", options);
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t j = 0; j < 64; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 64; ++k) sum += outcome.x[i * 64 + k] * outcome.x[k * 64 + j];
        ASSERT_EQ(outcome.y[i * 64 + j], static_cast<float>(sum)) << i << ", " << j;
      }
    }
  }
}

TEST(Emulator, SurvivesWhatTheMpeProgramDoes) {
  expect_fault("mpe_index", "out_of_bounds_main", "table[i] = x[i]");
  expect_fault("mpe_null", "null_pointer", "strcpy(");
  expect_fault("mpe_freed", "out_of_bounds_main", "block[zero]");
  EXPECT_THROW(run_xy("mpe_exit"), DslError);
  EXPECT_THROW(run_xy("mpe_abort"), EmulatorError);
}

std::vector<RunOptions> landings_in_both_modes() {
  std::vector<RunOptions> all;
  for (const Mode mode : {Mode::Functional, Mode::Hazard}) {
    for (const Landing landing : {Landing::AtIssue, Landing::AtWait, Landing::Random}) {
      all.push_back({.mode = mode, .seed = 3, .landing = landing});
    }
  }
  return all;
}

TEST(Emulator, BroadcastsToTheRowsOfTheMask) {
  for (const RunOptions& options : landings_in_both_modes()) {
    const Outcome outcome = run_xy("broadcast", options);
    for (int i = 0; i < kElements; ++i) {
      const int row = i / 512;
      const int k = i % 64;
      const bool takes = row == 0 || row == 2 || row == 3;
      const int from = k / 8 * 16 + k % 8;
      ASSERT_EQ(outcome.y[static_cast<std::size_t>(i)],
                takes ? outcome.x[static_cast<std::size_t>(from)] : -1)
          << i;
    }
    EXPECT_EQ(outcome.result.get_bytes, 256);
  }
}

TEST(Emulator, DealsBlocksOutAlongTheRow) {
  for (const RunOptions& options : landings_in_both_modes()) {
    const Outcome outcome = run_xy("rank", options);
    for (int i = 0; i < kElements; ++i) {
      const int cpe = i / 64;
      const int issuer = cpe / 8 * 8 + i % 64 / 8;
      const int block = i % 8 / 4;
      const int from = issuer * 64 + (block * 8 + cpe % 8) * 4 + i % 4;
      ASSERT_EQ(outcome.y[static_cast<std::size_t>(i)], outcome.x[static_cast<std::size_t>(from)])
          << i;
    }
    EXPECT_EQ(outcome.result.get_bytes, kElements * 4);
  }
}

TEST(Emulator, SaysWhatItDoesNotHave) {
  EXPECT_THROW(run_xy("row_mode"), UnsupportedError);
  EXPECT_THROW(run_xy("physical_address"), UnsupportedError);
  EXPECT_THROW(run_xy("unknown_assembly"), UnsupportedError);
  try {
    run_xy("unknown_function");
    FAIL();
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.what(), HasSubstr("mystery"));
  }
}

TEST(Emulator, ReportsSourcesThatDoNotCompile) {
  try {
    run_xy("not_c");
    FAIL();
  } catch (const DslError& e) {
    EXPECT_THAT(e.report().where.text, HasSubstr("p->y[_MYID] = p->x[_MYID]"));
    EXPECT_THAT(e.report().why, HasSubstr("expected ';'"));
  }
}

TEST(Emulator, RefusesArgumentsThatDoNotFit) {
  const CompiledKernel compiled = compile(kernel("strided"));
  std::vector<float> x(kElements);
  std::vector<float> y(kElements - 1);
  const std::vector<Argument> arguments = {argument(x), argument(y)};
  EXPECT_THROW(run(compiled, arguments), ArgumentMismatchError);
  EXPECT_THROW(run(compiled, {}), ArgumentMismatchError);
  KernelSources wrong = kernel("strided");
  wrong.parameters[0].shape.clear();
  EXPECT_THROW(compile(wrong), DslError);
}

TEST(Emulator, SaysThatClangIsMissing) {
  setenv("SOLWAY_CLANG", "/nowhere/clang", 1);
  try {
    compile(kernel("saxpy"));
    ADD_FAILURE() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.what(), HasSubstr("SOLWAY_CLANG"));
  }
  unsetenv("SOLWAY_CLANG");
}

}  // namespace
}  // namespace solway::emulator
