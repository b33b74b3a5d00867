#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Copies a square of A, rows 1 to 4 and columns from 2 on, through T to C; `last` is the place
/// from which the last row comes.
std::string square(const std::string& last, const std::string& scope = "panel") {
  return R"(
kernel k(in A: float32[6, 9], out C: float32[4, 4]) {
  allocate T: float32[5, 4] in )" +
         scope + R"( {
    vstore(T[0, 0], 4) = vload(A[1, 2], 4, stride 9)
    vstore(T[1, 0], 4) = vload(A[1, 3], 4, stride 9)
    vstore(T[2, 0], 4) = vload(A[1, 4], 4, stride 9)
    vstore(T[4, 0], 4) = vload(A[)" +
         last + R"(], 4, stride 9)
    for r in [0, 3) {
      vstore(C[r, 0], 4) = vload(T[r, 0], 4)
    }
    vstore(C[3, 0], 4) = vload(T[4, 0], 4)
  }
}
)";
}

std::vector<float> turned(const JitKernel& kernel) {
  std::vector<float> a(54);
  for (int k = 0; k < 54; ++k) a[k] = static_cast<float>(k);
  std::vector<float> c(16, -1.0f);
  EXPECT_EQ(run(kernel, a, c), KernelStatus::Ok);
  return c;
}

std::vector<float> expected(float last) {
  std::vector<float> out;
  for (const float start : {11.0f, 12.0f, 13.0f, last}) {
    for (int lane = 0; lane < 4; ++lane) out.push_back(start + 9.0f * static_cast<float>(lane));
  }
  return out;
}

TEST(TurnedSquare, RowsAreLoadedWholeAndTurned) {
  const JitKernel kernel = compile_text(square("1, 5"));
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("gather")));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("shufflevector"));
  EXPECT_EQ(turned(kernel), expected(14));
}

TEST(TurnedSquare, PlacesThatAreNoNeighboursAreGathered) {
  const JitKernel kernel = compile_text(square("1, 1"));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("gather"));
  EXPECT_EQ(turned(kernel), expected(10));
}

/// T[r, :] = A[:, r] + 2 * B[:, r], in squares of 4 x 4.
TEST(TurnedSquare, OfArgumentsAndWithinExpressions) {
  std::string stores;
  for (int row = 0; row < 4; ++row) {
    const std::string n = std::to_string(row);
    stores += "  vstore(T[" + n + ", 0], 4) = (vload(A[0, " + n +
              "], 4, stride 5) + (broadcast(2.0f32, 4) * vload(B[0, " + n + "], 4, stride 6)))\n";
  }
  const JitKernel kernel =
      compile_text("kernel k(in A: float32[4, 5], in B: float32[4, 6], out T: float32[4, 4]) {\n" +
                   stores + "}\n");
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("gather")));
  std::vector<float> a(20);
  std::vector<float> b(24);
  for (int k = 0; k < 20; ++k) a[k] = static_cast<float>(k);
  for (int k = 0; k < 24; ++k) b[k] = static_cast<float>(100 * k);
  std::vector<float> t(16, -1.0f);
  ASSERT_EQ(run(kernel, a, b, t), KernelStatus::Ok);
  for (int r = 0; r < 4; ++r) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(t[r * 4 + j], a[j * 5 + r] + 2 * b[j * 6 + r]);
  }
}

/// T[r, :m] = A[:m, r], of rows that are as far apart as the call says. Rows that are not there lie
/// outside of A.
TEST(TurnedSquare, PartsOfRowsAsFarApartAsACallSays) {
  std::string stores;
  for (int row = 0; row < 4; ++row) {
    const std::string n = std::to_string(row);
    stores += "  vstore(T[" + n + ", 0], 4, active sizes[0]) = vload(A[" + n +
              "], 4, stride sizes[1], active sizes[0])\n";
  }
  const JitKernel kernel =
      compile_text("kernel k(in A: float32[<= 64], out T: float32[4, 4], in sizes: int64[2]) {\n" +
                   stores + "}\n");
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("gather")));
  std::vector<float> a(20);
  for (int k = 0; k < 20; ++k) a[k] = static_cast<float>(k);
  for (const std::int64_t active : {-1, 0, 1, 3, 4, 7}) {
    std::vector<float> t(16, -1.0f);
    std::vector<std::int64_t> sizes = {active, 5};
    ASSERT_EQ(run(kernel, a, t, sizes), KernelStatus::Ok);
    for (int r = 0; r < 4; ++r) {
      for (int j = 0; j < 4; ++j) EXPECT_EQ(t[r * 4 + j], j < active ? a[j * 5 + r] : -1.0f);
    }
  }
}

