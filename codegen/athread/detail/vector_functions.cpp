#include "codegen/athread/detail/vector_functions.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/function_coefficients.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

constexpr double kExpLimit = 104.5;  ///< beyond it exp is 0 or infinite in float32
constexpr int kSquares = 8;          ///< exp(x) = exp(x / 256) ^ 256
constexpr double kLn2 = 0.6931471805599453;
constexpr double kTanhLimit = 0.5625;  ///< below it tanh is a polynomial
constexpr double kErfLimit = 4;        ///< beyond it erf is 1 or -1 in float32
constexpr const char* kNames[] = {"exp", "exp2", "sigmoid", "tanh", "erf"};
constexpr UnaryOp kFunctions[] = {UnaryOp::Exp, UnaryOp::Exp2, UnaryOp::Sigmoid, UnaryOp::Tanh,
                                  UnaryOp::Erf};

const char* base_name(UnaryOp op) {
  for (std::size_t k = 0; k < std::size(kFunctions); ++k) {
    if (kFunctions[k] == op) return kNames[k];
  }
  throw InternalError({{}, "a function without a vector form", "vector_lack() refuses it", ""});
}

/// Writes the body of one function, each step for every vector in turn. In a step '#' stands for
/// the vector's number.
class FunctionWriter {
 public:
  FunctionWriter(CText& out, const VectorType& type, int vectors)
      : out_(out), type_(type), wide_("doublev" + std::to_string(type.lanes)), vectors_(vectors) {}

  void write(UnaryOp op) {
    std::vector<std::string> names = {"x", "y"};
    if (op == UnaryOp::Tanh || op == UnaryOp::Erf) names.insert(names.end(), {"a", "t", "p"});
    std::string all;
    for (const std::string& name : names) {
      for (int k = 0; k < vectors_; ++k) {
        all += (all.empty() ? "" : ", ") + name + std::to_string(k);
      }
    }
    each("x# = (" + wide_ + ")(*v#);");
    if (op == UnaryOp::Exp) exp("x#");
    if (op == UnaryOp::Exp2) exp2();
    if (op == UnaryOp::Sigmoid) sigmoid();
    if (op == UnaryOp::Tanh) tanh();
    if (op == UnaryOp::Erf) erf();
    each("*v# = (" + type_.name + ")(y#);");
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      out_.line("const " + wide_ + " k" + std::to_string(k) + " = " + spread(numbers_[k]) + ";");
    }
    out_.line(wide_ + " " + all + ";");
    for (const std::string& step : steps_) out_.line(step);
  }

 private:
  void each(const std::string& step) {
    for (int k = 0; k < vectors_; ++k) {
      std::string line;
      for (const char c : step) line += c == '#' ? std::to_string(k) : std::string(1, c);
      steps_.push_back(line);
    }
  }

  /// The constant that holds a number in all lanes.
  std::string number(double value) {
    auto at = std::find(numbers_.begin(), numbers_.end(), value);
    if (at == numbers_.end()) at = numbers_.insert(at, value);
    return "k" + std::to_string(at - numbers_.begin());
  }

  std::string spread(double value) const {
    char digits[32];
    std::string text(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
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
  return std::string(base_name(op)) + "_of_" + std::to_string(vectors);
}

bool has_vector_function(UnaryOp op) {
  return std::find(std::begin(kFunctions), std::end(kFunctions), op) != std::end(kFunctions);
}

int max_vectors(UnaryOp op) { return op == UnaryOp::Tanh ? 2 : kMaxFunctionVectors; }

bool is_vector_function_name(std::string_view name) {
  for (const UnaryOp op : kFunctions) {
    if (name == number_function_name(op)) return true;
    for (int k = 1; k <= kMaxFunctionVectors; ++k) {
      if (name == VectorFunction{op, k}.name()) return true;
    }
  }
  return false;
}

std::string number_function_name(UnaryOp op) { return std::string(base_name(op)) + "_of_number"; }

std::string vector_function_definitions(std::set<VectorFunction> functions,
                                        const std::set<UnaryOp>& numbers, const VectorType& type) {
  for (const UnaryOp op : numbers) functions.insert({op, 1});
  CText out;
  for (const VectorFunction& function : functions) write_function(out, function, type);
  for (const UnaryOp op : numbers) write_number_function(out, op, type);
  return out.take();
}

}  // namespace solway::codegen
