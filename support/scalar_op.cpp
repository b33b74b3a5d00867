#include "support/scalar_op.h"

#include <string>

#include "support/error.h"

namespace solway {
namespace {

[[noreturn]] void throw_not_an_op(const char* kind, int value) {
  throw InternalError({{}, std::string("no such ") + kind, "value " + std::to_string(value), ""});
}

}  // namespace

std::string_view to_string(UnaryOp op) {
  switch (op) {
    case UnaryOp::Neg:
      return "-";
    case UnaryOp::Not:
      return "not";
    case UnaryOp::Abs:
      return "abs";
    case UnaryOp::Sqrt:
      return "sqrt";
    case UnaryOp::Rsqrt:
      return "rsqrt";
    case UnaryOp::Exp:
      return "exp";
    case UnaryOp::Log:
      return "log";
    case UnaryOp::Tanh:
      return "tanh";
    case UnaryOp::Sigmoid:
      return "sigmoid";
    case UnaryOp::Erf:
      return "erf";
    case UnaryOp::Sin:
      return "sin";
    case UnaryOp::Cos:
      return "cos";
    case UnaryOp::Floor:
      return "floor";
    case UnaryOp::Ceil:
      return "ceil";
    case UnaryOp::Round:
      return "round";
  }
  throw_not_an_op("UnaryOp", static_cast<int>(op));
}

std::string_view to_string(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
      return "+";
    case BinaryOp::Sub:
      return "-";
    case BinaryOp::Mul:
      return "*";
    case BinaryOp::Div:
      return "/";
    case BinaryOp::FloorDiv:
      return "//";
    case BinaryOp::Mod:
      return "%";
    case BinaryOp::Min:
      return "min";
    case BinaryOp::Max:
      return "max";
    case BinaryOp::Pow:
      return "pow";
    case BinaryOp::Lt:
      return "<";
    case BinaryOp::Le:
      return "<=";
    case BinaryOp::Gt:
      return ">";
    case BinaryOp::Ge:
      return ">=";
    case BinaryOp::Eq:
      return "==";
    case BinaryOp::Ne:
      return "!=";
    case BinaryOp::And:
      return "and";
    case BinaryOp::Or:
      return "or";
  }
  throw_not_an_op("BinaryOp", static_cast<int>(op));
}

std::string_view to_string(ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum:
      return "sum";
    case ReduceOp::Prod:
      return "prod";
    case ReduceOp::Min:
      return "min";
    case ReduceOp::Max:
      return "max";
  }
  throw_not_an_op("ReduceOp", static_cast<int>(op));
}

bool is_comparison(BinaryOp op) {
  return op == BinaryOp::Lt || op == BinaryOp::Le || op == BinaryOp::Gt || op == BinaryOp::Ge ||
         op == BinaryOp::Eq || op == BinaryOp::Ne;
}

BinaryOp combine_op(ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum:
      return BinaryOp::Add;
    case ReduceOp::Prod:
      return BinaryOp::Mul;
    case ReduceOp::Min:
      return BinaryOp::Min;
    case ReduceOp::Max:
      return BinaryOp::Max;
  }
  throw_not_an_op("ReduceOp", static_cast<int>(op));
}

}  // namespace solway