/// Rows of a square that its own buffer holds may have been stored before they are loaded.
TEST(TurnedSquare, NotOfTheBufferThatIsStored) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[16], out T: float32[32]) {
  vstore(T[16], 16) = vload(A[0], 16)
  vstore(T[0], 4) = vload(T[16], 4, stride 4)
  vstore(T[17], 4) = vload(T[17], 4, stride 4)
  vstore(T[4], 4) = vload(T[18], 4, stride 4)
  vstore(T[8], 4) = vload(T[19], 4, stride 4)
}
)");
  std::vector<float> a(16);
  for (int k = 0; k < 16; ++k) a[k] = static_cast<float>(k);
  std::vector<float> t(32, -1.0f);
  ASSERT_EQ(run(kernel, a, t), KernelStatus::Ok);
  EXPECT_EQ(std::vector<float>(t.begin() + 4, t.begin() + 12),
            (std::vector<float>{5, 6, 10, 14, 9, 7, 11, 15}));
}

TEST(TurnedSquare, LanesOfSixteen) {
  std::string stores;
  for (int row = 0; row < 16; ++row) {
    const std::string n = std::to_string(row);
    stores += "    vstore(T[" + n + ", 0], 16) = vload(A[0, " + n + "], 16, stride 20)\n";
  }
  const JitKernel kernel = compile_text(
      "kernel k(in A: int32[16, 20], out C: int32[16, 16]) {\n"
      "  allocate T: int32[16, 16] in panel {\n" +
      stores +
      "    for r in [0, 16) { vstore(C[r, 0], 16) = vload(T[r, 0], 16) }\n"
      "  }\n}\n");
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("gather")));
  std::vector<int> a(16 * 20);
  for (int k = 0; k < 16 * 20; ++k) a[k] = k;
  std::vector<int> c(16 * 16, -1);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (int r = 0; r < 16; ++r) {
    for (int j = 0; j < 16; ++j) EXPECT_EQ(c[r * 16 + j], j * 20 + r);
  }
}

/// Of 16 lanes each, the last of which ends where A does: no more of a row of A is read.
JitKernel few_rows(int rows) {
  std::string stores;
  for (int row = 0; row < rows; ++row) {
    const std::string n = std::to_string(row);
    stores += "  vstore(T[" + n + ", 0], 16) = vload(A[0, " + n + "], 16, stride " +
              std::to_string(rows) + ")\n";
  }
  const std::string n = std::to_string(rows);
  return compile_text("kernel k(in A: float32[16, " + n + "], out T: float32[" + n + ", 16]) {\n" +
                      stores + "}\n");
}

TEST(TurnedSquare, FewRowsAreTurnedWithMasks) {
  for (const int rows : {2, 3, 5, 7, 12, 15, 16, 17, 23}) {
    const JitKernel kernel = few_rows(rows);
    const bool has_masks = kernel.llvm_ir().find("-masks") != std::string::npos;
    if (has_masks && rows > 4 && rows < 17) {
      EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("gather"))) << rows;
    }
    if (rows == 17) {  // one more is no square
      EXPECT_THAT(kernel.llvm_ir(), HasSubstr("gather"));
    }
    const auto count = static_cast<std::size_t>(rows) * 16;
    std::vector<float> a(count);
    for (std::size_t k = 0; k < count; ++k) a[k] = static_cast<float>(k);
    std::vector<float> t(count, -1.0f);
    ASSERT_EQ(run(kernel, a, t), KernelStatus::Ok);
    for (int r = 0; r < rows; ++r) {
      for (int j = 0; j < 16; ++j) EXPECT_EQ(t[r * 16 + j], a[j * rows + r]) << rows;
    }
  }
}

/// Of two operands one goes on: the other's rows are gathered.
TEST(TurnedSquare, OperandsThatGoOnAreTurned) {
  std::string stores;
  for (int row = 0; row < 4; ++row) {
    const std::string n = std::to_string(row);
    const std::string other = std::to_string(row == 3 ? 0 : row);
    stores += "  vstore(T[" + n + ", 0], 4) = (vload(A[0, " + n + "], 4, stride 5) + vload(B[0, " +
              other + "], 4, stride 6))\n";
  }
  const JitKernel kernel =
      compile_text("kernel k(in A: float32[4, 5], in B: float32[4, 6], out T: float32[4, 4]) {\n" +
                   stores + "}\n");
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("shufflevector"));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("gather"));
  std::vector<float> a(20);
  std::vector<float> b(24);
  for (int k = 0; k < 20; ++k) a[k] = static_cast<float>(k);
  for (int k = 0; k < 24; ++k) b[k] = static_cast<float>(100 * k);
  std::vector<float> t(16, -1.0f);
  ASSERT_EQ(run(kernel, a, b, t), KernelStatus::Ok);
  for (int r = 0; r < 4; ++r) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(t[r * 4 + j], a[j * 5 + r] + b[j * 6 + (r == 3 ? 0 : r)]);
  }
}

}  // namespace
}  // namespace solway::codegen
