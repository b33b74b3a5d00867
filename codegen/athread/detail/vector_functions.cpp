#include "codegen/athread/detail/vector_functions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/function_coefficients.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

constexpr double kExpLimit = 104.5;  ///< beyond it exp is 0 or infinite in float32
constexpr int kSquares = 8;          ///< exp(x) = exp(x / 256) ^ 256
constexpr double kLn2 = std::numbers::ln2;
constexpr double kTanhLimit = 0.5625;    ///< below it tanh is a polynomial
constexpr double kErfLimit = 4;          ///< beyond it erf is 1 or -1 in float32
constexpr double kExpm1Limit = 0.5;      ///< below it expm1 is a polynomial
constexpr double kLog1pLimit = 0x1p-12;  ///< below it log1p is the beginning of its series
constexpr double kRootHalf = std::numbers::sqrt2 / 2;
constexpr double kLog10Of2 = 0.3010299956639812;
constexpr int kLeastExponent = -149;  ///< of a float32
constexpr int kSteps[] = {128, 64, 32, 16, 8, 4, 2, 1};
constexpr double kInfinite = 1e300;  ///< a double that is infinite as a float32

struct Function {
  UnaryOp op;
  const char* name;
  int vectors;  ///< of a call, at most
};
constexpr Function kFunctions[] = {
    {UnaryOp::Exp, "exp", 4},         {UnaryOp::Exp2, "exp2", 4}, {UnaryOp::Expm1, "expm1", 4},
    {UnaryOp::Sigmoid, "sigmoid", 4}, {UnaryOp::Tanh, "tanh", 2}, {UnaryOp::Erf, "erf", 4},
    {UnaryOp::Log, "log", 4},         {UnaryOp::Log2, "log2", 4}, {UnaryOp::Log10, "log10", 4},
    {UnaryOp::Log1p, "log1p", 4},
};

const Function* function_or_null(UnaryOp op) {
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const Function& f) { return f.op == op; });
  return found == std::end(kFunctions) ? nullptr : found;
}

const Function& function_of(UnaryOp op) {
  if (const Function* found = function_or_null(op)) return *found;
  throw InternalError({{}, "a function without a vector form", "vector_lack() refuses it", ""});
}

/// Writes the body of one function, each step for every vector in turn. In a step '#' stands for
/// the vector's number.
class FunctionWriter {
 public:
  FunctionWriter(CText& out, const VectorType& type, int vectors)
      : out_(out), type_(type), wide_("doublev" + std::to_string(type.lanes)), vectors_(vectors) {}

