#include "codegen/athread/emit_athread.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

#include "tests/support/golden.h"
#include "tests/unit/codegen/athread/run_athread.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The matrix product of the paper's Figure 2, smaller: 512 columns in tiles of 128.
constexpr const char* kMatmul = R"(
kernel matmul(in A: float32[1, 256], in B: float32[256, 512], out C: float32[1, 512]) {
  for yo in [0, 4) parallel {
    allocate CC: float32[1, 128] in ldm align 64 {
      for yi in [0, 128) { CC[0, yi] = 0.0f32 }
      for ko in [0, 4) {
        allocate AA: float32[1, 64] in ldm {
          allocate BB: float32[64, 128] in ldm {
            issue AA get A[0, (ko * 64)] -> AA[0, 0] (64, 1, 1)
            issue BB get B[(ko * 64), (yo * 128)] -> BB[0, 0] (64, 512, 128) (128, 1, 1)
            wait AA
            wait BB
            for ki in [0, 64) {
              for yi in [0, 128) { CC[0, yi] = (CC[0, yi] + (AA[0, ki] * BB[ki, yi])) }
            }
          }
        }
      }
      issue CC put CC[0, 0] -> C[0, (yo * 128)] (128, 1, 1)
      wait CC
    }
  }
})";

/// Figure 4 of the paper.
constexpr const char* kVectorAdd = R"(
kernel vadd(in v1: float32[1024], in v2: float32[1024], out v: float32[1024]) {
  for i in [0, 1024) parallel { v[i] = (v1[i] + v2[i]) }
})";

std::map<std::string, std::string> emit(const std::string& text,
                                        const AthreadOptions& options = {}) {
  return emit_athread(ir::parse_kernel(text), options);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

template <class T>
std::vector<T> iota(std::size_t size, T first = 0) {
  std::vector<T> v(size);
  std::iota(v.begin(), v.end(), first);
  return v;
}

TEST(EmitAthread, FilesOfAFigure2Kernel) {
  const auto files = emit(kMatmul);
  ASSERT_EQ(files.size(), 5u);
  expect_golden("matmul/matmul.h", files.at("matmul.h"));
  expect_golden("matmul/matmul.c", files.at("matmul.c"));
  expect_golden("matmul/matmul_cpe.c", files.at("matmul_cpe.c"));
  expect_golden("matmul/kernel.toml", files.at("kernel.toml"));
  expect_golden("matmul/Makefile", files.at("Makefile"));
}

TEST(EmitAthread, CpeFileOfAFigure4Kernel) {
  expect_golden("vadd/vadd_cpe.c", emit(kVectorAdd).at("vadd_cpe.c"));
}

TEST(EmitAthread, TheSameKernelGivesTheSameBytes) { EXPECT_EQ(emit(kMatmul), emit(kMatmul)); }

TEST(EmitAthread, RunsAFigure2Kernel) {
  const HostKernel run("matmul", emit(kMatmul));
  std::vector<float> a(256);
  std::vector<float> b(std::size_t{256} * 512);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 11) - 5;
  std::vector<float> c(512, -1);
  std::vector<float> expected(512, 0);
  for (std::size_t k = 0; k < 256; ++k) {
    for (std::size_t y = 0; y < 512; ++y) expected[y] += a[k] * b[k * 512 + y];
  }
  ASSERT_EQ(run(a.data(), b.data(), c.data()), 0);
  EXPECT_EQ(c, expected);
}

TEST(EmitAthread, RunsAFigure4Kernel) {
  const HostKernel run("vadd", emit(kVectorAdd));
  const std::vector<float> a = iota<float>(1024);
  std::vector<float> v(1024);
  ASSERT_EQ(run(a.data(), a.data(), v.data()), 0);
  for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], 2 * static_cast<float>(i));
}

TEST(EmitAthread, ChunksCoverAnyExtentAndCoreCount) {
  for (const int cores : {1, 7, 64}) {
    const HostKernel run("fill", emit(R"(
      kernel fill(out C: int32[100]) {
        for i in [3, 93) parallel { C[i] = (C[i] + int32(i)) }
      })",
                                      {cores, 65536}));
    std::vector<std::int32_t> c(100, 0);
    ASSERT_EQ(run(c.data()), 0);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(c[i], i >= 3 && i < 93 ? i : 0) << cores << " " << i;
  }
}

