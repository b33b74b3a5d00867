#include "lowering/array_memory.h"

#include <optional>

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "lowering/lower.h"
#include "schedule/fuse.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

/// B[i, j] = A[i, j] + A[i, j]; C[i, j] = B[i, j] + B[i, j]
struct TwoStages {
  dsl::Tensor a, b, c;

  TwoStages(std::int64_t rows, std::int64_t columns) {
    a = dsl::make_placeholder({rows, columns}, DType::Float32, "A", samples::at(1));
    b = twice(a, "B");
    c = twice(b, "C");
  }

  static dsl::Tensor twice(const dsl::Tensor& of, const std::string& name) {
    const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, of->shape[0], samples::at(2));
    const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, of->shape[1], samples::at(2));
    const auto read =
        dsl::make_read(of, {samples::value_of(i), samples::value_of(j)}, samples::at(2));
    return dsl::make_compute(of->shape, {i, j},
                             dsl::make_binary(BinaryOp::Add, read, read, samples::at(2)), name,
                             samples::at(2));
  }

  /// The memory of B in the kernel of `state`.
  std::string memory_of_b(const schedule::State& state,
                          const std::optional<CoreGroup>& cores) const {
    const std::string text =
        ir::to_string(lower(state, {a, c}, "k", {}, "panel", TransferDims::Merged, cores).kernel);
    const std::size_t begin = text.find("allocate B: ") + 12;
    return text.substr(begin, text.find(']', begin) + 1 - begin);
  }
  schedule::State plain() const { return schedule::make_state({c}, samples::at(5)); }
};

TEST(ArrayMemory, RowsOfStagesDoNotLieInTheSamePlacesOfACache) {
  const CoreGroup threads{CoreGroup::kAnyNumber, {}};
  const TwoStages far(8, 1024);
  EXPECT_EQ(far.memory_of_b(far.plain(), threads), "float32[8, 1040]");
  EXPECT_EQ(far.memory_of_b(far.plain(), std::nullopt), "float32[8, 1024]");
  EXPECT_EQ(far.memory_of_b(far.plain(), CoreGroup{64, {8, 8}}), "float32[8, 1024]");
  const TwoStages few(3, 1024);  // the cache keeps three
  EXPECT_EQ(few.memory_of_b(few.plain(), threads), "float32[3, 1024]");
  const TwoStages apart(8, 1000);
  EXPECT_EQ(apart.memory_of_b(apart.plain(), threads), "float32[8, 1000]");
}

TEST(ArrayMemory, RowsThatAFusedLoopGoesThroughStayTogether) {
  const CoreGroup threads{CoreGroup::kAnyNumber, {}};
  const TwoStages far(8, 1024);
  for (const char* stage : {"B", "C"}) {
    const schedule::State state = far.plain();
    const auto fused = schedule::fuse(state, stage, state.stage_loops.at(stage), samples::at(6));
    EXPECT_EQ(far.memory_of_b(fused.state, threads), "float32[8, 1024]");
  }
}

TEST(ArrayMemory, OfSizesHasANameOfItsOwn) {
  const TwoStages stages(8, 16);
  schedule::Program program = *stages.plain().program;
  EXPECT_EQ(memory_of_sizes(program)->name, "sizes");
  program.arrays["sizes"] = program.arrays.at("A");
  EXPECT_EQ(memory_of_sizes(program)->name, "sizes_");
}

TEST(ArrayMemory, RowsOfRegistersAreWholeVectors) {
  const TwoStages stages(3, 5);
  const schedule::State state = stages.plain();
  const schedule::Array& array = state.program->array("B");
  EXPECT_EQ(memory_of(array, "register", LaneMemory::Shared)->shape,
            (std::vector<std::int64_t>{3, 16}));
  EXPECT_EQ(memory_of(array, "register", LaneMemory::Own)->shape,
            (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(memory_of(array, "panel", LaneMemory::Shared)->shape,
            (std::vector<std::int64_t>{3, 5}));
}

}  // namespace
}  // namespace solway::lowering
