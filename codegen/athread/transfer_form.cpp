#include "codegen/athread/transfer_form.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lowering/ir/merge_dims.h"
#include "lowering/ir/simplify.h"
#include "support/dtype.h"

namespace solway::codegen {
namespace {

using ir::Expr;
using ir::TransferDim;
using ir::TransferIssue;
using ir::try_constant;

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

/// What one index of the dimension that is to be taken moves: elements that follow each other in
/// near memory, and how far they reach in main memory.
struct Piece {
  std::int64_t elems = 1;
  std::int64_t reach_elems = 1;
};

/// Takes the dimension with the most elements of those whose indices move a piece each, one behind
/// the other in near memory and apart in main memory.
std::optional<TransferForm::Block> take_dense(std::vector<TransferDim>& dims, const Piece& piece,
                                              int elem_bytes, const ir::Ranges& ranges,
                                              const TransferLimits& limits) {
  auto best = dims.end();
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    const ir::Range stride = range_of(dim->main_stride_elems, ranges);
    const std::int64_t most = range_of(dim->count, ranges).hi;
    const bool fits =
        dim->near_stride_elems == piece.elems && stride.lo > piece.reach_elems &&
        stride.hi - piece.elems <= INT32_MAX / elem_bytes &&
        most <= limits.max_bytes / std::max<std::int64_t>(1, piece.elems * elem_bytes);
    if (!fits) continue;
    if (best == dims.end() || most > range_of(best->count, ranges).hi) best = dim;
  }
  if (best == dims.end()) return std::nullopt;
  const TransferForm::Block block{best->count, best->main_stride_elems};
  dims.erase(best);
  return block;
}

/// Takes the dimensions of blocks and of planes, as far as the engine has them.
void take_blocks(TransferForm& form, int elem_bytes, const ir::Ranges& ranges,
                 const TransferLimits& limits) {
  const auto run = try_constant(form.run);
  if (!run || limits.ranks < 2 || *run * elem_bytes > limits.max_block_bytes) return;
  form.block = take_dense(form.loops, {*run, *run}, elem_bytes, ranges, limits);
  if (!form.block || limits.ranks < 3) return;
  const auto blocks = try_constant(form.block->count);
  const std::int64_t stride = range_of(form.block->main_stride_elems, ranges).hi;
  const bool is_known = blocks && *blocks > 0 && stride <= INT32_MAX / *blocks;
  if (!is_known) return;
  form.plane = take_dense(form.loops, {*run * *blocks, (*blocks - 1) * stride + *run}, elem_bytes,
                          ranges, limits);
}

/// Splits a run that is longer than a call can do into equal pieces with a loop around them, where
/// that needs at most twice the calls; else leaves it.
void split_run(TransferForm& form, int elem_bytes, const TransferLimits& limits) {
  const auto elems = try_constant(form.run);
  if (!elems || *elems * elem_bytes <= limits.max_bytes) return;
  const std::int64_t fewest = (*elems * elem_bytes + limits.max_bytes - 1) / limits.max_bytes;
  for (std::int64_t pieces = fewest; pieces <= 2 * fewest && pieces <= *elems; ++pieces) {
    const std::int64_t piece = *elems / pieces;
    if (*elems % pieces != 0 || piece * elem_bytes % limits.unit_bytes != 0) continue;
    form.loops.push_back({ir::index(pieces), ir::index(piece), piece});
    form.run = ir::index(piece);
    return;
  }
}

/// A number of bytes that divides the distance of every address of one side from its first element.
std::int64_t offset_divisor(const ir::BufferNode& buffer, const std::vector<Expr>& indices,
                            const ir::Ranges& ranges) {
  return divisor_of(ir::flat_index(buffer, indices), ranges) * size_bytes(buffer.type);
}

/// A number of bytes that divides every address, length and gap of the calls.
std::int64_t common_divisor(const TransferIssue& issue, const TransferForm& form,
                            const ir::Ranges& ranges) {
  const int elem_bytes = size_bytes(issue.near->type);
  std::int64_t divisor = std::gcd(offset_divisor(*issue.main, issue.main_index, ranges),
                                  offset_divisor(*issue.near, issue.near_index, ranges));
  for (const TransferDim& dim : form.loops) {
    divisor = std::gcd(divisor, divisor_of(dim.main_stride_elems, ranges) * elem_bytes);
    divisor = std::gcd(divisor, dim.near_stride_elems * elem_bytes);
  }
  if (form.block) {
    divisor = std::gcd(divisor, divisor_of(form.block->main_stride_elems, ranges) * elem_bytes);
  }
  if (form.plane) {
    divisor = std::gcd(divisor, divisor_of(form.plane->main_stride_elems, ranges) * elem_bytes);
  }
  return std::gcd(divisor, divisor_of(form.run, ranges) * elem_bytes);
}

/// Why the form cannot be calls; empty when it can.
std::string reason_to_copy(const TransferIssue& issue, const TransferForm& form,
                           const ir::Ranges& ranges, const TransferLimits& limits) {
  const int elem_bytes = size_bytes(issue.near->type);
  const std::string unit = std::to_string(limits.unit_bytes);
  if (elem_bytes % limits.unit_bytes != 0 &&
      common_divisor(issue, form, ranges) % limits.unit_bytes != 0) {
    return "a transfer moves multiples of " + unit + " bytes from multiples of " + unit + " bytes";
  }
  const ir::Range run = range_of(form.run, ranges);
  if (std::min(run.hi, issue.near->num_elements()) > limits.max_bytes / elem_bytes) {
    return "a transfer moves at most " + std::to_string(limits.max_bytes) + " bytes";
  }
  std::int64_t least = std::max<std::int64_t>(1, run.lo) * elem_bytes;
  for (const std::optional<TransferForm::Block>& side : {form.block, form.plane}) {
    if (side) least *= std::max<std::int64_t>(1, range_of(side->count, ranges).lo);
  }
  if (limits.min_bytes > limits.unit_bytes && least < limits.min_bytes) {
    return "a transfer moves at least " + std::to_string(limits.min_bytes) + " bytes";
  }
  return "";
}

/// Takes the dimension with the most elements of those that move rows of the buffer whole, with the
/// room for units beside them: each begins at one place of a unit.
void take_block_of_units(TransferForm& form, const TransferIssue& issue, const ir::Ranges& ranges,
                         const TransferLimits& limits) {
  const std::int64_t elem_bytes = size_bytes(issue.near->type);
  const std::int64_t unit = form.units->elems;
  const std::int64_t row = issue.near->shape.back();
  std::int64_t last = range_of(ir::flat_index(*issue.main, issue.main_index), ranges).hi;
  for (const TransferDim& dim : form.loops) {
    const std::int64_t count = std::max<std::int64_t>(1, range_of(dim.count, ranges).hi);
    last += (count - 1) * range_of(dim.main_stride_elems, ranges).hi;
  }
  const bool is_inside = last / unit * unit + row <= form.units->array_elems;
  if (!is_inside || row % unit != 0 || row * elem_bytes > limits.max_block_bytes) return;
  auto best = form.loops.end();
  for (auto dim = form.loops.begin(); dim != form.loops.end(); ++dim) {
    const auto stride = try_constant(dim->main_stride_elems);
    const std::int64_t most = range_of(dim->count, ranges).hi;
    const bool fits = dim->near_stride_elems == row && stride && *stride > row &&
                      *stride % unit == 0 && *stride - row <= INT32_MAX / elem_bytes &&
                      most <= limits.max_bytes / (row * elem_bytes);
    if (!fits) continue;
    if (best == form.loops.end() || most > range_of(best->count, ranges).hi) best = dim;
  }
  if (best == form.loops.end()) return;
  form.units->run_elems = row;
  form.block = TransferForm::Block{best->count, best->main_stride_elems};
  form.loops.erase(best);
}

/// The form of a get in units that moves whole ones; nullopt where the engine cannot do that.
std::optional<TransferForm> form_in_units(const TransferIssue& issue, const ir::Ranges& ranges,
                                          const TransferLimits& limits) {
  const std::int64_t unit = issue.unit_elems;
  const std::int64_t elem_bytes = size_bytes(issue.near->type);
  const bool are_units = unit > 1 && unit * elem_bytes % limits.unit_bytes == 0 &&
                         unit * elem_bytes >= limits.min_bytes;
  if (!are_units || issue.main->is_upper_bound) return std::nullopt;
  TransferForm form;
  form.units = TransferForm::Units{unit, issue.main->num_elements()};
  form.loops = ir::merge_dims(issue.dims);
  form.run = take_run(form.loops);
  const std::int64_t longest = std::min(range_of(form.run, ranges).hi, issue.near->num_elements());
  if (longest + 2 * (unit - 1) > limits.max_bytes / elem_bytes) return std::nullopt;
  if (limits.ranks > 1) take_block_of_units(form, issue, ranges, limits);
  return form;
}

std::optional<std::int64_t> number_of_calls(const TransferForm& form) {
  if (form.kind != TransferForm::Kind::Dma) return 0;
  if (!form.guards.empty()) return std::nullopt;
  if (form.units && !form.block && form.units->ends_within_one()) return std::nullopt;
  std::int64_t calls = 1;
  for (const TransferDim& dim : form.loops) {
    const auto count = try_constant(dim.count);
    if (!count) return std::nullopt;
    calls *= *count;
  }
  return calls;
}

}  // namespace