/// The second nest reads what other cores wrote in the first.
constexpr const char* kThreeNests = R"(
kernel nests(in A: int32[640], out C: int32[640], out D: int32[64]) {
  allocate T: int32[640] {
    for i in [0, 640) parallel { T[i] = (A[i] * 2i32) }
    barrier
    for j in [0, 640) parallel { C[j] = (T[(639 - j)] + 1i32) }
    for k in [0, 64) parallel { D[k] = int32(k) }
  }
})";

TEST(EmitAthread, ABarrierBetweenNests) {
  const auto files = emit(kThreeNests);
  EXPECT_EQ(count(files.at("nests_cpe.c"), "athread_syn(ARRAY_SCOPE, 0xffff);"), 1u);
  const HostKernel run("nests", files);
  const std::vector<std::int32_t> a = iota<std::int32_t>(640);
  std::vector<std::int32_t> c(640);
  std::vector<std::int32_t> d(64);
  ASSERT_EQ(run(a.data(), c.data(), d.data()), 0);
  for (int j = 0; j < 640; ++j) ASSERT_EQ(c[j], 2 * (639 - j) + 1);
  EXPECT_EQ(d, iota<std::int32_t>(64));
}

TEST(EmitAthread, NestsThatShareBytesKeepTheirOrder) {
  AthreadOptions options;
  options.near_offsets = {{"X", 0}, {"Y", 0}};
  const auto files = emit(R"(
kernel nests(in a: int32[64], in b: float32[64], out c: int32[64], out d: float32[64]) {
  allocate X: int32[4] in ldm { allocate Y: float32[2, 2] in ldm {
    for i in [0, 64) parallel { X[1] = a[i] c[i] = (X[1] + 1i32) }
    for i in [0, 64) parallel { Y[1, 0] = b[i] d[i] = (Y[1, 0] * 2.0f32) }
    Y[0, 1] = b[0]
    d[0] = Y[0, 1]
  } }
})",
                          options);
  const std::string& cpe = files.at("nests_cpe.c");
  EXPECT_THAT(cpe, HasSubstr("static __thread_local char ldm[16] __attribute__((aligned(32)));"));
  EXPECT_THAT(cpe, HasSubstr("int *X = (int *)ldm;"));
  EXPECT_THAT(cpe, HasSubstr("float (*Y)[2] = (float (*)[2])ldm;"));
  EXPECT_EQ(count(cpe, "__asm__ __volatile__"), 3u);
  const HostKernel run("nests", files);
  const std::vector<std::int32_t> a = iota<std::int32_t>(64);
  const std::vector<float> b(64, 3.0F);
  std::vector<std::int32_t> c(64);
  std::vector<float> d(64);
  ASSERT_EQ(run(a.data(), b.data(), c.data(), d.data()), 0);
  EXPECT_EQ(c, iota<std::int32_t>(64, 1));
  EXPECT_EQ(d[0], 3.0F);
  EXPECT_EQ(d[63], 6.0F);
}

TEST(EmitAthread, CoreZeroAndTheOthersWaitForEachOther) {
  const auto files = emit(R"(
    kernel mixed(in A: int32[640], out C: int32[640]) {
      allocate T: int32[640] {
        allocate S: int32[1] {
          for i in [0, 640) parallel { T[i] = (A[i] * 2i32) }
          barrier
          S[0] = 0i32
          for j in [0, 640) { S[0] = (S[0] + T[j]) }
          barrier
          let scale = 3i32 { for k in [0, 640) parallel { C[k] = (S[0] * scale) } }
        }
      }
    })");
  EXPECT_EQ(count(files.at("mixed_cpe.c"), "athread_syn"), 2u);
  EXPECT_EQ(count(files.at("mixed_cpe.c"), "if (id == 0) {"), 1u);
  const HostKernel run("mixed", files);
  const std::vector<std::int32_t> a = iota<std::int32_t>(640);
  std::vector<std::int32_t> c(640);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  EXPECT_EQ(c, std::vector<std::int32_t>(640, 639 * 640 * 3));
}

