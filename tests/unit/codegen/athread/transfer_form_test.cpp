#include "codegen/athread/transfer_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::codegen {
namespace {

using ir::make_buffer;

/// "dma: loops (4, 9000, 256) block (16, 1024) run 16 calls 4".
std::string form_text(const std::string& issue, DType type = DType::Float32,
                      const ir::Ranges& ranges = {}, const TransferLimits& limits = {}) {
  ir::Scope scope;
  scope.buffers["A"] = make_buffer("A", type, {64, 64, 64});
  scope.buffers["AA"] = make_buffer("AA", type, {16, 16, 16}, "ldm");
  scope.vars["i"] = ir::kInt64;
  scope.vars["n"] = ir::kInt64;
  const ir::Stmt s = ir::parse_stmt("issue AA get " + issue, scope);
  const TransferForm form = legal_form(s.as<ir::TransferIssue>(), ranges, limits);
  if (form.kind == TransferForm::Kind::Nothing) return "nothing";
  std::string text = form.kind == TransferForm::Kind::Dma ? "dma" : "copy";
  for (const ir::TransferDim& dim : form.loops) {
    text += " loop (" + to_string(dim.count) + ", " + to_string(dim.main_stride_elems) + ", " +
            std::to_string(dim.near_stride_elems) + ")";
  }
  if (form.block) {
    text += " block (" + to_string(form.block->count) + ", " +
            to_string(form.block->main_stride_elems) + ")";
  }
  if (form.plane) {
    text += " plane (" + to_string(form.plane->count) + ", " +
            to_string(form.plane->main_stride_elems) + ")";
  }
  text += " run " + to_string(form.run);
  if (form.units) {
    text += " in units of " + std::to_string(form.units->elems) + ", runs of " +
            std::to_string(form.units->run_elems);
  }
  for (const ir::Expr& guard : form.guards) text += " if " + to_string(guard);
  return text + " calls " + (form.calls ? std::to_string(*form.calls) : "?");
}

/// Of an engine that moves one contiguous piece of at most 256 bytes.
std::string piece_text(const std::string& issue, std::int64_t unit_bytes = 4,
                       std::int64_t min_bytes = 4) {
  return form_text(issue, DType::Float32, {}, {1, unit_bytes, min_bytes, 256, 256});
}

/// Of an engine of three ranks.
std::string plane_text(const std::string& issue, const ir::Ranges& ranges = {}) {
  return form_text(issue, DType::Float32, ranges, {3, 4, 4, 4096, 4096});
}

const char* const kAt = "A[0, 0, 0] -> AA[0, 0, 0] ";

TEST(TransferForm, OneRunIsOneContiguousCall) {
  EXPECT_EQ(form_text(std::string(kAt) + "(16, 1, 1)"), "dma run 16 calls 1");
}

TEST(TransferForm, NothingToMergeLeavesOneElement) {
  EXPECT_EQ(form_text(kAt), "dma run 1 calls 1");
  EXPECT_EQ(form_text(std::string(kAt) + "(1, 64, 16) (1, 1, 1)"), "dma run 1 calls 1");
}

TEST(TransferForm, RowsThatFollowEachOtherAreOneRun) {
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 64, 64) (64, 1, 1)"), "dma run 256 calls 1");
}

TEST(TransferForm, RowsWithAGapInMainMemoryAreTheStridedForm) {
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 64, 16) (16, 1, 1)"),
            "dma block (4, 64) run 16 calls 1");
}

TEST(TransferForm, TwoGapsOfOneStrideMergeIntoOneBlock) {
  EXPECT_EQ(form_text(std::string(kAt) + "(2, 256, 64) (4, 64, 16) (16, 1, 1)"),
            "dma block (8, 64) run 16 calls 1");
}

TEST(TransferForm, TheThirdRankIsPlanesOfBlocks) {
  EXPECT_EQ(plane_text(std::string(kAt) + "(3, 4096, 64) (4, 64, 16) (16, 1, 1)"),
            "dma block (4, 64) plane (3, 4096) run 16 calls 1");
  EXPECT_EQ(plane_text(std::string(kAt) + "(n, 4096, 64) (4, 64, 16) (16, 1, 1)", {{"n", {0, 3}}}),
            "dma block (4, 64) plane (n, 4096) run 16 if n calls ?");
  // A fourth one is a loop.
  EXPECT_EQ(plane_text(std::string(kAt) + "(2, 9000, 192) (3, 4096, 64) (4, 64, 16) (16, 1, 1)"),
            "dma loop (2, 9000, 192) block (4, 64) plane (3, 4096) run 16 calls 2");
}

