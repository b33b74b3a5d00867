#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using ir::Expr;

enum class Form { Scalar, Vector };

constexpr int kLanes = 8;

/// Bool is stored as one byte, 0 or 1.
struct Boolean {
  std::uint8_t byte = 0;
};

template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, Boolean>) return DType::Bool;
  if constexpr (std::is_same_v<T, std::int8_t>) return DType::Int8;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::Int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::Int64;
  if constexpr (std::is_same_v<T, float>) return DType::Float32;
  if constexpr (std::is_same_v<T, double>) return DType::Float64;
}

bool same(Boolean a, Boolean b) { return a.byte == b.byte; }
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
std::string show(Boolean a) { return std::to_string(a.byte); }
template <class T>
std::string show(T a) {
  return std::to_string(a);
}

/// Corner values and random ones of all magnitudes.
template <class T>
std::vector<T> samples(std::mt19937_64& random) {
  std::vector<T> values;
  if constexpr (std::is_same_v<T, Boolean>) {
    return {{0}, {1}};
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    values = {0, 1, -1, 2, -2, 3, -3, 7, -7, 100, Limits::min(), Limits::max(), Limits::min() + 1};
    for (int i = 0; i < 12; ++i) {
      values.push_back(static_cast<T>(static_cast<T>(random()) >> (random() % (8 * sizeof(T)))));
    }
  } else {
    using Limits = std::numeric_limits<T>;
    const T inf = Limits::infinity();
    values = {T(0),          T(-0.0),
              T(1),          T(-1),
              T(0.5),        T(-0.5),
              T(1.5),        T(2.5),
              T(-2.5),       T(3),
              T(-3),         T(7),
              T(-0.1),       inf,
              -inf,          Limits::quiet_NaN(),
              Limits::max(), Limits::lowest(),
              Limits::min(), Limits::denorm_min(),
              T(1e10),       T(-3e9),
              T(130),        T(-129)};
    std::normal_distribution<T> normal(0, 10);
    for (int i = 0; i < 12; ++i) values.push_back(normal(random));
  }
  return values;
}

ir::Buffer buffer_of(const std::string& name, DType type, std::int64_t size) {
  return ir::make_buffer(name, type, {size});
}

/// C[i] = make(A[i], B[i]) over all elements; the vector form has a partial last vector.
template <class Make>
JitKernel elementwise(DType in, DType out, std::int64_t size, Form form, Make make) {
  const ir::Buffer a = buffer_of("A", in, size);
  const ir::Buffer b = buffer_of("B", in, size);
  const ir::Buffer c = buffer_of("C", out, size);
  const Expr i = ir::Var::make("i");
  ir::Stmt body;
  Expr end = ir::IntImm::make(size);
  if (form == Form::Scalar) {
    body = ir::Store::make(c, {i}, make(ir::Load::make(a, {i}), ir::Load::make(b, {i})));
  } else {
    const ir::Lanes lanes{kLanes, false};
    const Expr first = ir::Binary::make(BinaryOp::Mul, i, ir::IntImm::make(kLanes));
    const Expr active = ir::Binary::make(BinaryOp::Sub, end, first);
    const Expr value = make(ir::VectorLoad::make(a, {first}, 1, lanes, active),
                            ir::VectorLoad::make(b, {first}, 1, lanes, active));
    body = ir::VectorStore::make(c, {first}, 1, value, active);
    end = ir::IntImm::make((size + kLanes - 1) / kLanes);
  }
  ir::Kernel kernel{"elementwise",
                    {{a, ir::Role::In}, {b, ir::Role::In}, {c, ir::Role::Out}},
                    ir::For::make("i", ir::IntImm::make(0), end, ir::ForKind::Serial, body),
                    {}};
  return JitKernel::compile(kernel);
}