TransferForm legal_form(const TransferIssue& issue, const ir::Ranges& ranges,
                        const TransferLimits& limits) {
  TransferForm form;
  for (const TransferDim& dim : issue.dims) {
    if (range_of(dim.count, ranges).hi < 1) form.kind = TransferForm::Kind::Nothing;
  }
  form.calls = 0;
  form.run = ir::index(1);
  if (form.kind == TransferForm::Kind::Nothing) return form;

  form.loops = ir::merge_dims(issue.dims);
  form.run = take_run(form.loops);
  const int elem_bytes = size_bytes(issue.near->type);
  take_blocks(form, elem_bytes, ranges, limits);
  if (!form.block) split_run(form, elem_bytes, limits);
  form.why_copy = reason_to_copy(issue, form, ranges, limits);
  if (!form.why_copy.empty()) {
    form.kind = TransferForm::Kind::Copy;
    if (auto in_units = form_in_units(issue, ranges, limits)) {
      in_units->why_copy = std::move(form.why_copy);
      form = *std::move(in_units);
    }
  }

  std::vector<Expr> counts{form.run};
  if (form.block) counts.push_back(form.block->count);
  if (form.plane) counts.push_back(form.plane->count);
  for (const Expr& count : counts) {
    if (range_of(count, ranges).lo < 1) form.guards.push_back(count);
  }
  form.calls = number_of_calls(form);
  return form;
}

}  // namespace solway::codegen
