// One kernel for all numbers of rows, whose whole tiles run code that a person wrote: sizes,
// specialize, tensorize, a change of layout, and a question about what is legal, all from C++.
#include <iostream>

#include "driver/solway.h"

using namespace solway;

namespace {

constexpr std::int64_t kN = 24, kK = 16;

/// A tile of 4 rows and 8 columns of a matrix product over all of k, as an expression and as C.
Intrinsic tile_of_product() {
  const Tensor X = placeholder({4, kK}, DType::Float32, "X");
  const Tensor Y = placeholder({kK, 8}, DType::Float32, "Y");
  const Axis k = reduce_axis(0, kK, "k");
  const Tensor Z = compute(
      {4, 8}, {"i", "j"},
      [&](Axis i, Axis j) {
        return sum(X[{i, k}] * Y[{k, j}], {k});
      },
      "Z");
  return intrinsic(Z,
                   {{"c",
                     "for (int i = 0; i < 4; ++i)\n"
                     "  for (int k = 0; k < 16; ++k)\n"
                     "    for (int j = 0; j < 8; ++j)\n"
                     "      Z[i * Z_stride0 + j * Z_stride1] +=\n"
                     "          X[i * X_stride0 + k * X_stride1] *\n"
                     "          Y[k * Y_stride0 + j * Y_stride1];"}},
                   "tile_4x8");
}

/// Whether the kernel is right for `rows` rows of A.
bool is_right(const Kernel& product, std::size_t rows) {
  std::vector<float> a(rows * kK), b(kK * kN), c(rows * kN);
  for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<float>(n % 7) - 3;
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = static_cast<float>(n % 5) - 2;
  product({a, b, c});  // the number of rows follows from the number of elements of A
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < kN; ++j) {
      float expected = 0;
      for (std::size_t n = 0; n < kK; ++n) expected += a[i * kK + n] * b[n * kN + j];
      if (c[i * kN + j] == expected) continue;
      std::cerr << "C[" << i << ", " << j << "] of " << rows << " rows is " << c[i * kN + j]
                << ", not " << expected << '\n';
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  try {
    const Size m = size("m", 1, 1000);
    const Tensor A = placeholder({m, kK}, DType::Float32, "A");
    const Tensor B = placeholder({kK, kN}, DType::Float32, "B");
    const Axis k = reduce_axis(0, kK, "k");
    const Tensor C = compute(
        {m, kN}, {"i", "j"},
        [&](Axis i, Axis j) {
          return sum(A[{i, k}] * B[{k, j}], {k});
        },
        "C");

    Schedule s({C});
    // B in panels of 8 columns, copied once.
    s.transform_layout(B, {"r", "c"}, [](Axis r, Axis c) {
      return std::vector<Expr>{floor_divide(c, 8), r, c % 8};
    });
    const auto [io, jo, ii, ji] = s[C].tile("i", "j", 4, 8);
    // Outside of the loops of a tile there is one iteration of k, and C is initialised before it.
    const auto [ko, ki] = s[C].split(k, kK);
    s[C].reorder({io, jo, ko, ii, ji, ki});
    // Whole tiles run the code, the rows that are left plain loops.
    const Tensor rest = s[C].specialize({io * 4 + 4 <= m});
    s[C].tensorize(ii, tile_of_product());
    const Verdict verdict = s.legal([&] { s[rest].vectorize("k.i"); });
    std::cout << s.to_string() << "vectors over k: " << (verdict ? "legal" : verdict.error())
              << '\n';

    const Kernel product = build(s, {A, B, C}, {.target = "c", .name = "product"});
    for (const std::size_t rows : {1, 3, 4, 10, 64}) {
      if (!is_right(product, rows)) return 1;
    }
    std::cout << "all products are right\n";
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
