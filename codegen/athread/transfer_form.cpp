#include "codegen/athread/transfer_form.h"

#include <algorithm>
#include <numeric>

#include "lowering/ir/merge_dims.h"
#include "lowering/ir/simplify.h"
#include "support/dtype.h"

namespace solway::codegen {
namespace {

using ir::Expr;
using ir::TransferDim;
using ir::TransferIssue;
using ir::try_constant;

constexpr std::int64_t kUnitBytes = 4;             ///< of addresses, lengths and gaps
constexpr std::int64_t kMaxBlockBytes = 1 << 20;   ///< exclusive, of the descriptor's field
constexpr std::int64_t kMaxLengthBytes = 1 << 24;  ///< exclusive, of the descriptor's field

/// Takes the dimension that is contiguous on both sides out of `dims`; 1 when there is none.
Expr take_run(std::vector<TransferDim>& dims) {
  const auto run = std::find_if(dims.rbegin(), dims.rend(), [](const TransferDim& dim) {
    return try_constant(dim.main_stride_elems) == 1 && dim.near_stride_elems == 1;
  });
  if (run == dims.rend()) return ir::index(1);
  const Expr count = run->count;
  dims.erase(std::next(run).base());
  return count;
}

/// Takes the dimension with the most elements of those that the strided form can do.
std::optional<TransferForm::Block> take_block(std::vector<TransferDim>& dims, const Expr& run,
                                              int elem_bytes, const ir::Ranges& ranges) {
  const auto run_elems = try_constant(run);
  if (!run_elems) return std::nullopt;
  auto best = dims.end();
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    const ir::Range stride = range_of(dim->main_stride_elems, ranges);
    const std::int64_t most = range_of(dim->count, ranges).hi;
    const bool fits = dim->near_stride_elems == *run_elems && stride.lo > *run_elems &&
                      stride.hi - *run_elems <= INT32_MAX / elem_bytes &&
                      *run_elems * elem_bytes < kMaxBlockBytes &&
                      most < kMaxLengthBytes / std::max<std::int64_t>(1, *run_elems * elem_bytes);
    if (!fits) continue;
    if (best == dims.end() || most > range_of(best->count, ranges).hi) best = dim;
  }
  if (best == dims.end()) return std::nullopt;
  const TransferForm::Block block{best->count, best->main_stride_elems};
  dims.erase(best);
  return block;
}

/// A number of bytes that divides the distance of every address of one side from its first element.
std::int64_t offset_divisor(const ir::BufferNode& buffer, const std::vector<Expr>& indices,
                            const ir::Ranges& ranges) {
  return divisor_of(ir::flat_index(buffer, indices), ranges) * size_bytes(buffer.type);
}

/// Why the form cannot be calls; empty when it can.
std::string reason_to_copy(const TransferIssue& issue, const TransferForm& form,
                           const ir::Ranges& ranges) {
  const int elem_bytes = size_bytes(issue.near->type);
  if (elem_bytes % kUnitBytes == 0) return "";
  const std::string unit = "a transfer moves multiples of 4 bytes from multiples of 4 bytes";
  std::int64_t divisor = std::gcd(offset_divisor(*issue.main, issue.main_index, ranges),
                                  offset_divisor(*issue.near, issue.near_index, ranges));
  for (const TransferDim& dim : form.loops) {
    divisor = std::gcd(divisor, divisor_of(dim.main_stride_elems, ranges) * elem_bytes);
    divisor = std::gcd(divisor, dim.near_stride_elems * elem_bytes);
  }
  if (form.block) {
    divisor = std::gcd(divisor, divisor_of(form.block->main_stride_elems, ranges) * elem_bytes);
  }
  if (divisor % kUnitBytes != 0) return unit;
  return divisor_of(form.run, ranges) * elem_bytes % kUnitBytes == 0 ? "" : unit;
}

std::optional<std::int64_t> number_of_calls(const TransferForm& form) {
  if (form.kind != TransferForm::Kind::Dma) return 0;
  if (!form.guards.empty()) return std::nullopt;
  std::int64_t calls = 1;
  for (const TransferDim& dim : form.loops) {
    const auto count = try_constant(dim.count);
    if (!count) return std::nullopt;
    calls *= *count;
  }
  return calls;
}

}  // namespace

TransferForm legal_form(const TransferIssue& issue, const ir::Ranges& ranges) {
  TransferForm form;
  for (const TransferDim& dim : issue.dims) {
    if (range_of(dim.count, ranges).hi < 1) form.kind = TransferForm::Kind::Nothing;
  }
  form.calls = 0;
  form.run = ir::index(1);
  if (form.kind == TransferForm::Kind::Nothing) return form;

  form.loops = ir::merge_dims(issue.dims);
  form.run = take_run(form.loops);
  form.block = take_block(form.loops, form.run, size_bytes(issue.near->type), ranges);
  form.why_copy = reason_to_copy(issue, form, ranges);
  if (!form.why_copy.empty()) form.kind = TransferForm::Kind::Copy;

  std::vector<Expr> counts{form.run};
  if (form.block) counts.push_back(form.block->count);
  for (const Expr& count : counts) {
    if (range_of(count, ranges).lo < 1) form.guards.push_back(count);
  }
  form.calls = number_of_calls(form);
  return form;
}

}  // namespace solway::codegen