  void write(UnaryOp op) {
    each("x# = (" + wide_ + ")(*v#);");
    compute(op);
    each("*v# = (" + type_.name + ")(y#);");
    std::string all;
    for (const std::string& name : names_of(op)) {
      for (int k = 0; k < vectors_; ++k) {
        all += (all.empty() ? "" : ", ") + name + std::to_string(k);
      }
    }
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      out_.line("const " + wide_ + " k" + std::to_string(k) + " = " + spread(numbers_[k]) + ";");
    }
    out_.line(wide_ + " " + all + ";");
    for (const std::string& step : steps_) out_.line(step);
  }

 private:
  static std::vector<std::string> names_of(UnaryOp op) {
    if (op == UnaryOp::Tanh || op == UnaryOp::Erf) return {"x", "y", "a", "t", "p"};
    if (op == UnaryOp::Expm1) return {"x", "y", "a", "t"};
    if (op == UnaryOp::Log || op == UnaryOp::Log2 || op == UnaryOp::Log10) {
      return {"x", "y", "m", "n", "t"};
    }
    if (op == UnaryOp::Log1p) return {"x", "y", "u", "m", "n", "t"};
    return {"x", "y"};
  }

  void compute(UnaryOp op) {
    if (op == UnaryOp::Exp) exp("x#");
    if (op == UnaryOp::Exp2) exp2();
    if (op == UnaryOp::Expm1) expm1();
    if (op == UnaryOp::Sigmoid) sigmoid();
    if (op == UnaryOp::Tanh) tanh();
    if (op == UnaryOp::Erf) erf();
    if (op == UnaryOp::Log) log("x#", kLn2, 1);
    if (op == UnaryOp::Log2) log("x#", 1, std::numbers::log2e);
    if (op == UnaryOp::Log10) log("x#", kLog10Of2, std::numbers::log10e);
    if (op == UnaryOp::Log1p) log1p();
  }

  void each(const std::string& step) {
    for (int k = 0; k < vectors_; ++k) {
      std::string line;
      for (const char c : step) line += c == '#' ? std::to_string(k) : std::string(1, c);
      steps_.push_back(line);
    }
  }

  /// The constant that holds a number in all lanes.
  std::string number(double value) {
    const auto is_same = [&](double other) {
      return other == value || (std::isnan(other) && std::isnan(value));
    };
    auto at = std::find_if(numbers_.begin(), numbers_.end(), is_same);
    if (at == numbers_.end()) at = numbers_.insert(at, value);
    return "k" + std::to_string(at - numbers_.begin());
  }

  std::string spread(double value) const {
    char digits[32];
    std::string text(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    if (std::isnan(value)) text = "0.0 / 0.0";
    if (type_.lanes == 8) return "simd_vcpyfd(" + text + ")";
    std::string all = text;
    for (int lane = 1; lane < type_.lanes; ++lane) all += ", " + text;
    return "simd_set_" + wide_ + "(" + all + ")";
  }

  /// y = the polynomial of x.
  void polynomial(const std::string& y, const std::string& x, std::span<const double> c) {
    const std::size_t last = c.size() - 1;
    each(y + " = simd_vmad(" + x + ", " + number(c[last]) + ", " + number(c[last - 1]) + ");");
    for (std::size_t k = last - 1; k-- > 0;) {
      each(y + " = simd_vmad(" + x + ", " + y + ", " + number(c[k]) + ");");
    }
  }

  /// y = exp(x), where |x| is no more than kExpLimit.
  void exp_within(const std::string& x) {
    polynomial("y#", x, kExpPart);
    for (int k = 0; k < kSquares; ++k) each("y# = simd_vmuld(y#, y#);");
  }

  /// y = exp(x). What is no number passes both choices.
  void exp(const std::string& x) {
    const std::string most = number(kExpLimit);
    const std::string least = number(-kExpLimit);
    each("y# = simd_vsubd(" + most + ", " + x + ");");
    each(x + " = simd_vsellt(y#, " + most + ", " + x + ");");
    each("y# = simd_vaddd(" + x + ", " + most + ");");
    each(x + " = simd_vsellt(y#, " + least + ", " + x + ");");
    exp_within(x);
  }

  void exp2() {
    each("x# = simd_vmuld(x#, " + number(kLn2) + ");");
    exp("x#");
  }

  /// exp(x) - 1, which loses too much where x is small: there x + x^2 p(x).
  void expm1() {
    each("a# = x#;");
    exp("x#");
    each("y# = simd_vsubd(y#, " + number(1) + ");");
    polynomial("x#", "a#", kExpm1Small);
    each("x# = simd_vmuld(a#, x#);");
    each("x# = simd_vmad(a#, x#, a#);");
    each("t# = simd_vabsd(a#);");
    each("t# = simd_vsubd(t#, " + number(kExpm1Limit) + ");");
    each("y# = simd_vsellt(t#, x#, y#);");
    each("y# = simd_vcpys(a#, y#);");
  }

  void sigmoid() {
    each("x# = simd_vsubd(" + number(0) + ", x#);");
    exp("x#");
    each("y# = simd_vaddd(y#, " + number(1) + ");");
    each("y# = simd_vdivd(" + number(1) + ", y#);");
  }

  /// 1 - 2 / (exp(2 a) + 1) of the magnitude a, which loses too much where a is small.
  void tanh() {
    each("a# = simd_vabsd(x#);");
    each("t# = simd_vaddd(a#, a#);");
    exp("t#");
    each("y# = simd_vaddd(y#, " + number(1) + ");");
    each("y# = simd_vdivd(" + number(2) + ", y#);");
    each("y# = simd_vsubd(" + number(1) + ", y#);");
    small(kTanhSmall, /*cubic=*/true, kTanhLimit);
  }

  /// 1 - exp(p(a)) of the magnitude a, which loses too much where a is small.
  void erf() {
    const std::string most = number(kErfLimit);
    each("a# = simd_vabsd(x#);");
    each("t# = simd_vsubd(" + most + ", a#);");
    each("a# = simd_vsellt(t#, " + most + ", a#);");
    polynomial("t#", "a#", kErfLarge);
    exp_within("t#");
    each("y# = simd_vsubd(" + number(1) + ", y#);");
    small(kErfSmall, /*cubic=*/false, 1);
  }

  /// x = m 2^n with m in [sqrt(1/2), sqrt(2)). Each step multiplies m by s, which is 1 or 2^-k, and
  /// adds k (1 - s) / (1 - 2^-k) to n.
  void split(const std::string& x) {
    const auto factor = [](int k) {
      return std::round(0x1p40 * k / (1 - std::ldexp(1.0, -k))) * 0x1p-40;
    };
    // The factors have few bits, so that their sum is exact: n is 0 where no step is taken.
    double all = 0;
    for (const int k : kSteps) all += factor(k);
    each("t# = simd_vsubd(" + x + ", " + number(kRootHalf) + ");");
    each("t# = simd_vsellt(t#, " + number(std::ldexp(1.0, -kLeastExponent)) + ", " + number(1) +
         ");");
    each("m# = simd_vmuld(" + x + ", t#);");
    each("n# = simd_vmad(t#, " + number(std::ldexp(kLeastExponent, kLeastExponent)) + ", " +
         number(all) + ");");
    for (const int k : kSteps) {
      const std::string part = number(std::ldexp(1.0, -k));
      each("t# = simd_vmsd(m#, " + part + ", " + number(kRootHalf) + ");");
      each("t# = simd_vsellt(t#, " + number(1) + ", " + part + ");");
      each("m# = simd_vmuld(m#, t#);");
      each("n# = simd_vmad(t#, " + number(-factor(k)) + ", n#);");
    }
  }

  /// y = n of_two + log(m) of_rest; of 0 minus infinity, of less no number, infinity of itself.
  void log(const std::string& x, double of_two, double of_rest) {
    split(x);
    each("m# = simd_vsubd(m#, " + number(1) + ");");
    polynomial("y#", "m#", kLogPart);
    each("y# = simd_vmuld(m#, y#);");
    if (of_rest != 1) each("y# = simd_vmuld(y#, " + number(of_rest) + ");");
    each("y# = simd_vmad(n#, " + number(of_two) + ", y#);");
    each("t# = simd_vsubd(" + number(0x1p128) + ", " + x + ");");
    each("y# = simd_vsellt(t#, " + number(kInfinite) + ", y#);");
    each("y# = simd_vselle(" + x + ", " + number(-kInfinite) + ", y#);");
    const double none = std::numeric_limits<double>::quiet_NaN();
    each("y# = simd_vsellt(" + x + ", " + number(none) + ", y#);");
  }

  /// log(1 + x), of which the sum loses too much where x is small.
  void log1p() {
    each("u# = simd_vaddd(x#, " + number(1) + ");");
    log("u#", kLn2, 1);
    each("t# = simd_vmad(x#, " + number(1.0 / 3) + ", " + number(-0.5) + ");");
    each("t# = simd_vmuld(x#, t#);");
    each("t# = simd_vmad(x#, t#, x#);");
    each("x# = simd_vabsd(x#);");
    each("x# = simd_vsubd(x#, " + number(kLog1pLimit) + ");");
    each("y# = simd_vsellt(x#, t#, y#);");
  }

  /// y = a + a p(a^2), or a + a^3 p(a^2), where a is below the limit; then the sign of x.
  void small(std::span<const double> p, bool cubic, double limit) {
    each("t# = simd_vmuld(a#, a#);");
    polynomial("p#", "t#", p);
    if (cubic) each("p# = simd_vmuld(t#, p#);");
    each("p# = simd_vmad(a#, p#, a#);");
    each("t# = simd_vsubd(a#, " + number(limit) + ");");
    each("y# = simd_vsellt(t#, p#, y#);");
    each("y# = simd_vcpys(x#, y#);");
  }

  CText& out_;
  const VectorType& type_;
  std::string wide_;
  int vectors_;
  std::vector<double> numbers_;  ///< constants, in the order of their first use
  std::vector<std::string> steps_;
};

