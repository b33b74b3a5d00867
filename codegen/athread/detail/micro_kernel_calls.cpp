#include "codegen/athread/detail/micro_kernel_calls.h"

#include <sstream>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/vector_places.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

/// The operands of a call, by what they are to the micro-kernel: vectors go along the dimension of
/// C whose neighbours lie side by side.
struct Roles {
  assembly::Product product;
  const ir::CallOperand* c;
  const ir::CallOperand* numbers;  ///< each is multiplied with a vector
  const ir::CallOperand* vectors;
};

[[noreturn]] void refuse(const ir::Call& call, const std::string& why, const std::string& fix) {
  throw UnsupportedError(
      {call.where, "'" + call.name + "' has no form for its operands", why, fix});
}

constexpr const char* kOtherLayout =
    "give the buffer another layout=, or other extents to the loops, or leave tensorize out";

Roles roles_of(const ir::Call& call) {
  const ir::CallOperand& c = call.operands[0];
  const ir::CallOperand* a = &call.operands[1];
  const ir::CallOperand* b = &call.operands[2];
  // Strides by (i, j), (i, k) and (k, j); with rounds by (i, r.., k) and (r.., k, j).
  const std::size_t step = call.product->rounds.size();
  std::int64_t rows = call.product->m, columns = call.product->n;
  std::int64_t c_row = c.strides_elems[0], c_column = c.strides_elems[1];
  std::int64_t a_row = a->strides_elems[0], a_step = a->strides_elems[step + 1];
  std::int64_t b_step = b->strides_elems[step], b_column = b->strides_elems[step + 1];
  assembly::Product product;
  for (std::size_t r = 0; r < step; ++r) {
    product.rounds.push_back(
        {call.product->rounds[r], a->strides_elems[r + 1], b->strides_elems[r]});
  }
  if (c_column != 1 && c_row == 1) {  // the transposed product
    std::swap(a, b);
    std::swap(rows, columns);
    std::swap(c_row, c_column);
    std::swap(a_row, b_column);
    std::swap(a_step, b_step);
    for (assembly::Rounds& rounds : product.rounds) std::swap(rounds.a, rounds.b);
  }
  for (const auto& [operand, stride] : {std::pair{&c, c_column}, {b, b_column}}) {
    if (stride == 1) continue;
    refuse(call,
           "vectors of '" + operand->buffer->name + "' would hold elements that lie " +
               std::to_string(stride) + " apart",
           kOtherLayout);
  }
  product.element =
      c.buffer->type == DType::Float64 ? assembly::Element::Double : assembly::Element::Float;
  product.rows = rows;
  product.columns = columns;
  product.a_row = a_row;
  product.a_step = a_step;
  product.b_step = b_step;
  product.c_row = c_row;
  return {product, &c, a, b};
}

}  // namespace

std::string MicroKernelCalls::call(
    const ir::Call& call, const std::function<std::string(const ir::CallOperand&)>& element) {
  const Roles roles = roles_of(call);
  const std::string lack = assembly::micro_kernel_lack(roles.product);
  if (!lack.empty()) refuse(call, lack, kOtherLayout);
  for (const ir::CallOperand* operand : {roles.c, roles.vectors}) {
    if (is_vector_aligned(*operand->buffer, operand->indices, assembly::kLanes,
                          options_.least_alignment()))
      continue;
    refuse(call,
           "what it uses of '" + operand->buffer->name + "' does not always begin at a whole " +
               "vector of " + std::to_string(assembly::kLanes),
           kOtherLayout);
  }
  const std::string text = assembly::micro_kernel("@", roles.product, options_.latencies);
  const auto [function, is_new] = functions_.emplace(text, "");
  if (is_new) {
    std::ostringstream name;
    name << prefix_ << "_gemm_" << roles.product.rows << "x" << roles.product.columns;
    function->second = names_.fresh(name.str());
    const std::string type = c_type(roles.c->buffer->type);
    prototypes_.push_back("void " + function->second + "(" + type + " *C, const " + type +
                          " *A, const " + type + " *B, long steps);");
    assembly_ += (assembly_.empty() ? "" : "\n") +
                 assembly::micro_kernel(function->second, roles.product, options_.latencies);
  }
  return function->second + "(&" + element(*roles.c) + ", &" + element(*roles.numbers) + ", &" +
         element(*roles.vectors) + ", " + std::to_string(call.product->k) + ");";
}

}  // namespace solway::codegen
