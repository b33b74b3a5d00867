#include "codegen/c/names.h"

#include "lowering/ir/visitor.h"
#include "support/scalar_op.h"

namespace solway::codegen::c99 {
namespace {

/// Every name that a kernel defines.
class Definitions final : public ir::Visitor {
 public:
  std::set<std::string> names;

 private:
  void visit(const ir::For& s) override {
    names.insert(s.var);
    Visitor::visit(s);
  }
  void visit(const ir::Let& s) override {
    names.insert(s.var);
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    names.insert(s.buffer->name);
    Visitor::visit(s);
  }
};

const std::set<std::string>& reserved_words() {
  static const std::set<std::string> kWords = {
      "auto",      "break",      "case",      "char",      "const",     "continue",  "default",
      "do",        "double",     "else",      "enum",      "extern",    "float",     "for",
      "goto",      "if",         "inline",    "int",       "long",      "register",  "restrict",
      "return",    "short",      "signed",    "sizeof",    "static",    "struct",    "switch",
      "typedef",   "union",      "unsigned",  "void",      "volatile",  "while",     "_Bool",
      "_Complex",  "_Imaginary", "bool",      "NULL",      "INFINITY",  "NAN",       "HUGE_VAL",
      "int8_t",    "int16_t",    "uint16_t",  "INT16_MIN", "INT16_MAX", "UINT8_MAX", "int32_t",
      "int64_t",   "uint8_t",    "uint32_t",  "uint64_t",  "uintptr_t", "size_t",    "INT8_MIN",
      "INT32_MIN", "INT64_MIN",  "INT8_MAX",  "INT32_MAX", "INT64_MAX", "INT64_C",   "malloc",
      "free",      "memcpy",     "memset",    "main",      "asm",       "typeof",    "linux",
      "unix",      "errno",      "EDOM",      "ERANGE",    "signbit",   "isnan",     "isinf",
      "isfinite",  "isnormal",   "fpclassify"};
  return kWords;
}

/// Functions of <math.h> that emitted expressions call.
std::set<std::string> math_functions() {
  std::set<std::string> names = {"fma"};
  for (int k = 0; k <= static_cast<int>(kLastUnaryOp); ++k) {
    names.emplace(libm_name(static_cast<UnaryOp>(k)));
  }
  for (int k = 0; k <= static_cast<int>(kLastBinaryOp); ++k) {
    names.emplace(libm_name(static_cast<BinaryOp>(k)));
  }
  names.erase("");  // of operations that are no calls
  return names;
}

}  // namespace

bool is_math_function(std::string name) {
  static const std::set<std::string> kFunctions = math_functions();
  if (kFunctions.count(name) != 0) return true;
  if (name.empty() || name.back() != 'f') return false;
  name.pop_back();
  return kFunctions.count(name) != 0;
}

bool is_reserved_in_c(const std::string& name) {
  if (name.rfind("sw_", 0) == 0 || name.rfind("__", 0) == 0) return true;
  return reserved_words().count(name) != 0 || is_math_function(name);
}

CNames::CNames(const ir::Kernel& kernel) {
  Definitions definitions;
  definitions.walk(kernel.body);
  for (const ir::Param& param : kernel.params) definitions.names.insert(param.buffer->name);
  for (const ir::Constant& constant : kernel.constants) {
    definitions.names.insert(constant.buffer->name);
  }
  std::set<std::string> taken = definitions.names;
  for (const std::string& name : definitions.names) {
    std::string c_name = name.rfind("__", 0) == 0 || name.rfind("sw_", 0) == 0 ? "v" + name : name;
    while (is_reserved_in_c(c_name) || (c_name != name && taken.count(c_name) != 0)) c_name += "_";
    taken.insert(c_name);
    names_[name] = c_name;
  }
}

}  // namespace solway::codegen::c99