TEST(EmitAthread, NestsWithoutAParallelLoopRunOnCoreZero) {
  const auto files = emit(R"(
    kernel sums(in A: int32[8], inout S: int32[2]) {
      for i in [0, 8) { S[0] = (S[0] + A[i]) }
      S[1] = (S[0] * 2i32)
    })");
  EXPECT_EQ(count(files.at("sums_cpe.c"), "if (id == 0) {"), 1u);
  EXPECT_THAT(files.at("sums_cpe.c"), Not(HasSubstr("athread_syn")));
  const HostKernel run("sums", files);
  const std::vector<std::int32_t> a = iota<std::int32_t>(8);
  std::vector<std::int32_t> s(2, 0);
  ASSERT_EQ(run(a.data(), s.data()), 0);
  EXPECT_EQ(s, (std::vector<std::int32_t>{28, 56}));
}

/// Each core runs the loop over t; core 0 adds up what all of them wrote in its step.
constexpr const char* kSteps = R"(
kernel steps(inout H: int32[5, 100], out S: int32[5]) {
  for t in [1, 5) {
    if (1 < t) { barrier }
    for i in [0, 100) parallel { H[t, i] = (H[(t - 1), (99 - i)] + S[(t - 1)]) }
    barrier
    S[t] = 0i32
    for j in [0, 100) { S[t] = (S[t] + (H[t, j] % 7i32)) }
  }
})";

TEST(EmitAthread, EveryCoreRunsTheLoopsAroundAParallelOne) {
  const auto files = emit(kSteps);
  const std::string& text = files.at("steps_cpe.c");
  EXPECT_EQ(count(text, "athread_syn"), 2u);
  EXPECT_EQ(count(text, "if (id == 0) {"), 1u);
  EXPECT_THAT(text,
              HasSubstr("for (long t = 1; t < 5; ++t) {\n    if (1 < t) {\n      athread_syn"));
  const HostKernel run("steps", files);
  std::vector<std::int32_t> h(500, 0);
  std::iota(h.begin(), h.begin() + 100, 0);
  std::vector<std::int32_t> s(5, 0);
  std::vector<std::int32_t> expected = h;
  std::vector<std::int32_t> sums(5, 0);
  for (std::size_t t = 1; t < 5; ++t) {
    for (std::size_t i = 0; i < 100; ++i) {
      expected[t * 100 + i] = expected[t * 100 - 1 - i] + sums[t - 1];
      sums[t] += expected[t * 100 + i] % 7;
    }
  }
  ASSERT_EQ(run(h.data(), s.data()), 0);
  EXPECT_EQ(h, expected);
  EXPECT_EQ(s, sums);
}

TEST(EmitAthread, ConditionsAroundAParallelLoop) {
  const HostKernel run("halves", emit(R"(
    kernel halves(out C: int32[4, 70]) {
      for t in [0, 4) {
        if (t < 2) { for i in [0, 70) parallel { C[t, i] = int32(i) } }
        else { C[t, 0] = 7i32 for i in [1, 70) parallel { C[t, i] = int32(t) } }
      }
    })"));
  std::vector<std::int32_t> c(280, -1);
  ASSERT_EQ(run(c.data()), 0);
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 70; ++i) ASSERT_EQ(c[t * 70 + i], t < 2 ? i : i == 0 ? 7 : t);
  }
}

