#include <cstddef>
#include <iterator>

#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {
namespace {

/// erf(|x|) by polynomials around a place c near the middle of each interval of `width`, where
/// erf(c) is a float32 but for the last intervals.
template <std::size_t Powers, std::size_t Intervals>
llvm::Value* by_intervals(FloatOps& ops, llvm::Value* magnitude, double width,
                          const float (&places)[Intervals], const float (&values)[Intervals],
                          const float (&slopes)[Powers][Intervals]) {
  constexpr double kEnd = 0x1.f7p1;  // within the last interval; from there on erf is 1
  llvm::Value* bounded = ops.at_most(magnitude, kEnd);
  llvm::Value* interval =
      ops.bits(ops.fma(bounded, ops.number(1 / width), ops.number(ops.to_integer())));
  llvm::Value* t = ops.sub(bounded, ops.picked(interval, places));
  llvm::Value* slope = ops.picked(interval, slopes[Powers - 1]);
  for (int power = static_cast<int>(Powers) - 2; power >= 0; --power) {
    slope = ops.fma(slope, t, ops.picked(interval, slopes[power]));
  }
  // The first interval's polynomial is that of erf(x) - x, as a product with erf(x) / x would be
  // rounded twice. Its value in the table is 0, those of the others are above width / 2.
  llvm::Value* near_zero = ops.at_most(bounded, width / 2);
  return ops.fma(slope, t, ops.larger(near_zero, ops.picked(interval, values)));
}

/// By one polynomial below 1, and above 1 - exp of another one.
llvm::Value* by_halves(FloatOps& ops, llvm::Value* x) {
  llvm::Value* small = ops.fma(x, ops.polynomial(ops.mul(x, x), kErfSmall), x);
  // 1 - exp(log(1 - erf(|x|))). From 4 on it is 1.
  llvm::Value* magnitude = ops.abs(x);
  llvm::Value* bounded = ops.at_most(magnitude, 4);
  llvm::Value* e = scaled_within(ops, scaled_exp(ops, ops.polynomial(bounded, kErfLarge)));
  llvm::Value* large = ops.sub(ops.number(1), e);
  llvm::Value* is_small = ops.b.CreateFCmpOLT(magnitude, ops.number(1));
  return ops.b.CreateSelect(is_small, small, ops.copysign(large, x));
}

/// As by_halves, for float64: with a polynomial of log(1 - erf(|x|)) for each of two ranges
/// above 1.
llvm::Value* of_double(FloatOps& ops, llvm::Value* x) {
  constexpr double kFarBegin = 2.25;
  constexpr double kNearMiddle = 1.625;
  constexpr double kFarMiddle = 4.125;
  llvm::Value* magnitude = ops.abs(x);
  llvm::Value* small = ops.fma(x, ops.polynomial(ops.mul(x, x), kDoubleErfSmall), x);
  llvm::Value* bounded = ops.at_most(magnitude, 6);  // from there on it is 1
  llvm::Value* is_far = ops.b.CreateFCmpOGE(bounded, ops.number(kFarBegin));
  const auto picked = [&](double near, double far) {
    return ops.b.CreateSelect(is_far, ops.number(far), ops.number(near));
  };
  static_assert(std::size(kDoubleErfNear) == std::size(kDoubleErfFar));
  constexpr int kLast = static_cast<int>(std::size(kDoubleErfNear)) - 1;
  llvm::Value* from_middle = ops.sub(bounded, picked(kNearMiddle, kFarMiddle));
  llvm::Value* log = picked(kDoubleErfNear[kLast], kDoubleErfFar[kLast]);
  for (int power = kLast - 1; power >= 0; --power) {
    log = ops.fma(log, from_middle, picked(kDoubleErfNear[power], kDoubleErfFar[power]));
  }
  llvm::Value* large = ops.sub(ops.number(1), scaled_within(ops, scaled_exp(ops, log)));
  llvm::Value* is_small = ops.b.CreateFCmpOLT(magnitude, ops.number(1));
  return ops.b.CreateSelect(is_small, small, ops.copysign(large, x));
}

}  // namespace

llvm::Value* float_erf(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  if (ops.is_double()) return of_double(ops, x);
  const auto by_tables = [&](double width, const auto&... tables) {
    return ops.copysign(by_intervals(ops, ops.abs(x), width, tables...), x);
  };
  if (ops.picks(std::size(kErfPlaces))) {
    return by_tables(1.0 / 8, kErfPlaces, kErfValues, kErfSlopes);
  }
  if (ops.picks(std::size(kErfWidePlaces))) {
    return by_tables(17.0 / 32, kErfWidePlaces, kErfWideValues, kErfWideSlopes);
  }
  return by_halves(ops, x);
}

}  // namespace solway::codegen::detail