TEST(TransferForm, PlanesFollowEachOtherInNearMemoryAndDoNotOverlap) {
  // A gap in near memory between the planes.
  EXPECT_EQ(plane_text(std::string(kAt) + "(3, 4096, 80) (4, 64, 16) (16, 1, 1)"),
            "dma loop (3, 4096, 80) block (4, 64) run 16 calls 3");
  // They lie between each other's blocks in main memory.
  EXPECT_EQ(plane_text(std::string(kAt) + "(3, 32, 64) (4, 128, 16) (16, 1, 1)"),
            "dma loop (3, 32, 64) block (4, 128) run 16 calls 3");
  // More than a transfer moves: 17 planes of 256 bytes.
  EXPECT_EQ(plane_text(std::string(kAt) + "(17, 4096, 64) (4, 64, 16) (16, 1, 1)"),
            "dma loop (17, 4096, 64) block (4, 64) run 16 calls 17");
  // How many blocks a plane has is not known.
  EXPECT_EQ(plane_text(std::string(kAt) + "(3, 4096, 64) (n, 64, 16) (16, 1, 1)", {{"n", {1, 4}}}),
            "dma loop (3, 4096, 64) block (n, 64) run 16 calls 3");
}

TEST(TransferForm, FurtherRanksAreLoopsAround) {
  EXPECT_EQ(form_text(std::string(kAt) + "(3, 4096, 256) (16, 64, 16) (16, 1, 1)"),
            "dma loop (3, 4096, 256) block (16, 64) run 16 calls 3");
}

TEST(TransferForm, AGapInTheLdmIsALoop) {
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 64, 16) (8, 1, 1)"),
            "dma loop (4, 64, 16) run 8 calls 4");
}

TEST(TransferForm, ATransposeMovesColumnsOfOneElement) {
  EXPECT_EQ(form_text(std::string(kAt) + "(16, 64, 1) (8, 1, 16)"),
            "dma loop (8, 1, 16) block (16, 64) run 1 calls 8");
}

TEST(TransferForm, ANegativeGapIsALoop) {
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 8, 16) (16, 1, 1)"),
            "dma loop (4, 8, 16) run 16 calls 4");
}

TEST(TransferForm, WithoutBlocksRowsAreALoop) {
  EXPECT_EQ(piece_text(std::string(kAt) + "(4, 64, 16) (16, 1, 1)"),
            "dma loop (4, 64, 16) run 16 calls 4");
}

TEST(TransferForm, ARunThatIsTooLongIsMovedInEqualPieces) {
  EXPECT_EQ(piece_text(std::string(kAt) + "(64, 1, 1)"), "dma run 64 calls 1");
  EXPECT_EQ(piece_text(std::string(kAt) + "(128, 1, 1)"), "dma loop (2, 64, 64) run 64 calls 2");
  EXPECT_EQ(piece_text(std::string(kAt) + "(105, 1, 1)"), "dma loop (3, 35, 35) run 35 calls 3");
}

TEST(TransferForm, ARunWithoutSuchPiecesIsCopied) {
  EXPECT_EQ(piece_text(std::string(kAt) + "(127, 1, 1)"), "copy run 127 calls 0");
  EXPECT_EQ(piece_text(std::string(kAt) + "(n, 1, 1)"), "copy run n if n calls 0");
}

TEST(TransferForm, WordsOfTheEngineDecide) {
  EXPECT_EQ(piece_text(std::string(kAt) + "(64, 1, 1)", 8), "dma run 64 calls 1");
  EXPECT_EQ(piece_text(std::string(kAt) + "(63, 1, 1)", 8), "copy run 63 calls 0");
  EXPECT_EQ(piece_text("A[0, 0, 1] -> AA[0, 0, 0] (62, 1, 1)", 8), "copy run 62 calls 0");
}

TEST(TransferForm, WhatIsTooSmallForTheEngineIsCopied) {
  EXPECT_EQ(piece_text(std::string(kAt) + "(16, 1, 1)", 4, 64), "dma run 16 calls 1");
  EXPECT_EQ(piece_text(std::string(kAt) + "(15, 1, 1)", 4, 64), "copy run 15 calls 0");
}

TEST(TransferForm, RowsInUnitsAreBlocksWhereAllBeginAtOnePlaceOfAUnit) {
  const ir::Ranges ranges{{"i", {0, 7}}};
  const TransferLimits limits{2, 16, 16, 4096, 4096};
  // Rows of 64, of which a tile has 5 anywhere in the first 16; the buffer's have 16.
  EXPECT_EQ(form_text("A[0, 0, i] -> AA[0, 0, (i % 4)] (4, 64, 16) (5, 1, 1) in units of 4",
                      DType::Float32, ranges, limits),
            "dma block (4, 64) run 5 in units of 4, runs of 16 calls 1");
  // The engine has no blocks.
  EXPECT_EQ(form_text("A[0, 0, i] -> AA[0, 0, (i % 4)] (4, 64, 16) (5, 1, 1) in units of 4",
                      DType::Float32, ranges, {1, 16, 16, 4096, 4096}),
            "dma loop (4, 64, 16) run 5 in units of 4, runs of 0 calls 4");
  // The last row's 16 would end behind the array.
  EXPECT_EQ(
      form_text("A[63, 60, (i + 52)] -> AA[0, 0, (i % 4)] (4, 64, 16) (5, 1, 1) in units of 4",
                DType::Float32, ranges, limits),
      "dma loop (4, 64, 16) run 5 in units of 4, runs of 0 calls 4");
}