void write_function(CText& out, const VectorFunction& function, const VectorType& type) {
  std::string parameters;
  for (int k = 0; k < function.vectors; ++k) {
    parameters += (k == 0 ? "" : ", ") + type.name + " *v" + std::to_string(k);
  }
  out.open("static inline void " + function.name() + "(" + parameters + ")");
  FunctionWriter(out, type, function.vectors).write(function.op);
  out.close();
}

void write_number_function(CText& out, UnaryOp op, const VectorType& type) {
  out.open("static inline float " + number_function_name(op) + "(float x)");
  if (type.lanes == 8) {
    out.line(type.name + " v = simd_vcpyfs(x);");
    out.line("float lanes[8];");
    out.line(VectorFunction{op, 1}.name() + "(&v);");
    out.line("simd_storeu(v, lanes);");
    out.line("return lanes[0];");
  } else {
    out.line(type.name + " v = simd_set_" + type.name + "(x, x, x, x);");
    out.line(VectorFunction{op, 1}.name() + "(&v);");
    out.line("return simd_vextf0(v);");
  }
  out.close();
}

}  // namespace

std::string VectorFunction::name() const {
  return std::string(function_of(op).name) + "_of_" + std::to_string(vectors);
}

bool has_vector_function(UnaryOp op) { return function_or_null(op) != nullptr; }

int max_vectors(UnaryOp op) { return function_of(op).vectors; }

bool is_vector_function_name(std::string_view name) {
  for (const Function& f : kFunctions) {
    if (name == number_function_name(f.op)) return true;
    for (int k = 1; k <= kMaxFunctionVectors; ++k) {
      if (name == VectorFunction{f.op, k}.name()) return true;
    }
  }
  return false;
}

std::string number_function_name(UnaryOp op) {
  return std::string(function_of(op).name) + "_of_number";
}

std::string vector_function_definitions(std::set<VectorFunction> functions,
                                        const std::set<UnaryOp>& numbers, const VectorType& type) {
  for (const UnaryOp op : numbers) functions.insert({op, 1});
  CText out;
  for (const VectorFunction& function : functions) write_function(out, function, type);
  for (const UnaryOp op : numbers) write_number_function(out, op, type);
  return out.take();
}

}  // namespace solway::codegen
