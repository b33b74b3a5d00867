// The matrix product of the swTVM paper's Figure 2, scheduled and run from C++.
#include <iostream>

#include "driver/solway.h"

using namespace solway;

int main() {
  constexpr std::int64_t kM = 64, kN = 256, kK = 128;
  const Tensor A = placeholder({kM, kK}, DType::Float32, "A");
  const Tensor B = placeholder({kK, kN}, DType::Float32, "B");
  const Axis k = reduce_axis(0, kK, "k");
  const Tensor C = compute(
      {kM, kN}, {"x", "y"},
      [&](Axis x, Axis y) {
        return sum(A[{x, k}] * B[{k, y}], {k});
      },
      "C");

  Schedule s({C});
  const auto [yo, yi] = s[C].split("y", 64);
  const auto [ko, ki] = s[C].split(k, 32);
  s[C].reorder({yo, "x", ko, yi, ki});
  s.buffer_read(B, {.region = RegionLike{ki, yi}});
  s.buffer_read(A, {.region = RegionLike{ki}});
  s.buffer_write(C, {.region = RegionLike{yi}});
  std::cout << s.to_string() << s.ldm_report("sw26010");

  std::vector<float> a(kM * kK), b(kK * kN), c(kM * kN);
  for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<float>(n % 7) - 3;
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = static_cast<float>(n % 5) - 2;
  const Kernel matmul = build(s, {A, B, C}, {.target = "host", .name = "matmul"});
  matmul({a, b, c});

  for (std::int64_t x = 0; x < kM; ++x) {
    for (std::int64_t y = 0; y < kN; ++y) {
      float expected = 0;
      for (std::int64_t n = 0; n < kK; ++n) expected += a[x * kK + n] * b[n * kN + y];
      if (c[x * kN + y] != expected) {
        std::cerr << "C[" << x << ", " << y << "] is " << c[x * kN + y] << ", not " << expected
                  << '\n';
        return 1;
      }
    }
  }
  std::cout << "all " << kM * kN << " elements are right\n";
}