TEST(TransferForm, WhatTheEngineMovesIsNotWidened) {
  EXPECT_EQ(form_text("A[0, 0, 4] -> AA[0, 0, 0] (4, 64, 16) (8, 1, 1) in units of 4",
                      DType::Float32, {}, {2, 16, 16, 4096, 4096}),
            "dma loop (4, 64, 16) run 8 calls 4");
}

TEST(TransferForm, UnitsThatTheEngineDoesNotMoveAreCopied) {
  EXPECT_EQ(form_text("A[0, 0, 1] -> AA[0, 0, 1] (5, 1, 1) in units of 4", DType::Float32, {},
                      {2, 32, 32, 4096, 4096}),
            "copy run 5 calls 0");
  EXPECT_EQ(form_text("A[0, 0, 1] -> AA[0, 0, 1] (5, 1, 1) in units of 4", DType::Float32, {},
                      {2, 16, 32, 4096, 4096}),
            "copy run 5 calls 0");
}

TEST(TransferForm, ASymbolicRunIsGuardedAndNotCounted) {
  EXPECT_EQ(form_text(std::string(kAt) + "(n, 1, 1)"), "dma run n if n calls ?");
  const ir::Ranges ranges{{"n", {1, 16}}};
  EXPECT_EQ(form_text(std::string(kAt) + "(n, 1, 1)", DType::Float32, ranges), "dma run n calls 1");
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 64, 16) (n, 1, 1)", DType::Float32, ranges),
            "dma loop (4, 64, 16) run n calls 4");
}

TEST(TransferForm, ASymbolicLoopIsNotCounted) {
  EXPECT_EQ(form_text(std::string(kAt) + "(n, 64, 16) (8, 1, 1)"),
            "dma loop (n, 64, 16) run 8 calls ?");
}

TEST(TransferForm, RowsAsLongAsASizeAreTheStridedFormWhereTheGapIsCertain) {
  const std::string rows = std::string(kAt) + "(4, n, 16) (16, 1, 1)";
  EXPECT_EQ(form_text(rows, DType::Float32, {{"n", {17, 4096}}}),
            "dma block (4, n) run 16 calls 1");
  EXPECT_EQ(form_text(rows, DType::Float32, {{"n", {16, 4096}}}),
            "dma loop (4, n, 16) run 16 calls 4");
  EXPECT_EQ(form_text(rows, DType::Float32, {{"n", {17, std::int64_t{1} << 40}}}),
            "dma loop (4, n, 16) run 16 calls 4");  // the gap is an int
}

TEST(TransferForm, BytesInRowsAsLongAsASize) {
  const std::string rows = std::string(kAt) + "(4, n, 16) (16, 1, 1)";
  EXPECT_EQ(form_text(rows, DType::Int8, {{"n", {20, 4096, 4}}}),
            "dma block (4, n) run 16 calls 1");
  EXPECT_EQ(form_text(rows, DType::Int8, {{"n", {20, 4096, 2}}}),
            "copy block (4, n) run 16 calls 0");
}

TEST(TransferForm, AnEmptyDimensionMovesNothing) {
  EXPECT_EQ(form_text(std::string(kAt) + "(0, 64, 16) (16, 1, 1)"), "nothing");
}

TEST(TransferForm, BytesAreCopiedUnlessEverythingIsAMultipleOfFour) {
  EXPECT_EQ(form_text(std::string(kAt) + "(4, 64, 16) (16, 1, 1)", DType::Int8),
            "dma block (4, 64) run 16 calls 1");
  EXPECT_EQ(form_text(std::string(kAt) + "(3, 1, 1)", DType::Int8), "copy run 3 calls 0");
  EXPECT_EQ(form_text("A[0, 0, i] -> AA[0, 0, 0] (16, 1, 1)", DType::Int8), "copy run 16 calls 0");
  EXPECT_EQ(form_text("A[0, i, (i * 4)] -> AA[0, 0, 0] (16, 1, 1)", DType::Int8),
            "dma run 16 calls 1");
}

}  // namespace
}  // namespace solway::codegen