/// Compares `make` on every pair of samples with `reference`, in both forms.
template <class In, class Out, class Make, class Reference>
void check(const std::string& name, Make make, Reference reference) {
  std::mt19937_64 random(2026);
  const std::vector<In> values = samples<In>(random);
  std::vector<In> a;
  std::vector<In> b;
  for (const In x : values) {
    for (const In y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  for (const Form form : {Form::Scalar, Form::Vector}) {
    const auto size = static_cast<std::int64_t>(a.size());
    const JitKernel kernel = elementwise(dtype_of<In>(), dtype_of<Out>(), size, form, make);
    std::vector<Out> c(a.size() + kLanes);
    ASSERT_EQ(run(kernel, a, b, c), KernelStatus::Ok);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Out expected = reference(a[i], b[i]);
      ASSERT_TRUE(same(c[i], expected))
          << name << " of " << to_string(dtype_of<In>()) << (form == Form::Vector ? " vector" : "")
          << ": " << show(a[i]) << ", " << show(b[i]) << " gave " << show(c[i]) << ", expected "
          << show(expected);
    }
  }
}

template <class In, class Out = In, class Reference>
void check_binary(BinaryOp op, Reference reference) {
  check<In, Out>(
      std::string(to_string(op)),
      [op](const Expr& a, const Expr& b) { return ir::Binary::make(op, a, b); }, reference);
}

template <class T, class Reference>
void check_unary(UnaryOp op, Reference reference) {
  check<T, T>(
      std::string(to_string(op)),
      [op](const Expr& a, const Expr&) { return ir::Unary::make(op, a); },
      [&](T a, T) { return reference(a); });
}

template <class From, class To, class Reference>
void check_cast(Reference reference) {
  check<From, To>(
      "cast to " + std::string(to_string(dtype_of<To>())),
      [](const Expr& a, const Expr&) { return ir::Cast::make(a, dtype_of<To>()); },
      [&](From a, From) { return reference(a); });
}

template <class T>
class IntegerArith : public ::testing::Test {};
using Integers = ::testing::Types<std::int8_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(IntegerArith, Integers);

/// The low bits of exact arithmetic.
template <class T>
T wrap(__int128 value) {
  return static_cast<T>(static_cast<std::uint64_t>(value));
}

template <class T>
T floor_div(T a, T b) {
  if (b == 0) return 0;
  __int128 q = static_cast<__int128>(a) / b;
  if (static_cast<__int128>(a) % b != 0 && (a < 0) != (b < 0)) --q;
  return wrap<T>(q);
}

template <class T>
T floor_mod(T a, T b) {
  if (b == 0) return 0;
  const __int128 r = static_cast<__int128>(a) % b;
  return wrap<T>(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

template <class T>
T slow_power(T base, T exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  std::uint64_t result = 1;
  for (int bit = 62; bit >= 0; --bit) {
    result *= result;
    if (((static_cast<std::int64_t>(exponent) >> bit) & 1) != 0) {
      result *= static_cast<std::uint64_t>(static_cast<std::int64_t>(base));
    }
  }
  return static_cast<T>(result);
}

TYPED_TEST(IntegerArith, WrapsAndRoundsDown) {
  using T = TypeParam;
  using Wide = __int128;
  check_binary<T>(BinaryOp::Add, [](T a, T b) { return wrap<T>(static_cast<Wide>(a) + b); });
  check_binary<T>(BinaryOp::Sub, [](T a, T b) { return wrap<T>(static_cast<Wide>(a) - b); });
  check_binary<T>(BinaryOp::Mul, [](T a, T b) { return wrap<T>(static_cast<Wide>(a) * b); });
  check_binary<T>(BinaryOp::FloorDiv, floor_div<T>);
  check_binary<T>(BinaryOp::Mod, floor_mod<T>);
  check_binary<T>(BinaryOp::Min, [](T a, T b) { return std::min(a, b); });
  check_binary<T>(BinaryOp::Max, [](T a, T b) { return std::max(a, b); });
  check_binary<T>(BinaryOp::Pow, slow_power<T>);
  check_unary<T>(UnaryOp::Neg, [](T a) { return wrap<T>(-static_cast<Wide>(a)); });
  check_unary<T>(UnaryOp::Abs,
                 [](T a) { return wrap<T>(a < 0 ? -static_cast<Wide>(a) : static_cast<Wide>(a)); });
}

TYPED_TEST(IntegerArith, DividesByConstants) {
  using T = TypeParam;
  for (const T divisor : {T(0), T(1), T(-1), T(2), T(16), T(64), T(-4), T(3), T(-7)}) {
    const Expr literal = ir::IntImm::make(divisor, dtype_of<T>());
    const auto constant = [&](BinaryOp op) {
      return [op, literal](const Expr& a, const Expr&) {
        const Expr b =
            a.type().is_vector() ? ir::Broadcast::make(literal, a.type().lanes) : literal;
        return ir::Binary::make(op, a, b);
      };
    };
    const std::string by = " by " + show(divisor);
    check<T, T>("//" + by, constant(BinaryOp::FloorDiv),
                [&](T a, T) { return floor_div<T>(a, divisor); });
    check<T, T>("%" + by, constant(BinaryOp::Mod),
                [&](T a, T) { return floor_mod<T>(a, divisor); });
  }
}

template <class T>
Boolean boolean(T value) {
  return {static_cast<std::uint8_t>(value ? 1 : 0)};
}

template <class T>
void check_comparisons() {
  check_binary<T, Boolean>(BinaryOp::Lt, [](T a, T b) { return boolean(a < b); });
  check_binary<T, Boolean>(BinaryOp::Le, [](T a, T b) { return boolean(a <= b); });
  check_binary<T, Boolean>(BinaryOp::Gt, [](T a, T b) { return boolean(a > b); });
  check_binary<T, Boolean>(BinaryOp::Ge, [](T a, T b) { return boolean(a >= b); });
  check_binary<T, Boolean>(BinaryOp::Eq, [](T a, T b) { return boolean(a == b); });
  check_binary<T, Boolean>(BinaryOp::Ne, [](T a, T b) { return boolean(a != b); });
}

TYPED_TEST(IntegerArith, Compares) { check_comparisons<TypeParam>(); }

TEST(BoolArith, CombinesAndCompares) {
  using B = Boolean;
  check_binary<B, B>(BinaryOp::And, [](B a, B b) { return boolean(a.byte & b.byte); });
  check_binary<B, B>(BinaryOp::Or, [](B a, B b) { return boolean(a.byte | b.byte); });
  check_binary<B, B>(BinaryOp::Eq, [](B a, B b) { return boolean(a.byte == b.byte); });
  check_binary<B, B>(BinaryOp::Ne, [](B a, B b) { return boolean(a.byte != b.byte); });
  check_unary<B>(UnaryOp::Not, [](B a) { return boolean(a.byte == 0); });
}

template <class T>
class FloatArith : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FloatArith, Floats);

/// NumPy's npy_divmod: quotient and remainder.
template <class T>
std::pair<T, T> numpy_divmod(T a, T b) {
  T mod = std::fmod(a, b);
  if (b == 0) return {a / b, mod};
  T div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(T(0), b);
  }
  T floor = 0;
  if (div != 0) {
    floor = std::floor(div);
    if (div - floor > T(0.5)) floor += 1;
  } else {
    floor = std::copysign(T(0), a / b);
  }
  return {floor, mod};
}

TYPED_TEST(FloatArith, FollowsIeeeAndNumPy) {
  using T = TypeParam;
  check_binary<T>(BinaryOp::Add, [](T a, T b) { return a + b; });
  check_binary<T>(BinaryOp::Sub, [](T a, T b) { return a - b; });
  check_binary<T>(BinaryOp::Mul, [](T a, T b) { return a * b; });
  check_binary<T>(BinaryOp::Div, [](T a, T b) { return a / b; });
  check_binary<T>(BinaryOp::FloorDiv, [](T a, T b) { return numpy_divmod(a, b).first; });
  check_binary<T>(BinaryOp::Mod, [](T a, T b) { return numpy_divmod(a, b).second; });
  check_binary<T>(BinaryOp::Min, [](T a, T b) { return std::isnan(a) ? a : (a < b ? a : b); });
  check_binary<T>(BinaryOp::Max, [](T a, T b) { return std::isnan(a) ? a : (a > b ? a : b); });
  check_binary<T>(BinaryOp::Pow, [](T a, T b) { return std::pow(a, b); });
}

TYPED_TEST(FloatArith, Compares) { check_comparisons<TypeParam>(); }

TYPED_TEST(FloatArith, MathFunctionsAreThoseOfTheLibrary) {
  using T = TypeParam;
  check_unary<T>(UnaryOp::Neg, [](T a) { return -a; });
  check_unary<T>(UnaryOp::Abs, [](T a) { return std::fabs(a); });
  check_unary<T>(UnaryOp::Sqrt, [](T a) { return std::sqrt(a); });
  check_unary<T>(UnaryOp::Rsqrt, [](T a) { return 1 / std::sqrt(a); });
  if constexpr (std::is_same_v<T, double>) {  // others are our own: vector_math's tests
    check_unary<T>(UnaryOp::Sin, [](T a) { return std::sin(a); });
    check_unary<T>(UnaryOp::Cos, [](T a) { return std::cos(a); });
  }
  check_unary<T>(UnaryOp::Floor, [](T a) { return std::floor(a); });
  check_unary<T>(UnaryOp::Ceil, [](T a) { return std::ceil(a); });
  check_unary<T>(UnaryOp::Round, [](T a) { return std::nearbyint(a); });
}

template <class To, class From>
To saturate(From a) {
  if (std::isnan(a)) return 0;
  const From top = std::ldexp(From(1), 8 * sizeof(To) - 1);
  if (a >= top) return std::numeric_limits<To>::max();
  if (a < -top) return std::numeric_limits<To>::min();
  return static_cast<To>(std::trunc(a));
}

template <class From>
void check_casts_of_integer() {
  check_cast<From, Boolean>([](From a) { return boolean(a != 0); });
  check_cast<From, std::int8_t>([](From a) { return static_cast<std::int8_t>(a); });
  check_cast<From, std::int32_t>([](From a) { return static_cast<std::int32_t>(a); });
  check_cast<From, std::int64_t>([](From a) { return static_cast<std::int64_t>(a); });
  check_cast<From, float>([](From a) { return static_cast<float>(a); });
  check_cast<From, double>([](From a) { return static_cast<double>(a); });
}

template <class From>
void check_casts_of_float() {
  check_cast<From, Boolean>([](From a) { return boolean(a != 0); });
  check_cast<From, std::int8_t>([](From a) { return saturate<std::int8_t>(a); });
  check_cast<From, std::int32_t>([](From a) { return saturate<std::int32_t>(a); });
  check_cast<From, std::int64_t>([](From a) { return saturate<std::int64_t>(a); });
  check_cast<From, float>([](From a) { return static_cast<float>(a); });
  check_cast<From, double>([](From a) { return static_cast<double>(a); });
}

TEST(Cast, OfIntegers) {
  check_casts_of_integer<std::int8_t>();
  check_casts_of_integer<std::int32_t>();
  check_casts_of_integer<std::int64_t>();
}

TEST(Cast, OfFloats) {
  check_casts_of_float<float>();
  check_casts_of_float<double>();
}

TEST(Cast, OfBool) {
  check_cast<Boolean, Boolean>([](Boolean a) { return a; });
  check_cast<Boolean, std::int8_t>([](Boolean a) { return std::int8_t(a.byte); });
  check_cast<Boolean, std::int64_t>([](Boolean a) { return std::int64_t{a.byte}; });
  check_cast<Boolean, float>([](Boolean a) { return float(a.byte); });
}

}  // namespace
}  // namespace solway::codegen