TEST(EmitAthread, TemporariesInsideAParallelLoopDoNotMeet) {
  const HostKernel run("own", emit(R"(
    kernel own(in A: int32[64, 33], out C: int32[64]) {
      for i in [0, 64) parallel {
        allocate P: int32[3, 11] {
          for j in [0, 33) { P[(j // 11), (j % 11)] = A[i, j] }
          C[i] = 0i32
          for j in [0, 33) { C[i] = (C[i] + P[(j // 11), (j % 11)]) }
        }
      }
    })"));
  const std::vector<std::int32_t> a = iota<std::int32_t>(std::size_t{64} * 33);
  std::vector<std::int32_t> c(64);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(c[i], std::accumulate(&a[i * 33], &a[i * 33] + 33, 0));
  }
}

TEST(EmitAthread, DoubleBuffersCountEachSlot) {
  const auto files = emit(R"(
    kernel pipe(in A: int32[64, 50], out C: int32[64, 50]) {
      for i in [0, 64) parallel {
        allocate AA: int32[2, 8] in ldm {
          issue AA get A[i, 0] -> AA[0, 0] (8, 1, 1) slot 0 of 2
          for t in [0, 7) {
            if ((t + 1) < 7) {
              issue AA get A[i, ((t + 1) * 8)] -> AA[((t + 1) % 2), 0] (min(8, (50 - ((t + 1) * 8))), 1, 1) slot ((t + 1) % 2) of 2
            }
            wait AA slot (t % 2)
            for e in [0, min(8, (50 - (t * 8)))) { C[i, ((t * 8) + e)] = (AA[(t % 2), e] + 1i32) }
          }
        }
      }
    })");
  EXPECT_THAT(files.at("pipe_cpe.c"), HasSubstr("volatile int AA_reply[2];"));
  const HostKernel run("pipe", files);
  const std::vector<std::int32_t> a = iota<std::int32_t>(std::size_t{64} * 50);
  std::vector<std::int32_t> c(std::size_t{64} * 50);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  EXPECT_EQ(c, iota<std::int32_t>(std::size_t{64} * 50, 1));
}

TEST(EmitAthread, OddBytesAreCopiedByLoadsAndStores) {
  const auto files = emit(R"(
    kernel bytes(in A: int8[64, 7, 5], out C: int8[64, 7, 3]) {
      for i in [0, 64) parallel {
        allocate AA: int8[7, 3] in ldm {
          issue AA get A[i, 0, 1] -> AA[0, 0] (7, 5, 3) (3, 1, 1)
          wait AA
          issue CC put AA[0, 0] -> C[i, 0, 0] (7, 3, 3) (3, 1, 1)
          wait CC
        }
      }
    })");
  EXPECT_THAT(files.at("bytes_cpe.c"), HasSubstr("by loads and stores"));
  EXPECT_THAT(files.at("bytes_cpe.c"), Not(HasSubstr("AA_reply")));
  const HostKernel run("bytes", files);
  std::vector<std::int8_t> a(std::size_t{64} * 35);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int8_t>(i % 101);
  std::vector<std::int8_t> c(std::size_t{64} * 21);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    ASSERT_EQ(c[i], a[i / 21 * 35 + i % 21 / 3 * 5 + i % 3 + 1]) << i;
  }
}

TEST(EmitAthread, BoundsMayBeConditionals) {
  const auto files = emit(R"(
    kernel tails(in A: int8[64, 7], out C: int8[64, 7]) {
      for i in [0, 64) parallel {
        allocate AA: int8[7] in ldm {
          issue AA get A[i, 0] -> AA[0] (select((i == 3), 5, 7), 1, 1)
          wait AA
          for j in [0, select((i == 3), 5, 7)) {
            C[i, j] = AA[j]
          }
        }
      }
    })");
  const HostKernel run("tails", files);
  std::vector<std::int8_t> a(std::size_t{64} * 7);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int8_t>(i % 101);
  std::vector<std::int8_t> c(std::size_t{64} * 7, -1);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    ASSERT_EQ(c[i], i / 7 == 3 && i % 7 >= 5 ? -1 : a[i]) << i;
  }
}

TEST(EmitAthread, RemarksOnTransfersThatTheEngineCannotDo) {
  const ir::Kernel kernel = ir::parse_kernel(R"(
    kernel bytes(in A: int8[64, 8], in B: int8[64, 7], out C: int8[64, 8]) {
      for i in [0, 64) parallel {
        allocate AA: int8[8] in ldm {
          allocate BB: int8[7] in ldm {
            issue AA_get get A[i, 0] -> AA[0] (8, 1, 1)
            wait AA_get
            issue BB_get get B[i, 0] -> BB[0] (7, 1, 1)
            wait BB_get
            C[i, 0] = (AA[0] + BB[0])
          }
        }
      }
    })");
  Remarks remarks;
  emit_athread(kernel, {}, &remarks);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "transfer 'BB_get'");
  EXPECT_EQ(remarks[0].verdict, "copied by loads and stores");
  EXPECT_THAT(remarks[0].why, HasSubstr("multiples of 4 bytes"));
}

TEST(EmitAthread, SymbolicCountsAreGuardedAndCounted) {
  const auto files = emit(R"(
    kernel ragged(in A: float32[64, 64], out C: float32[64, 64]) {
      for i in [0, 64) parallel {
        allocate AA: float32[4, 64] in ldm {
          issue AA get A[i, 0] -> AA[1, 0] (i, 1, 1)
          wait AA
          issue CC put AA[1, 0] -> C[i, 0] ((i // 2), 2, 2) (min(i, 2), 1, 1)
          wait CC
        }
      }
    })");
  EXPECT_THAT(files.at("ragged_cpe.c"), HasSubstr("while (AA_reply != expected);"));
  const HostKernel run("ragged", files);
  const std::vector<float> a = iota<float>(std::size_t{64} * 64);
  std::vector<float> c(std::size_t{64} * 64, -1);
  ASSERT_EQ(run(a.data(), c.data()), 0);
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      ASSERT_EQ(c[i * 64 + j], j < i / 2 * 2 ? a[i * 64 + j] : -1) << i << " " << j;
    }
  }
}

/// Rows of n elements, the first 16 of each through the LDM.
constexpr const char* kRows = R"(
kernel rows(in A: float32[<= 4096], out C: float32[<= 4096], in sizes: int64[2])
    requires ((sizes[1] % 4) == 0) {
  let m = sizes[0] {
    let n = sizes[1] {
      for i in [0, ((m + 3) // 4)) parallel {
        allocate AA: float32[4, 16] in ldm {
          issue AA get A[((i * 4) * n)] -> AA[0, 0] (min((m - (i * 4)), 4), n, 16) (16, 1, 1)
          wait AA
          issue CC put AA[0, 0] -> C[((i * 4) * n)] (min((m - (i * 4)), 4), n, 16) (16, 1, 1)
          wait CC
        }
      }
    }
  }
})";

/// The first 16 columns of each row are copied.
void expect_rows(const HostKernel& run, std::int64_t m, std::int64_t n) {
  const std::vector<std::int64_t> sizes{m, n};
  const auto elems = static_cast<std::size_t>(m * n);
  const std::vector<float> a = iota<float>(elems);
  std::vector<float> c(elems, -1);
  ASSERT_EQ(run(a.data(), c.data(), sizes.data()), 0);
  for (std::size_t k = 0; k < elems; ++k) {
    ASSERT_EQ(c[k], k % static_cast<std::size_t>(n) < 16 ? a[k] : -1) << m << " " << n;
  }
}

TEST(EmitAthread, RunsWithEveryValueOfItsSizes) {
  for (const std::int64_t least : {1, 17}) {  // loops of calls, and the strided form
    AthreadOptions options;
    options.sizes = {{"m", {1, 64}}, {"n", {least, 64}}};
    const auto files = emit(kRows, options);
    const std::string& cpe = files.at("rows_cpe.c");
    EXPECT_EQ(cpe.find("(n - 16) * 4") != std::string::npos, least == 17) << cpe;
    EXPECT_THAT(files.at("kernel.toml"), HasSubstr("shape = [4096]\nat_most = true"));
    const HostKernel run("rows", files);
    for (const std::int64_t n : {20, 24, 64}) {
      for (const std::int64_t m : {1, 4, 7, 64}) expect_rows(run, m, n);
    }
    const std::vector<std::int64_t> sizes{1, 21};
    float a = 1;
    float c = -1;
    EXPECT_EQ(run(&a, &c, sizes.data()), 4);
    EXPECT_EQ(c, -1);
  }
}

TEST(EmitAthread, ConstantsLieInTheFileOfTheMpe) {
  ir::Kernel kernel = ir::parse_kernel(R"(
    kernel scale(in W: float32[2, 3], out C: float32[2, 3]) {
      for i in [0, 2) parallel {
        allocate WW: float32[3] in ldm {
          issue WW get W[i, 0] -> WW[0] (3, 1, 1)
          wait WW
          for j in [0, 3) { C[i, j] = (WW[j] + 1.0f32) }
        }
      }
    })");
  const std::vector<float> values{0.5F, -1.0F, 3.0F, INFINITY, 1e-30F, 7.0F};
  const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
  kernel.constants.push_back(
      {kernel.params[0].buffer, std::make_shared<const std::vector<std::byte>>(
                                    bytes, bytes + values.size() * sizeof(float))});
  kernel.params.erase(kernel.params.begin());
  const HostKernel run("scale", emit_athread(kernel, {}));
  std::vector<float> c(6);
  ASSERT_EQ(run(c.data()), 0);
  for (std::size_t k = 0; k < c.size(); ++k) EXPECT_EQ(c[k], values[k] + 1.0F);
}

TEST(EmitAthread, IntegersWrapAndNamesOfCAreRenamed) {
  const HostKernel run("wrap", emit(R"(
    kernel wrap(in int: int32[64], in wrap: int8[64], out id: int32[64], out exp: int8[64]) {
      for for in [0, 64) parallel {
        let args = (int[for] * int[for]) {
          allocate acc: int32[] in register {
            acc[] = ((args + int[for]) // 7i32)
            id[for] = acc[]
            exp[for] = (wrap[for] + neg(abs(wrap[for])))
          }
        }
      }
    })"));
  std::vector<std::int32_t> a(64);
  std::vector<std::int8_t> b(64);
  for (int i = 0; i < 64; ++i) a[i] = 1000003 * i - 7;
  for (int i = 0; i < 64; ++i) b[i] = static_cast<std::int8_t>(i * 2 - 128);
  std::vector<std::int32_t> c(64);
  std::vector<std::int8_t> d(64);
  ASSERT_EQ(run(a.data(), b.data(), c.data(), d.data()), 0);
  for (int i = 0; i < 64; ++i) {
    const auto u = static_cast<std::uint32_t>(a[i]);
    const auto sum = static_cast<std::int32_t>(u * u + u);
    ASSERT_EQ(c[i], sum / 7 - (sum % 7 < 0 ? 1 : 0)) << i;
    ASSERT_EQ(d[i], static_cast<std::int8_t>(b[i] - std::abs(b[i]))) << i;
  }
}

TEST(EmitAthread, LinesOfTheUserAreComments) {
  const ir::Buffer c = ir::make_buffer("C", DType::Int32, {4});
  const SourceLoc where{"user.py", 7, "C = sw.compute(...)  # */"};
  const ir::Kernel kernel{
      "k",
      {{c, ir::Role::Out}},
      ir::Store::make(c, {ir::IntImm::make(0)}, ir::IntImm::make(1, DType::Int32), where),
      {}};
  EXPECT_THAT(emit_athread(kernel).at("k_cpe.c"),
              HasSubstr("/* user.py:7: C = sw.compute(...)  # * / */"));
}

/// Two cores with a scratchpad 'near', and transfers of words of 8 bytes.
AthreadOptions generic_machine(int ranks) {
  AthreadOptions options;
  options.cores = 2;
  options.machine = "generic";
  options.near = "near";
  options.transfers = {ranks, 8, 64, 4096, 4096};
  return options;
}

/// Rows of 16 floats, and of 5, which are no whole words of 8 bytes.
constexpr const char* kGeneric = R"(
kernel rows(in A: float32[32, 64], in B: float32[8, 5], out C: float32[32, 16]) {
  for i in [0, 4) parallel {
    allocate AA: float32[8, 16] in near align 64 {
      allocate BB: float32[5] in near {
        issue AA get A[(i * 8), 0] -> AA[0, 0] (8, 64, 16) (16, 1, 1)
        issue BB get B[i, 0] -> BB[0] (5, 1, 1)
        wait AA
        wait BB
        for r in [0, 8) {
          for c in [0, 16) { AA[r, c] = (AA[r, c] + BB[0]) }
        }
        issue CC put AA[0, 0] -> C[(i * 8), 0] (128, 1, 1)
        wait CC
      }
    }
  }
  barrier
  for j in [0, 16) parallel { C[31, j] = C[0, j] }
})";

TEST(EmitAthread, FilesOfAGenericKernel) {
  const auto files = emit(kGeneric, generic_machine(2));
  ASSERT_EQ(files.size(), 5u);
  expect_golden("generic/rows.h", files.at("rows.h"));
  expect_golden("generic/rows.c", files.at("rows.c"));
  expect_golden("generic/rows_core.c", files.at("rows_core.c"));
  expect_golden("generic/kernel.toml", files.at("kernel.toml"));
  expect_golden("generic/Makefile", files.at("Makefile"));
}

TEST(EmitAthread, AnEngineWithoutBlocksGetsRowByRow) {
  const std::string core = emit(kGeneric, generic_machine(1)).at("rows_core.c");
  EXPECT_THAT(core, Not(HasSubstr("_blocks(")));
  EXPECT_THAT(core, HasSubstr("scratchpad_wait(&AA_reply, 8);"));
}

TEST(EmitAthread, AGenericKernelReadsItsArgumentsInWholeTransfers) {
  AthreadOptions options = generic_machine(2);
  options.transfers.unit_bytes = 16;
  const std::string header = emit(kGeneric, options).at("rows.h");
  EXPECT_THAT(header, HasSubstr("SCRATCHPAD_ALIGNED(16) const float *A;"));
  EXPECT_THAT(header, HasSubstr("char fill[64];"));
  options.transfers = {2, 4, 4, 4096, 4096};
  const std::string plain = emit(kGeneric, options).at("rows.h");
  EXPECT_THAT(plain, Not(HasSubstr("SCRATCHPAD_ALIGNED")));
  EXPECT_THAT(plain, Not(HasSubstr("fill")));
}

TEST(EmitAthread, ParametersLongerThanATransferAreLoaded) {
  AthreadOptions options = generic_machine(2);
  options.transfers.max_bytes = 8;  // less than two addresses
  const std::string core = emit(kGeneric, options).at("rows_core.c");
  EXPECT_THAT(core, HasSubstr("args = *(const rows_args *)main_args;"));
  EXPECT_THAT(core, Not(HasSubstr("args_reply")));
  // Filled up to the least transfer they are longer than the longest.
  options.transfers.min_bytes = options.transfers.max_bytes = options.transfers.unit_bytes = 64;
  EXPECT_THAT(emit(kGeneric, options).at("rows_core.c"), HasSubstr("args = *(const rows_args *)"));
}

TEST(EmitAthread, RefusesANameOfC) {
  try {
    emit("kernel main(out C: int32[1]) { C[0] = 1i32 }");
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.what(), HasSubstr("a kernel named 'main'"));
    EXPECT_THAT(e.report().fix, HasSubstr("name="));
  }
}

/// The CPE's statements for `body`, with A, B and C in main memory and AA and CC in the LDM.
std::string vector_code(const std::string& body, const AthreadOptions& options = {}) {
  const auto files = emit(
      "kernel k(in A: float32[64], in B: float32[64], out C: float32[64]) {"
      " for i in [0, 64) parallel {"
      "  allocate AA: float32[8, 16] in ldm { allocate CC: float32[8, 16] in ldm { " +
          body + " } } } }",
      options);
  const std::string& code = files.at("k_cpe.c");
  return code.substr(code.find("long i = "));
}

TEST(EmitAthread, VectorsLoadBeforeTheyCompute) {
  EXPECT_THAT(vector_code("vstore(CC[0, 0], 4) = (vload(CC[0, 0], 4) + (broadcast(AA[i, 1], 4) * "
                          "vload(AA[i, 4], 4)))"
                          "vstore(CC[0, 4], 4) = (broadcast(AA[i, 1], 4) - vload(AA[i, 4], 4))"),
              HasSubstr("        floatv4 v0, v1, v2, v3, v4;\n"
                        "        simd_load(v0, &CC[0][0]);\n"
                        "        simd_loade(v1, &AA[i][1]);\n"
                        "        simd_load(v2, &AA[i][4]);\n"
                        "        v3 = simd_vmas(v1, v2, v0);\n"
                        "        v4 = simd_vsubs(v1, v2);\n"
                        "        simd_store(v3, &CC[0][0]);\n"
                        "        simd_store(v4, &CC[0][4]);\n"));
}

TEST(EmitAthread, FunctionsOfSeveralVectorsAreOneCall) {
  const std::string code = vector_code(
      "vstore(CC[0, 0], 4) = (exp(vload(AA[i, 0], 4)) * broadcast(2.0f32, 4))"
      "vstore(CC[0, 4], 4) = (exp(vload(AA[i, 4], 4)) * broadcast(2.0f32, 4))");
  EXPECT_THAT(code, HasSubstr("exp_of_2(&v1, &v5);\n"));
  EXPECT_THAT(code, HasSubstr("simd_store(v3, &CC[0][0]);\n        simd_store(v6, &CC[0][4]);\n"));
}

TEST(EmitAthread, WhatLiesApartIsLoadedBeforeOthersAreStored) {
  const std::string apart = vector_code(
      "vstore(CC[0, 0], 4) = (vload(CC[0, 0], 4) * vload(AA[i, 0], 4))"
      "vstore(CC[0, 4], 4) = (vload(CC[0, 4], 4) * vload(AA[i, 4], 4))");
  EXPECT_LT(apart.find("simd_load(v3, &CC[0][4])"), apart.find("simd_store("));
  for (const char* place : {"CC[0, 1]", "CC[0, i]"}) {  // an element in common, or who knows
    const std::string near = vector_code(
        "vstore(CC[0, 0], 4) = (vload(CC[0, 0], 4) * vload(AA[i, 0], 4))"
        "vstore(CC[0, 8], 4) = (vload(" +
        std::string(place) + ", 4) * vload(AA[i, 4], 4))");
    EXPECT_GT(near.rfind("simd_loadu("), near.find("simd_store(")) << place;
  }
}

TEST(EmitAthread, AVectorAloneIsOneExpression) {
  EXPECT_THAT(
      vector_code("vstore(CC[0, 0], 4) = (neg(vload(AA[i, 0], 4)) / rsqrt(vload(AA[i, 4], 4)))"),
      HasSubstr("simd_vdivs(simd_vcpysn(v0, v0), simd_vdivs(v2, simd_vsqrts(v1)))"));
}

TEST(EmitAthread, VectorsThatWereStoredAreLoadedAfterwards) {
  const std::string code = vector_code(
      "vstore(CC[0, 0], 4) = vload(AA[i, 4], 4) vstore(CC[1, 0], 4) = vload(CC[0, 0], 4)");
  const std::size_t stored = code.find("&CC[0][0]);");
  EXPECT_THAT(code.substr(stored), HasSubstr("simd_load(v0, &CC[0][0]);"));
  // Arguments may be one array.
  const std::string main =
      vector_code("vstore(C[0], 4) = vload(A[0], 4) vstore(C[4], 4) = vload(B[0], 4)");
  EXPECT_THAT(main.substr(main.find("simd_storeu")), HasSubstr("simd_loadu(v0, &B[0]);"));
}

TEST(EmitAthread, VectorsAreAlignedOrSaySo) {
  EXPECT_THAT(vector_code("vstore(CC[i, 4], 4) = vload(AA[0, (i * 4)], 4)"),
              HasSubstr("simd_load(v0, &AA[0][i * 4]);"));
  EXPECT_THAT(vector_code("vstore(CC[i, 2], 4) = vload(AA[0, i], 4)"),
              testing::AllOf(HasSubstr("simd_loadu(v0, &AA[0][i]);"),
                             HasSubstr("simd_storeu(v0, &CC[i][2]);")));
}

TEST(EmitAthread, VectorsAreNotAlignedWhereBuffersBeginInsideOne) {
  AthreadOptions options;
  options.near_alignment_bytes = 8;
  EXPECT_THAT(vector_code("vstore(CC[i, 4], 4) = vload(AA[0, (i * 4)], 4)", options),
              testing::AllOf(HasSubstr("simd_loadu(v0, &AA[0][i * 4]);"),
                             HasSubstr("simd_storeu(v0, &CC[i][4]);")));
}

TEST(EmitAthread, RegistersAreVariablesWhereTheyNeedNoAddress) {
  EXPECT_THAT(
      vector_code("allocate R: float32[8] in register { vstore(R[4], 4) = vload(AA[0, 0], "
                  "4) R[0] = AA[0, 0] vstore(CC[0, 0], 4) = vload(R[4], 4) CC[1, 0] = R[0] }"),
      testing::AllOf(HasSubstr("float R_0;"), HasSubstr("floatv4 R_1;"),
                     HasSubstr("simd_load(R_1, &AA[0][0]);"),
                     HasSubstr("simd_store(R_1, &CC[0][0]);"), HasSubstr("= R_0;")));
  EXPECT_THAT(vector_code("allocate R: float32[8] in register { vstore(R[2], 4) = vload(AA[0, 0], "
                          "4) R[3] = AA[0, 0] CC[1, 0] = R[3] }"),
              testing::AllOf(HasSubstr("float R[8];"), HasSubstr("simd_storeu(v0, &R[2]);")));
}

TEST(EmitAthread, LanesAreCombined) {
  EXPECT_THAT(vector_code("CC[0, 0] = (CC[0, 0] + reduce_sum(vload(AA[0, 0], 4)))"),
              HasSubstr("CC[0][0] = CC[0][0] + ((simd_vextf0(v0) + simd_vextf1(v0)) + "
                        "(simd_vextf2(v0) + simd_vextf3(v0)));"));
}

}  // namespace
}  // namespace solway::codegen
